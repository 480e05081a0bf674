package jury.boot;

import java.lang.reflect.Method;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Events of TestNG without the platform, taken where it calls its test listeners: once at the start
 * of an invocation and once at its end, told apart by the result's status.
 */
final class TestNgEvents {
    static final String ENGINE = "testng-direct";

    private static final int SUCCESS = 1;
    private static final int FAILURE = 2;
    private static final int SKIP = 3;
    private static final int SUCCESS_WITHIN_PERCENTAGE = 4;

    private static final String RESULT = "org.testng.ITestResult";
    private static final String METHOD = "org.testng.ITestNGMethod";
    private static final PublicMethod STATUS = new PublicMethod(RESULT, "getStatus");
    private static final PublicMethod THROWABLE = new PublicMethod(RESULT, "getThrowable");
    private static final PublicMethod PARAMETERS = new PublicMethod(RESULT, "getParameters");
    private static final PublicMethod WAS_RETRIED = new PublicMethod(RESULT, "wasRetried");
    private static final PublicMethod TEST_CLASS = new PublicMethod(RESULT, "getTestClass");
    private static final PublicMethod TEST_METHOD = new PublicMethod(RESULT, "getMethod");
    private static final PublicMethod CLASS_NAME = new PublicMethod("org.testng.IClass", "getName");
    private static final PublicMethod METHOD_NAME = new PublicMethod(METHOD, "getMethodName");
    private static final PublicMethod EXECUTABLE =
            new PublicMethod(METHOD, "getConstructorOrMethod");
    private static final PublicMethod JAVA_METHOD =
            new PublicMethod("org.testng.internal.ConstructorOrMethod", "getMethod");

    /** Ids of results between start and end: the id holds a number that is counted only once. */
    private static final Map<Object, String> IDS =
            Collections.synchronizedMap(new IdentityHashMap<Object, String>());

    private static final Set<Object> REPORTED_CONFIGURATIONS =
            Collections.synchronizedSet(
                    Collections.newSetFromMap(new WeakHashMap<Object, Boolean>()));

    private TestNgEvents() {}

    static void reported(Object result) throws Throwable {
        Object method = TEST_METHOD.call(result);
        // TestNG can run JUnit tests; their own framework has reported them.
        if (method.getClass().getName().startsWith("org.testng.junit.")) {
            return;
        }
        int status = (Integer) STATUS.call(result);
        switch (status) {
            case SUCCESS:
            case SUCCESS_WITHIN_PERCENTAGE:
                ended(result, method, Outcome.PASSED);
                break;
            case FAILURE:
                ended(result, method, Outcome.FAILED);
                break;
            case SKIP:
                skipped(result, method);
                break;
            default:
                started(result, method);
        }
    }

    /** A configuration method such as {@code @BeforeClass} is about to be reported. */
    static void configured(Object result) throws Throwable {
        boolean failed = (Integer) STATUS.call(result) == FAILURE;
        if (!failed || RunningTests.onThisThread() || !REPORTED_CONFIGURATIONS.add(result)) {
            return;
        }
        Object method = TEST_METHOD.call(result);
        String className = classNameOf(result);
        String id = ENGINE + ":" + className + "#" + METHOD_NAME.text(method);
        Failure failure = Failure.of((Throwable) THROWABLE.call(result));
        Channel.emit(Records.containerFailed(id, className, failure));
    }

    private static void started(Object result, Object method) throws Throwable {
        if (!IDS.containsKey(result) && !RunningTests.onThisThread()) {
            TestCase test = describe(result, method);
            IDS.put(result, test.id);
            RunningTests.start(test);
        }
    }

    private static void ended(Object result, Object method, Outcome outcome) throws Throwable {
        started(result, method);
        String id = IDS.remove(result);
        if (id == null) {
            return;
        }
        if (outcome != Outcome.PASSED) {
            RunningTests.note(id, outcome, (Throwable) THROWABLE.call(result));
        }
        RunningTests.finish(id);
    }

    /** A test that began and then threw SkipException was aborted; others were never tried. */
    private static void skipped(Object result, Object method) throws Throwable {
        if (WAS_RETRIED.exists(result) && (Boolean) WAS_RETRIED.call(result)) {
            Invocations.repeat(baseId(result, method));
        }
        Throwable thrown = (Throwable) THROWABLE.call(result);
        if (IDS.containsKey(result)) {
            boolean byItself =
                    thrown != null && thrown.getClass().getName().equals("org.testng.SkipException");
            ended(result, method, byItself ? Outcome.ABORTED : Outcome.SKIPPED);
        } else if (!RunningTests.onThisThread()) {
            String reason = thrown == null ? "" : Failure.of(thrown).message;
            Channel.emit(Records.testSkipped(describe(result, method), reason));
        }
    }

    private static TestCase describe(Object result, Object method) throws Throwable {
        Method javaMethod = (Method) JAVA_METHOD.call(EXECUTABLE.call(method));
        String base = baseId(result, method);
        int number = Invocations.next(base);
        Object[] parameters = (Object[]) PARAMETERS.call(result);
        boolean hasRow = parameters != null && parameters.length > 0;
        String invocation = hasRow || number > 1 ? "[" + number + "]" : "";
        String types = Variants.simpleNames(typeNames(javaMethod));
        String name = METHOD_NAME.text(method);
        return new TestCase(
                base + invocation,
                ENGINE,
                classNameOf(result),
                name,
                types + invocation,
                name + types + invocation);
    }

    /** The id without the invocation's number. */
    private static String baseId(Object result, Object method) throws Throwable {
        Method javaMethod = (Method) JAVA_METHOD.call(EXECUTABLE.call(method));
        return ENGINE
                + ":"
                + classNameOf(result)
                + "#"
                + METHOD_NAME.text(method)
                + "("
                + typeNames(javaMethod)
                + ")";
    }

    private static String classNameOf(Object result) throws Throwable {
        return CLASS_NAME.text(TEST_CLASS.call(result));
    }

    private static String typeNames(Method method) {
        StringBuilder names = new StringBuilder();
        for (Class<?> type : method.getParameterTypes()) {
            names.append(names.length() == 0 ? "" : ",").append(type.getName());
        }
        return names.toString();
    }
}
