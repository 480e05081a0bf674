package jury.boot;

/**
 * Leaves out tests of JUnit 3 and 4 that run without the platform. Whoever runs them asks nobody, so
 * each class, method or test is called off when it is about to begin, before any of its fixtures.
 * Runners that work in other ways pass no gate, and all their tests run.
 */
final class JUnitChoice {
    private static final PublicMethod TEST_CLASS =
            new PublicMethod("org.junit.runners.ParentRunner", "getTestClass");
    private static final PublicMethod JAVA_CLASS =
            new PublicMethod("org.junit.runners.model.TestClass", "getJavaClass");
    private static final PublicMethod METHOD_NAME =
            new PublicMethod("org.junit.runners.model.FrameworkMethod", "getName");
    private static final PublicMethod TEST_NAME =
            new PublicMethod("junit.framework.TestCase", "getName");

    private JUnitChoice() {}

    static boolean leavesOut(int gate, Object receiver, Object first) throws Throwable {
        // The platform has chosen already, and what a test runs itself is its own business.
        if (PlatformEvents.inUse || RunningTests.onThisThread()) {
            return false;
        }
        Counsel counsel = Counsel.ofThisJvm();
        if (counsel.isEmpty()) {
            return false;
        }
        switch (gate) {
            case Hooks.JUNIT_CLASS:
                String suite = testClass(receiver);
                return suite != null && counsel.leaveOutClass(suite);
            case Hooks.JUNIT_METHOD:
                String name = testClass(receiver);
                return name != null && leavesOut(counsel, name, METHOD_NAME.text(first));
            default:
                String own = receiver.getClass().getName();
                return counsel.leaveOutClass(own)
                        || leavesOut(counsel, own, TEST_NAME.text(receiver));
        }
    }

    private static boolean leavesOut(Counsel counsel, String className, String method) {
        return counsel.leavesOutMethod(JUnitTest.of(className, method).methodName());
    }

    /** Null for a suite that stands for no class. */
    private static String testClass(Object runner) throws Throwable {
        Class<?> type = (Class<?>) JAVA_CLASS.call(TEST_CLASS.call(runner));
        return type == null ? null : type.getName();
    }
}
