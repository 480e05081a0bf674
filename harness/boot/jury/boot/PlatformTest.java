package jury.boot;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads a JUnit Platform {@code TestDescriptor}. The unique id is kept letter by letter, since it
 * is the address under which the engine finds the test again; class, method and variant are for
 * people and for grouping.
 */
final class PlatformTest {
    private static final String DESCRIPTOR = "org.junit.platform.engine.TestDescriptor";
    private static final String SOURCES = "org.junit.platform.engine.support.descriptor.";

    static final PublicMethod UNIQUE_ID = new PublicMethod(DESCRIPTOR, "getUniqueId");
    static final PublicMethod PARENT = new PublicMethod(DESCRIPTOR, "getParent");
    static final PublicMethod IS_TEST = new PublicMethod(DESCRIPTOR, "isTest");
    static final PublicMethod DESCENDANTS = new PublicMethod(DESCRIPTOR, "getDescendants");

    private static final PublicMethod DISPLAY_NAME =
            new PublicMethod(DESCRIPTOR, "getDisplayName");
    private static final PublicMethod SOURCE = new PublicMethod(DESCRIPTOR, "getSource");
    private static final PublicMethod CLASS_OF_METHOD =
            new PublicMethod(SOURCES + "MethodSource", "getClassName");
    private static final PublicMethod METHOD_NAME =
            new PublicMethod(SOURCES + "MethodSource", "getMethodName");
    private static final PublicMethod PARAMETER_TYPES =
            new PublicMethod(SOURCES + "MethodSource", "getMethodParameterTypes");
    private static final PublicMethod CLASS_NAME =
            new PublicMethod(SOURCES + "ClassSource", "getClassName");

    private PlatformTest() {}

    static TestCase describe(Object descriptor) throws Throwable {
        String id = UNIQUE_ID.text(descriptor);
        String displayName = DISPLAY_NAME.text(descriptor);
        String className = "";
        String method = "";
        String types = "";
        // A dynamic test may have no source, or a file; then the factory around it names the class.
        for (Object node = descriptor; node != null; node = parentOf(node)) {
            Object source = valueOf(SOURCE.call(node));
            if (CLASS_OF_METHOD.exists(source)) {
                className = CLASS_OF_METHOD.text(source);
                method = METHOD_NAME.text(source);
                Object parameters = PARAMETER_TYPES.call(source);
                types = parameters == null ? "" : Variants.simpleNames(parameters.toString());
                break;
            }
            if (CLASS_NAME.exists(source)) {
                className = CLASS_NAME.text(source);
                break;
            }
        }
        String numbers = Variants.invocationNumbers(id);
        if (numbers.isEmpty()) {
            numbers = Variants.bracketsAfter(method, displayName);
        }
        return new TestCase(id, engineOf(id), className, method, types + numbers, displayName);
    }

    /**
     * Other classes that have the test run within them: suites of the platform and those that
     * Vintage runs.
     */
    static List<String> suitesAround(TestCase test) {
        List<String> suites = new ArrayList<>();
        for (String segment : test.id.split("/")) {
            int colon = segment.indexOf(':');
            if (segment.startsWith("[suite:") || segment.startsWith("[runner:")) {
                String suite = segment.substring(colon + 1, segment.length() - 1);
                if (!TestCase.outermost(suite).equals(TestCase.outermost(test.className))) {
                    suites.add(suite);
                }
            }
        }
        return suites;
    }

    static Object parentOf(Object descriptor) throws Throwable {
        return valueOf(PARENT.call(descriptor));
    }

    /** The class that a container stands for; null for any other descriptor. */
    static String classOf(Object descriptor) throws Throwable {
        Object source = valueOf(SOURCE.call(descriptor));
        return CLASS_NAME.exists(source) ? CLASS_NAME.text(source) : null;
    }

    static boolean isTest(Object descriptor) throws Throwable {
        return (Boolean) IS_TEST.call(descriptor);
    }

    /** The engine that understands the id: the outermost one, also for a test within a suite. */
    private static String engineOf(String id) {
        String opening = "[engine:";
        int end = id.indexOf(']');
        return id.startsWith(opening) && end > 0 ? id.substring(opening.length(), end) : "";
    }

    private static Object valueOf(Object optional) {
        return optional == null ? null : ((Optional<?>) optional).orElse(null);
    }
}
