package junit.framework;

public class TestCase {
    private final String name;

    public TestCase(String name) {
        this.name = name;
    }

    public String getName() {
        return name;
    }
}
