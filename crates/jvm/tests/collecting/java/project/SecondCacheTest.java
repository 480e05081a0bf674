package project;

public class SecondCacheTest {
    public void asksForAnother() {
        CacheTool.of("last");
    }
}
