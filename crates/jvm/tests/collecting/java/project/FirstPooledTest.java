package project;

public class FirstPooledTest {
    public void connects() throws Exception {
        Pool.call();
    }
}
