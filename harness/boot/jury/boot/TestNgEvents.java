package jury.boot;

import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Events of TestNG without the platform, taken where it calls its test listeners. Start and end are
 * told apart by the result's status; some releases call for several groups of listeners, so the
 * same news arrives more than once.
 */
final class TestNgEvents {
    private static final int SUCCESS = 1;
    private static final int FAILURE = 2;
    private static final int SKIP = 3;
    private static final int SUCCESS_WITHIN_PERCENTAGE = 4;

    private static final String RESULT = "org.testng.ITestResult";
    private static final PublicMethod STATUS = new PublicMethod(RESULT, "getStatus");
    private static final PublicMethod THROWABLE = new PublicMethod(RESULT, "getThrowable");
    private static final PublicMethod WAS_RETRIED = new PublicMethod(RESULT, "wasRetried");

    /** The id under which a result is running; {@link #ENDED} when it has been reported. */
    private static final Map<Object, String> IDS =
            Collections.synchronizedMap(new WeakHashMap<Object, String>());

    private static final String ENDED = "";

    private TestNgEvents() {}

    static void reported(Object result) throws Throwable {
        if (TestNgTest.isForeign(result) || ENDED.equals(IDS.get(result))) {
            return;
        }
        switch ((Integer) STATUS.call(result)) {
            case SUCCESS:
            case SUCCESS_WITHIN_PERCENTAGE:
                ended(result, Outcome.PASSED);
                break;
            case FAILURE:
                ended(result, Outcome.FAILED);
                break;
            case SKIP:
                skipped(result);
                break;
            default:
                started(result);
        }
    }

    /** A configuration method such as {@code @BeforeClass} has ended. */
    static void configured(Object result) throws Throwable {
        boolean failed = (Integer) STATUS.call(result) == FAILURE;
        if (!failed || RunningTests.onThisThread() || IDS.put(result, ENDED) != null) {
            return;
        }
        TestNgTest method = new TestNgTest(result);
        String id = TestNgTest.ENGINE + ":" + method.className + "#" + method.method;
        Channel.emit(Records.containerFailed(id, method.className, Failure.of(thrownBy(result))));
    }

    private static void started(Object result) throws Throwable {
        if (!IDS.containsKey(result) && !RunningTests.onThisThread()) {
            TestCase test = new TestNgTest(result).begin();
            IDS.put(result, test.id);
            RunningTests.start(test);
        }
    }

    private static void ended(Object result, Outcome outcome) throws Throwable {
        started(result);
        String id = IDS.put(result, ENDED);
        if (id == null) {
            return;
        }
        if (outcome != Outcome.PASSED) {
            RunningTests.note(id, outcome, thrownBy(result));
        }
        RunningTests.finish(id);
    }

    /**
     * A test that began and then threw SkipException was aborted. One that began and is tried again
     * keeps its number. Others were never tried.
     */
    private static void skipped(Object result) throws Throwable {
        Throwable thrown = thrownBy(result);
        if (!IDS.containsKey(result)) {
            if (!RunningTests.onThisThread()) {
                IDS.put(result, ENDED);
                TestCase test = new TestNgTest(result).begin();
                Channel.emit(Records.testSkipped(test, Failure.of(thrown).message));
            }
            return;
        }
        boolean byItself =
                thrown != null && thrown.getClass().getName().equals("org.testng.SkipException");
        // Old releases do not tell a retry, but only a retry gives a skipped test a failure.
        boolean retried =
                WAS_RETRIED.exists(result)
                        ? (Boolean) WAS_RETRIED.call(result)
                        : thrown != null && !byItself;
        if (retried) {
            new TestNgTest(result).repeat();
        }
        ended(result, byItself ? Outcome.ABORTED : Outcome.SKIPPED);
    }

    private static Throwable thrownBy(Object result) throws Throwable {
        return (Throwable) THROWABLE.call(result);
    }
}
