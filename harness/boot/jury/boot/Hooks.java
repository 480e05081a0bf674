package jury.boot;

import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Where rewritten framework methods call in. Nothing thrown here ever reaches the framework, and
 * nothing is printed: a test JVM must behave as if nobody watched.
 *
 * <p>The agent's table of hooks ({@code frameworks.rs}) lists the same numbers; a test compares
 * them with the constants below, whose comments name class and method in VM form.
 */
public final class Hooks {
    /** {@code org/junit/platform/launcher/core/DefaultLauncher <init>} */
    static final int LAUNCHER_CREATED = 1;

    /** {@code org/junit/platform/launcher/core/DefaultLauncher discover} */
    static final int LAUNCHER_DISCOVER = 2;

    /** {@code org/junit/platform/launcher/core/DefaultLauncher execute} */
    static final int LAUNCHER_EXECUTE = 3;

    /** {@code org/junit/platform/launcher/core/ExecutionListenerAdapter executionStarted} */
    static final int PLATFORM_STARTED = 4;

    /** {@code org/junit/platform/launcher/core/ExecutionListenerAdapter executionSkipped} */
    static final int PLATFORM_SKIPPED = 5;

    /** {@code org/junit/platform/launcher/core/ExecutionListenerAdapter executionFinished} */
    static final int PLATFORM_FINISHED = 6;

    /** {@code org/junit/platform/launcher/core/LauncherDiscoveryRequestBuilder configurationParameter} */
    static final int PARAMETER_ADDED = 7;

    /** {@code org/junit/runner/notification/RunNotifier <init>} */
    static final int NOTIFIER_CREATED = 10;

    /** {@code org/junit/runner/notification/RunNotifier fireTestStarted} */
    static final int JUNIT_STARTED = 11;

    /** {@code org/junit/runner/notification/RunNotifier fireTestFinished} */
    static final int JUNIT_FINISHED = 12;

    /** {@code org/junit/runner/notification/RunNotifier fireTestFailure} */
    static final int JUNIT_FAILURE = 13;

    /** {@code org/junit/runner/notification/RunNotifier fireTestAssumptionFailed} */
    static final int JUNIT_ASSUMPTION_FAILED = 14;

    /** {@code org/junit/runner/notification/RunNotifier fireTestIgnored} */
    static final int JUNIT_IGNORED = 15;

    /** {@code junit/framework/TestResult <init>} */
    static final int RESULT_CREATED = 20;

    /** {@code junit/framework/TestResult startTest} */
    static final int JUNIT3_STARTED = 21;

    /** {@code junit/framework/TestResult endTest} */
    static final int JUNIT3_ENDED = 22;

    /** {@code junit/framework/TestResult addError} */
    static final int JUNIT3_ERROR = 23;

    /** {@code junit/framework/TestResult addFailure} */
    static final int JUNIT3_FAILURE = 24;

    /** {@code org/testng/TestNG <init>} */
    static final int TESTNG_CREATED = 30;

    /** {@code org/testng/internal/TestListenerHelper runTestListeners} */
    static final int TESTNG_RESULT = 31;

    /** {@code org/testng/internal/Invoker runTestListeners} */
    static final int TESTNG_OLD_RESULT = 32;

    /** {@code org/testng/internal/TestListenerHelper runPostConfigurationListeners} */
    static final int TESTNG_CONFIGURATION = 33;

    /** {@code org/testng/internal/Invoker runConfigurationListeners} */
    static final int TESTNG_OLD_CONFIGURATION = 34;

    /** {@code org/junit/platform/launcher/core/LauncherDiscoveryRequestBuilder build} */
    static final int REQUEST_BUILT = 40;

    /** {@code org/testng/SuiteRunner <init>} */
    static final int TESTNG_SUITE = 41;

    /** {@code org/apache/maven/surefire/api/util/DefaultScanResult <init>} */
    static final int SUREFIRE_SCANNED = 42;

    /** {@code org/apache/maven/surefire/util/DefaultScanResult <init>} */
    static final int OLD_SUREFIRE_SCANNED = 43;

    /** {@code org/apache/maven/plugin/surefire/AbstractSurefireMojo execute} */
    static final int SUREFIRE_EXECUTES = 44;

    /** {@code org/apache/maven/plugin/failsafe/VerifyMojo execute} */
    static final int FAILSAFE_VERIFIES = 54;

    /** {@code org/apache/maven/plugin/surefire/AbstractSurefireMojo executeProvider} */
    static final int SUREFIRE_FORKS = 45;

    /** {@code org/apache/maven/plugin/surefire/AbstractSurefireMojo getEffectiveJvm} */
    static final int SUREFIRE_CHOOSES_JVM = 46;

    /** {@code org/apache/maven/plugin/surefire/AbstractSurefireMojo createForkConfiguration} */
    static final int SUREFIRE_CHOOSES_DIRECTORY = 47;

    /** {@code org/apache/maven/plugin/surefire/AbstractSurefireMojo getForkConfiguration} */
    static final int OLD_SUREFIRE_CHOOSES_DIRECTORY = 48;

    /** {@code org/apache/maven/plugin/surefire/AbstractSurefireMojo executeProvider} */
    static final int SUREFIRE_KEEPS = 49;

    /** {@code org/junit/runners/ParentRunner run} */
    static final int JUNIT_CLASS = 50;

    /** {@code org/junit/runners/BlockJUnit4ClassRunner runChild} */
    static final int JUNIT_METHOD = 51;

    /** {@code org/junit/internal/runners/JUnit38ClassRunner run} */
    static final int JUNIT3_CLASS = 52;

    /** {@code org/junit/platform/engine/support/hierarchical/NodeTestTask execute} */
    static final int PLATFORM_NODE = 53;

    private static final AtomicBoolean SETTLED = new AtomicBoolean();

    private Hooks() {}

    /** Called by the agent when the JVM has started, before any code of the build. */
    public static void begin() {
        try {
            SystemProperties.snapshot();
        } catch (Throwable thrown) {
            Troubles.report("begin", thrown);
        }
    }

    /**
     * A hooked method was entered.
     *
     * @param hook one of the numbers above
     * @param receiver null in static methods and constructors
     * @param first the first argument, null if it is a primitive or absent
     * @param second the second argument, likewise
     */
    public static void entered(int hook, Object receiver, Object first, Object second) {
        try {
            if (Touches.isTouch(hook)) {
                Touches.touched(hook, receiver, first, second);
                return;
            }
            if (hook >= REQUEST_BUILT) {
                choose(hook, receiver, first, second);
                return;
            }
            if (!SETTLED.get() && SETTLED.compareAndSet(false, true)) {
                Map<String, String> changes = SystemProperties.changes();
                Assertions.tell(Caller.nearest(), changes);
                Channel.emit(Records.properties(changes));
            }
            dispatch(hook, receiver, first, second);
        } catch (Throwable thrown) {
            Troubles.report("hook " + hook, thrown);
        }
    }

    /**
     * A gated method was entered. It returns at once if it is not admitted.
     *
     * @param gate one of the numbers above
     * @param first the first argument, null if it is a primitive or absent
     */
    public static boolean admits(int gate, Object receiver, Object first) {
        try {
            return !EarlyEnd.reached()
                    && (gate == PLATFORM_NODE || !JUnitChoice.leavesOut(gate, receiver, first));
        } catch (Throwable thrown) {
            Troubles.report("gate " + gate, thrown);
            return true;
        }
    }

    /** Starts counting afresh, because a worker runs many batches in one JVM. */
    static void beforeBatch(boolean onPlatform) {
        RunningTests.clear();
        Invocations.clear();
        PlatformEvents.inUse = onPlatform;
    }

    /** Tests are about to be chosen, here or in a JVM that this one will fork. */
    private static void choose(int hook, Object receiver, Object first, Object second)
            throws Throwable {
        switch (hook) {
            case REQUEST_BUILT:
                PlatformFilter.addTo(receiver);
                return;
            case TESTNG_SUITE:
                TestNgChoice.narrow(second);
                return;
            case SUREFIRE_EXECUTES:
                SurefireScan.executing(receiver);
                return;
            case FAILSAFE_VERIFIES:
                SurefireScan.verifying(receiver);
                return;
            case SUREFIRE_FORKS:
                SurefireFork.fork(receiver);
                return;
            case SUREFIRE_CHOOSES_JVM:
                SurefireFork.chooseJvm(receiver);
                return;
            case SUREFIRE_CHOOSES_DIRECTORY:
            case OLD_SUREFIRE_CHOOSES_DIRECTORY:
                SurefireFork.chooseDirectory(receiver);
                return;
            case SUREFIRE_KEEPS:
                SurefireFork.keep(receiver);
                return;
            default:
                SurefireScan.found(first);
        }
    }

    private static void dispatch(int hook, Object receiver, Object first, Object second)
            throws Throwable {
        switch (hook) {
            case LAUNCHER_CREATED:
                PlatformEvents.launcherCreated();
                return;
            case LAUNCHER_DISCOVER:
            case LAUNCHER_EXECUTE:
                PlatformEvents.requested();
                return;
            case PARAMETER_ADDED:
                PlatformEvents.parameterAdded(first, second);
                return;
            case PLATFORM_STARTED:
                PlatformEvents.started(receiver, first);
                return;
            case PLATFORM_SKIPPED:
                PlatformEvents.skipped(receiver, first, second);
                return;
            case PLATFORM_FINISHED:
                PlatformEvents.finished(receiver, first, second);
                return;
            default:
                // Platform engines run JUnit 3, JUnit 4 and TestNG beneath them; the platform's own
                // events tell the same story.
                if (!PlatformEvents.inUse) {
                    dispatchDirect(hook, receiver, first, second);
                }
        }
    }

    private static void dispatchDirect(int hook, Object receiver, Object first, Object second)
            throws Throwable {
        switch (hook) {
            case JUNIT_STARTED:
                JUnitEvents.started(first);
                return;
            case JUNIT_FINISHED:
                JUnitEvents.finished(first);
                return;
            case JUNIT_FAILURE:
                JUnitEvents.failed(first);
                return;
            case JUNIT_ASSUMPTION_FAILED:
                JUnitEvents.assumptionFailed(first);
                return;
            case JUNIT_IGNORED:
                JUnitEvents.ignored(first);
                return;
            case JUNIT3_STARTED:
                JUnit3Events.started(first);
                return;
            case JUNIT3_ENDED:
                JUnit3Events.ended(first);
                return;
            case JUNIT3_ERROR:
            case JUNIT3_FAILURE:
                JUnit3Events.failed(first, second);
                return;
            case TESTNG_OLD_RESULT:
                // An instance method of the same name only passes its argument on.
                if (receiver == null) {
                    TestNgEvents.reported(first);
                }
                return;
            case TESTNG_RESULT:
                TestNgEvents.reported(first);
                return;
            case TESTNG_CONFIGURATION:
            case TESTNG_OLD_CONFIGURATION:
                TestNgEvents.configured(first);
                return;
            default:
                // The constructors have said all they can: the JVM is settled.
        }
    }
}
