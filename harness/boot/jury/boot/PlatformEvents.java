package jury.boot;

import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Events of the JUnit Platform, whichever engine runs beneath it.
 *
 * <p>A launch that a test starts itself is none of the build's. It is known by its listener: one
 * whose engine begins while a test is inside a call of the launcher. Threads would not do, since a
 * parallel engine begins on threads of its own, and may start an ordinary test on a thread whose
 * current test waits in the same pool.
 */
final class PlatformEvents {
    /** True once the build, and not a test, has used the platform in this JVM. */
    static volatile boolean inUse;

    private static final Set<Object> NESTED_LISTENERS =
            Collections.synchronizedSet(
                    Collections.newSetFromMap(new WeakHashMap<Object, Boolean>()));

    /** Containers beneath which something has begun; only while they run. */
    private static final Set<Object> BEGUN = ConcurrentHashMap.newKeySet();

    private static final String RESULT = "org.junit.platform.engine.TestExecutionResult";
    private static final PublicMethod STATUS = new PublicMethod(RESULT, "getStatus");
    private static final PublicMethod THROWABLE = new PublicMethod(RESULT, "getThrowable");

    private PlatformEvents() {}

    static void launcherCreated() {
        if (!inUse && !RunningTests.onThisThread()) {
            inUse = true;
        }
    }

    static void parameterAdded(Object key, Object value) {
        if (!RunningTests.onThisThread()) {
            LauncherParameters.add(key, value);
        }
    }

    static void requested() {
        if (!RunningTests.noteLaunch()) {
            LauncherParameters.reportOnce();
        }
    }

    static void started(Object listener, Object descriptor) throws Throwable {
        Object parent = PlatformTest.parentOf(descriptor);
        if (parent == null && RunningTests.anyLaunches()) {
            NESTED_LISTENERS.add(listener);
        }
        if (isNested(listener)) {
            return;
        }
        inUse = true;
        if (parent != null) {
            BEGUN.add(parent);
        }
        if (PlatformTest.isTest(descriptor)) {
            RunningTests.start(PlatformTest.describe(descriptor));
        } else if (Collector.isCollecting()) {
            String className = PlatformTest.classOf(descriptor);
            if (className != null) {
                Collector.classStarted(className, PlatformTest.UNIQUE_ID.text(descriptor));
            }
        }
    }

    static void skipped(Object listener, Object descriptor, Object reason) throws Throwable {
        if (!isNested(listener)) {
            skipAll(descriptor, reason == null ? "" : reason.toString());
        }
    }

    static void finished(Object listener, Object descriptor, Object result) throws Throwable {
        if (isNested(listener)) {
            return;
        }
        Outcome outcome = outcomeOf(result);
        Throwable thrown = (Throwable) ((Optional<?>) THROWABLE.call(result)).orElse(null);
        boolean begun = BEGUN.remove(descriptor);
        if (Collector.isCollecting()) {
            String className = PlatformTest.classOf(descriptor);
            if (className != null) {
                Collector.classFinished(className, PlatformTest.UNIQUE_ID.text(descriptor));
            }
        }
        if (PlatformTest.isTest(descriptor)) {
            String id = PlatformTest.UNIQUE_ID.text(descriptor);
            RunningTests.note(id, outcome, thrown);
            RunningTests.finish(id);
        } else if (outcome == Outcome.FAILED) {
            TestCase container = PlatformTest.describe(descriptor);
            Channel.emit(
                    Records.containerFailed(
                            container.id, container.className, Failure.of(thrown)));
        } else if (outcome == Outcome.ABORTED && !begun) {
            skipAll(descriptor, Failure.of(thrown).message);
        }
    }

    /** Reports every test beneath a descriptor, or itself if nothing is known beneath it. */
    private static void skipAll(Object descriptor, String reason) throws Throwable {
        boolean any = false;
        if (!PlatformTest.isTest(descriptor)) {
            for (Object descendant : (Set<?>) PlatformTest.DESCENDANTS.call(descriptor)) {
                if (PlatformTest.isTest(descendant)) {
                    any = true;
                    skip(descendant, reason);
                }
            }
        }
        if (!any) {
            skip(descriptor, reason);
        }
    }

    private static void skip(Object descriptor, String reason) throws Throwable {
        Channel.emit(Records.testSkipped(PlatformTest.describe(descriptor), reason));
    }

    private static boolean isNested(Object listener) {
        return !NESTED_LISTENERS.isEmpty() && NESTED_LISTENERS.contains(listener);
    }

    private static Outcome outcomeOf(Object result) throws Throwable {
        switch (STATUS.text(result)) {
            case "SUCCESSFUL":
                return Outcome.PASSED;
            case "ABORTED":
                return Outcome.ABORTED;
            default:
                return Outcome.FAILED;
        }
    }
}
