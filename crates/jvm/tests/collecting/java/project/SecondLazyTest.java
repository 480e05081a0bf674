package project;

public class SecondLazyTest {
    public void usesIt() {
        LazyTool.name();
        LazyTool.name("key");
        LazyTool.shared().name(1);
    }
}
