package jury.boot;

import junit.framework.TestCase;
import org.junit.runner.Description;
import org.junit.runner.notification.Failure;

/** What the hooks of JUnit 3 and 4 report without the platform. */
final class JUnitFacts {
    private static final Description ADDS = new Description("adds(a.BTest)");
    private static final Description INNER = new Description("inner(a.Guinea)");
    private static final Throwable THROWN = new AssertionError("no");

    private JUnitFacts() {}

    /** A JUnit 3 test inside JUnit 4 is announced by both. */
    static void oldTestInNewRunner() {
        TestCase test = new SumTest("testAdds");
        Description description = new Description("testAdds(" + SumTest.class.getName() + ")");
        enter(Hooks.JUNIT3_STARTED, test);
        enter(Hooks.JUNIT_STARTED, description);
        Hooks.entered(Hooks.JUNIT3_FAILURE, null, test, THROWN);
        enter(Hooks.JUNIT_FAILURE, new Failure(description, THROWN));
        enter(Hooks.JUNIT3_ENDED, test);
        enter(Hooks.JUNIT_FINISHED, description);
    }

    static void runInsideATest() {
        enter(Hooks.JUNIT_STARTED, ADDS);
        enter(Hooks.JUNIT_STARTED, INNER);
        enter(Hooks.JUNIT_FAILURE, new Failure(INNER, THROWN));
        enter(Hooks.JUNIT_FINISHED, INNER);
        enter(Hooks.JUNIT_IGNORED, new Description("off(a.Guinea)"));
        enter(Hooks.JUNIT_FAILURE, new Failure(new Description("a.Guinea", INNER), THROWN));
        enter(Hooks.JUNIT_FINISHED, ADDS);
    }

    static void earlyEnd() {
        for (boolean untilRed : new boolean[] {false, true}) {
            EarlyEnd.begin(untilRed);
            enter(Hooks.JUNIT_STARTED, ADDS);
            enter(Hooks.JUNIT_FAILURE, new Failure(ADDS, THROWN));
            enter(Hooks.JUNIT_FINISHED, ADDS);
            boolean admitted = Hooks.admits(Hooks.PLATFORM_NODE, null, null);
            System.out.println("admitted " + admitted);
        }
    }

    static void classFailure() {
        Description suite = new Description("a.BTest", ADDS);
        enter(Hooks.JUNIT_FAILURE, new Failure(suite, THROWN));
        enter(Hooks.JUNIT_FAILURE, new Failure(new Description("[0]", suite), THROWN));
    }

    static void classAssumption() {
        Description rows = new Description("[0]", new Description("adds[0: (x)](a.BTest)"));
        Description suite = new Description("a.BTest", ADDS, rows);
        enter(Hooks.JUNIT_ASSUMPTION_FAILED, new Failure(suite, THROWN));
        enter(Hooks.JUNIT_IGNORED, new Description("a.IgnoredTest"));
    }

    static void failureAfterAssumption() {
        enter(Hooks.JUNIT_STARTED, ADDS);
        enter(Hooks.JUNIT_ASSUMPTION_FAILED, new Failure(ADDS, THROWN));
        enter(Hooks.JUNIT_FAILURE, new Failure(ADDS, THROWN));
        enter(Hooks.JUNIT_FINISHED, ADDS);
    }

    /** Arguments that no framework passes. */
    static void nonsense() {
        enter(Hooks.JUNIT_STARTED, "not a description");
        enter(Hooks.JUNIT_STARTED, "not a description either");
        enter(Hooks.JUNIT_FINISHED, null);
        enter(Hooks.JUNIT_STARTED, ADDS);
        enter(Hooks.JUNIT_FINISHED, ADDS);
    }

    private static void enter(int hook, Object argument) {
        Hooks.entered(hook, null, argument, null);
    }

    static final class SumTest extends TestCase {
        SumTest(String name) {
            super(name);
        }
    }
}
