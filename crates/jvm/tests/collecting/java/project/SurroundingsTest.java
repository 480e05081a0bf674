package project;

public class SurroundingsTest {
    public void reads() {
        System.getenv("SOME_VARIABLE");
        System.getProperty("some.property");
        Integer.getInteger("some.number");
    }
}
