package jury.boot;

import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Leaves out tests of JUnit 3 and 4 that JUnit 4 runs without the platform. Whoever starts it asks
 * nobody, so each class or method is called off when it is about to begin, before any of its
 * fixtures. Runners that work in other ways pass no gate, and all their tests run; so do those of a
 * suite, since nobody knows whether they ran in this one before.
 */
final class JUnitChoice {
    private static final String RUNNERS = "org.junit.runners.";
    private static final String DESCRIPTION = "org.junit.runner.Description";

    private static final PublicMethod TEST_CLASS =
            new PublicMethod(RUNNERS + "ParentRunner", "getTestClass");
    private static final PublicMethod JAVA_CLASS =
            new PublicMethod(RUNNERS + "model.TestClass", "getJavaClass");
    private static final PublicMethod METHOD_NAME =
            new PublicMethod(RUNNERS + "model.FrameworkMethod", "getName");
    private static final PublicMethod DESCRIBED =
            new PublicMethod("org.junit.runner.Runner", "getDescription");
    private static final PublicMethod DISPLAY_NAME =
            new PublicMethod(DESCRIPTION, "getDisplayName");
    private static final PublicMethod CHILDREN = new PublicMethod(DESCRIPTION, "getChildren");

    /** Outermost classes that a suite has run, from its beginning on. */
    private static final Set<String> IN_SUITES = ConcurrentHashMap.newKeySet();

    private JUnitChoice() {}

    static boolean leavesOut(int gate, Object runner, Object first) throws Throwable {
        // The platform has chosen already, and what a test runs itself is its own business.
        if (PlatformEvents.inUse || RunningTests.onThisThread()) {
            return false;
        }
        Counsel counsel = Counsel.ofThisJvm();
        if (counsel.isEmpty()) {
            return false;
        }
        String name = gate == Hooks.JUNIT3_CLASS ? oldTestClass(runner) : testClass(runner);
        if (name == null) {
            return false;
        }
        if (IN_SUITES.contains(TestCase.outermost(name)) && !counsel.isUnwanted(name)) {
            return false;
        }
        if (gate == Hooks.JUNIT_METHOD) {
            TestCase test = JUnitTest.of(name, METHOD_NAME.text(first));
            return counsel.leavesOutMethod(test.methodName());
        }
        if (counsel.leaveOutClass(name)) {
            return true;
        }
        noteOthers(TestCase.outermost(name), DESCRIBED.call(runner));
        return false;
    }

    /** Null for a suite that stands for no class. */
    private static String testClass(Object runner) throws Throwable {
        Class<?> type = (Class<?>) JAVA_CLASS.call(TEST_CLASS.call(runner));
        return type == null ? null : type.getName();
    }

    /** Null for what a static method {@code suite} has put together. */
    private static String oldTestClass(Object runner) throws Throwable {
        boolean isPlain = runner.getClass().getName().endsWith(".JUnit38ClassRunner");
        return isPlain ? DISPLAY_NAME.text(DESCRIBED.call(runner)) : null;
    }

    /** Remembers the classes of all tests below a description but the class itself. */
    private static void noteOthers(String own, Object description) throws Throwable {
        List<?> children = (List<?>) CHILDREN.call(description);
        for (Object child : children) {
            noteOthers(own, child);
        }
        if (children.isEmpty()) {
            TestCase test = JUnitTest.parse(DISPLAY_NAME.text(description));
            String unit = TestCase.outermost(test.className);
            if (!unit.equals(own)) {
                IN_SUITES.add(unit);
            }
        }
    }
}
