package jury.boot;

import java.util.Map;

/**
 * Whether a build tool's booter has switched assertions on inside the JVM, as Surefire's does unless
 * told otherwise. That is on no command line, so a replay has to do it again. It is told among the
 * properties, which it resembles, but never becomes one.
 */
final class Assertions {
    private static final String NAME = "jury.assertions";

    private Assertions() {}

    /** Adds to {@code properties} that classes beside {@code program} check their assertions. */
    static void tell(Class<?> program, Map<String, String> properties) {
        if (program != null && program.desiredAssertionStatus()) {
            properties.put(NAME, "on");
        }
    }

    /** Obeys what {@link #tell} has told; false if {@code property} is an ordinary one. */
    static boolean obey(String property) {
        if (!property.equals(NAME)) {
            return false;
        }
        ClassLoader.getSystemClassLoader().setDefaultAssertionStatus(true);
        return true;
    }
}
