package project;

public class SurroundingsTest {
    public void reads() {
        System.getenv("SOME_VARIABLE");
    }
}
