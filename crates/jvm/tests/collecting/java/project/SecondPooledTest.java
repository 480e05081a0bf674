package project;

public class SecondPooledTest {
    public void usesTheSameConnection() throws Exception {
        Pool.call();
    }
}
