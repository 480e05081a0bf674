package jury.boot;

/**
 * A test of JUnit 3 or 4 run without the platform. Both frameworks describe a test by the text
 * {@code method(class)}, which is all they need to find it again.
 */
final class JUnitTest {
    static final String ENGINE = "junit";

    private JUnitTest() {}

    /** Reads {@code adds[1: x](a.BTest)}; text of another form stands for a whole class. */
    static TestCase parse(String description) {
        int open = description.lastIndexOf('(');
        if (open < 0 || !description.endsWith(")")) {
            return of(description, "");
        }
        return of(
                description.substring(open + 1, description.length() - 1),
                description.substring(0, open));
    }

    /** {@code name} is the method with everything a runner added to it; empty for a class. */
    static TestCase of(String className, String name) {
        if (name.isEmpty()) {
            return new TestCase(ENGINE + ":" + className, ENGINE, className, "", "", className);
        }
        int bracket = name.endsWith("]") ? name.indexOf('[') : -1;
        String method = bracket < 0 ? name : name.substring(0, bracket);
        String variant = bracket < 0 ? "" : name.substring(bracket);
        String id = ENGINE + ":" + className + "#" + name;
        return new TestCase(id, ENGINE, className, method, variant, name);
    }
}
