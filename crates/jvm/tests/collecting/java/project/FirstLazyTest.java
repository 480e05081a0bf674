package project;

public class FirstLazyTest {
    public void usesIt() {
        LazyTool.name();
        LazyTool.name("key");
        LazyTool.shared().name(1);
    }
}
