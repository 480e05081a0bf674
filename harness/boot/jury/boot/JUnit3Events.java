package jury.boot;

/** Events of JUnit 3, taken at {@code junit.framework.TestResult}. */
final class JUnit3Events {
    private static final PublicMethod NAME =
            new PublicMethod("junit.framework.TestCase", "getName");

    private JUnit3Events() {}

    static void started(Object test) throws Throwable {
        RunningTests.startOutermost(describe(test));
    }

    static void ended(Object test) throws Throwable {
        RunningTests.finish(describe(test).id);
    }

    static void failed(Object test, Object thrown) throws Throwable {
        TestCase failed = describe(test);
        if (RunningTests.contains(failed.id)) {
            RunningTests.note(failed.id, Outcome.FAILED, (Throwable) thrown);
        } else if (!RunningTests.onThisThread()) {
            // A decorator around tests, such as TestSetup, fails outside all of them.
            Channel.emit(
                    Records.containerFailed(
                            failed.id, failed.className, Failure.of((Throwable) thrown)));
        }
    }

    private static TestCase describe(Object test) throws Throwable {
        if (NAME.exists(test)) {
            Object name = NAME.call(test);
            return JUnitTest.of(test.getClass().getName(), name == null ? "" : name.toString());
        }
        // Wrappers around JUnit 4 tests print themselves as JUnit 4 describes them.
        return JUnitTest.parse(test.toString());
    }
}
