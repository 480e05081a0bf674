package project;

public class FirstToolTest {
    public void usesIt() {
        Tool.name();
    }
}
