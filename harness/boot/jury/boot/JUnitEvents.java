package jury.boot;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Events of JUnit 4 without the platform, taken at its notifier. A JUnit 3 test that JUnit 4 runs,
 * or the reverse, is reported by both under one id: the first start counts, the second is inside
 * it, and failures of either find the same running test.
 */
final class JUnitEvents {
    private static final String DESCRIPTION = "org.junit.runner.Description";
    private static final String FAILURE = "org.junit.runner.notification.Failure";

    private static final PublicMethod DISPLAY_NAME =
            new PublicMethod(DESCRIPTION, "getDisplayName");
    private static final PublicMethod CHILDREN = new PublicMethod(DESCRIPTION, "getChildren");
    private static final PublicMethod FAILED = new PublicMethod(FAILURE, "getDescription");
    private static final PublicMethod THROWN = new PublicMethod(FAILURE, "getException");

    private JUnitEvents() {}

    static void started(Object description) throws Throwable {
        RunningTests.startOutermost(describe(description));
    }

    static void finished(Object description) throws Throwable {
        RunningTests.finish(describe(description).id);
    }

    static void failed(Object failure) throws Throwable {
        Object description = FAILED.call(failure);
        Throwable thrown = (Throwable) THROWN.call(failure);
        TestCase test = describe(description);
        if (RunningTests.contains(test.id)) {
            RunningTests.note(test.id, Outcome.FAILED, thrown);
        } else if (RunningTests.onThisThread()) {
            return; // The failure of a run inside a test is that test's business.
        } else if (test.method.isEmpty()) {
            String className = describe(leavesOf(description).get(0)).className;
            Channel.emit(Records.containerFailed(test.id, className, Failure.of(thrown)));
        } else {
            RunningTests.start(test);
            RunningTests.note(test.id, Outcome.FAILED, thrown);
            RunningTests.finish(test.id);
        }
    }

    static void assumptionFailed(Object failure) throws Throwable {
        Object description = FAILED.call(failure);
        Throwable thrown = (Throwable) THROWN.call(failure);
        TestCase test = describe(description);
        if (RunningTests.contains(test.id)) {
            RunningTests.note(test.id, Outcome.ABORTED, thrown);
        } else {
            skipAll(description, Failure.of(thrown).message);
        }
    }

    static void ignored(Object description) throws Throwable {
        skipAll(description, "");
    }

    private static void skipAll(Object description, String reason) throws Throwable {
        if (RunningTests.onThisThread()) {
            return;
        }
        for (Object leaf : leavesOf(description)) {
            Channel.emit(Records.testSkipped(describe(leaf), reason));
        }
    }

    private static TestCase describe(Object description) throws Throwable {
        return JUnitTest.parse(DISPLAY_NAME.text(description));
    }

    /** The tests of a description; itself if it has no children. Never empty. */
    private static List<Object> leavesOf(Object description) throws Throwable {
        List<?> children = (List<?>) CHILDREN.call(description);
        if (children.isEmpty()) {
            return Collections.singletonList(description);
        }
        List<Object> leaves = new ArrayList<>();
        for (Object child : children) {
            leaves.addAll(leavesOf(child));
        }
        return leaves;
    }
}
