package project;

public class ProcessTest {
    public void startsOne() throws Exception {
        new ProcessBuilder("true").start().waitFor();
    }
}
