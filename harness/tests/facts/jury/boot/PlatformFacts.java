package jury.boot;

import org.junit.platform.engine.TestExecutionResult;

/** What the hooks of the JUnit Platform report. */
final class PlatformFacts {
    private static final Object LISTENER = new Object();

    private PlatformFacts() {}

    static void variants() {
        Node engine = Node.engine();
        start(LISTENER, engine);
        Node testClass = engine.testClass("a.BTest$Inner");
        String types = "int, [Ljava.lang.String;, [[J";
        Node template = testClass.template("a.BTest$Inner", "adds", types);
        Node row = template.invocation(2);
        start(LISTENER, row);
        finish(LISTENER, row, "SUCCESSFUL");
        Node deep = template.invocation(1).invocation(3);
        start(LISTENER, deep);
        finish(LISTENER, deep, "ABORTED");
    }

    static void skippedContainers() {
        Node testClass = Node.engine().testClass("a.BTest");
        testClass.test("a.BTest", "adds");
        testClass.test("a.BTest", "takes");
        skip(testClass);
        skip(Node.engine().testClass("a.BTest").template("a.BTest", "each", "int"));
    }

    static void failedAndAbortedContainers() {
        Node failed = Node.engine().testClass("a.FailedTest");
        failed.test("a.FailedTest", "never");
        start(LISTENER, failed);
        finish(LISTENER, failed, "FAILED");

        Node aborted = Node.engine().testClass("a.AbortedTest");
        aborted.test("a.AbortedTest", "never");
        start(LISTENER, aborted);
        finish(LISTENER, aborted, "ABORTED");

        Node late = Node.engine().testClass("a.LateTest");
        Node test = late.test("a.LateTest", "ran");
        start(LISTENER, late);
        start(LISTENER, test);
        finish(LISTENER, test, "SUCCESSFUL");
        finish(LISTENER, late, "ABORTED");
    }

    /** A parallel engine inside a test begins on a thread of its own. */
    static void launchInsideATest() throws InterruptedException {
        Node test = Node.engine().testClass("a.BTest").test("a.BTest", "launches");
        start(LISTENER, test);
        Hooks.entered(Hooks.PARAMETER_ADDED, null, "inner", "1");
        Hooks.entered(Hooks.LAUNCHER_EXECUTE, null, null, null);
        Object nested = new Object();
        Node engine = Node.engine();
        Node guinea = engine.testClass("a.Guinea").test("a.Guinea", "squeaks");
        Thread thread =
                new Thread(
                        () -> {
                            start(nested, engine);
                            start(nested, guinea);
                            finish(nested, guinea, "FAILED");
                        });
        thread.start();
        thread.join();
        finish(LISTENER, test, "SUCCESSFUL");
        // What a pooled thread of the nested launch still says is ignored after the test, too.
        finish(nested, engine, "FAILED");
    }

    /** A pool may start a test on a thread whose own test waits for others. */
    static void testOnAWaitingThread() {
        Node testClass = Node.engine().testClass("a.BTest");
        Node waits = testClass.test("a.BTest", "waits");
        Node other = testClass.test("a.BTest", "other");
        start(LISTENER, waits);
        start(LISTENER, other);
        finish(LISTENER, other, "FAILED");
        finish(LISTENER, waits, "SUCCESSFUL");
    }

    static void platformOverJUnit4() {
        Hooks.entered(Hooks.LAUNCHER_CREATED, null, null, null);
        Hooks.entered(
                Hooks.JUNIT_IGNORED, null, new org.junit.runner.Description("adds(a.BTest)"), null);
    }

    static void parameters() {
        Hooks.entered(Hooks.PARAMETER_ADDED, null, "a", "1");
        Hooks.entered(Hooks.PARAMETER_ADDED, null, "b", "2");
        Hooks.entered(Hooks.LAUNCHER_DISCOVER, null, null, null);
        Hooks.entered(Hooks.LAUNCHER_EXECUTE, null, null, null);
    }

    private static void start(Object listener, Node node) {
        Hooks.entered(Hooks.PLATFORM_STARTED, listener, node, null);
    }

    private static void skip(Node node) {
        Hooks.entered(Hooks.PLATFORM_SKIPPED, LISTENER, node, "because");
    }

    private static void finish(Object listener, Node node, String status) {
        Hooks.entered(Hooks.PLATFORM_FINISHED, listener, node, new TestExecutionResult(status));
    }
}
