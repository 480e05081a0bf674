package jury.boot;

import java.lang.reflect.Method;

/**
 * A test of TestNG run without the platform, read from an {@code ITestResult}. Its id is {@code
 * testng-direct:class#method(types)}, then {@code [n]} for a row or repetition and {@code @n} for
 * any but the first instance of a factory.
 */
final class TestNgTest {
    static final String ENGINE = "testng-direct";

    private static final String RESULT = "org.testng.ITestResult";
    private static final String METHOD = "org.testng.ITestNGMethod";
    private static final PublicMethod PARAMETERS = new PublicMethod(RESULT, "getParameters");
    private static final PublicMethod INSTANCE = new PublicMethod(RESULT, "getInstance");
    private static final PublicMethod TEST_CLASS = new PublicMethod(RESULT, "getTestClass");
    private static final PublicMethod TEST_METHOD = new PublicMethod(RESULT, "getMethod");
    private static final PublicMethod CLASS_NAME = new PublicMethod("org.testng.IClass", "getName");
    private static final PublicMethod METHOD_NAME = new PublicMethod(METHOD, "getMethodName");
    private static final PublicMethod EXECUTABLE =
            new PublicMethod(METHOD, "getConstructorOrMethod");
    private static final PublicMethod JAVA_METHOD =
            new PublicMethod("org.testng.internal.ConstructorOrMethod", "getMethod");

    private final Object result;
    private final String types;
    private final int instance;
    final String className;
    final String method;

    TestNgTest(Object result) throws Throwable {
        Object testMethod = TEST_METHOD.call(result);
        this.result = result;
        this.className = CLASS_NAME.text(TEST_CLASS.call(result));
        this.method = METHOD_NAME.text(testMethod);
        this.types = typesOf((Method) JAVA_METHOD.call(EXECUTABLE.call(testMethod)));
        this.instance = Invocations.instance(className, INSTANCE.call(result));
    }

    /** True for a JUnit test that TestNG runs; its own framework reports it. */
    static boolean isForeign(Object result) throws Throwable {
        return TEST_METHOD.call(result).getClass().getName().startsWith("org.testng.junit.");
    }

    /** Describes the next invocation; each call counts one further. */
    TestCase begin() throws Throwable {
        int number = Invocations.next(signature(), instance);
        Object[] parameters = (Object[]) PARAMETERS.call(result);
        boolean hasRow = parameters != null && parameters.length > 0;
        String which = hasRow || number > 1 ? "[" + number + "]" : "";
        if (instance > 1) {
            which += "@" + instance;
        }
        String variant = Variants.simpleNames(types) + which;
        return new TestCase(
                signature() + which, ENGINE, className, method, variant, method + variant);
    }

    void repeat() {
        Invocations.repeat(signature(), instance);
    }

    private String signature() {
        return ENGINE + ":" + className + "#" + method + "(" + types + ")";
    }

    private static String typesOf(Method method) {
        StringBuilder names = new StringBuilder();
        for (Class<?> type : method.getParameterTypes()) {
            names.append(names.length() == 0 ? "" : ",").append(type.getName());
        }
        return names.toString();
    }
}
