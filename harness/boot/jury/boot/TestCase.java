package jury.boot;

/** A test as its framework described it. Mirror of {@code TestCase} in the Rust crate model. */
final class TestCase {
    final String id;
    final String engine;
    final String className;
    /** Empty where a test has no method. */
    final String method;
    /** What tells invocations of one method apart; empty for a plain test. */
    final String variant;
    final String displayName;

    TestCase(
            String id,
            String engine,
            String className,
            String method,
            String variant,
            String displayName) {
        this.id = id;
        this.engine = engine;
        this.className = className;
        this.method = method;
        this.variant = variant;
        this.displayName = displayName;
    }

    /** The method by which a test is selected; {@code method_unit} on the Rust side. */
    String methodName() {
        return className + "#" + method;
    }

    /** The class by which a test is selected; {@code top_level_class} on the Rust side. */
    static String outermost(String className) {
        int nested = className.indexOf('$');
        return nested < 0 ? className : className.substring(0, nested);
    }
}
