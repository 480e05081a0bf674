package jury.boot;

import java.lang.reflect.Method;
import org.testng.IClass;
import org.testng.ITestNGMethod;
import org.testng.ITestResult;
import org.testng.internal.ConstructorOrMethod;

/** What the hooks of TestNG report without the platform. */
final class TestNgFacts {
    private static final int SUCCESS = 1;
    private static final int FAILURE = 2;
    private static final int SKIP = 3;
    private static final int STARTED = 16;

    private TestNgFacts() {}

    static void rowsAndInstances() {
        Object first = new Object();
        Object second = new Object();
        for (Object instance : new Object[] {first, second}) {
            pass(new Result("plain", instance));
            pass(new Result("row", instance, 7));
            pass(new Result("row", instance, 8));
        }
    }

    static void repeatedNews() {
        Result result = new Result("plain", new Object());
        result.status = STARTED;
        report(result);
        report(result);
        result.status = FAILURE;
        report(result);
        report(result);
    }

    static void retry() {
        Object instance = new Object();
        Result first = new Result("plain", instance);
        first.status = STARTED;
        report(first);
        first.status = SKIP;
        first.retried = true;
        report(first);
        pass(new Result("plain", instance));
    }

    static void announcedRows() {
        String row = "testng-direct:" + Rows.class.getName() + "#row(int)";
        Invocations.announce(row, new int[] {2, 5});
        Object instance = new Object();
        pass(new Result("row", instance, 8));
        pass(new Result("row", instance, 11));
    }

    static void failedConfiguration() {
        Result result = new Result("plain", new Object());
        result.status = FAILURE;
        Hooks.entered(Hooks.TESTNG_OLD_CONFIGURATION, null, result, null);
        Hooks.entered(Hooks.TESTNG_CONFIGURATION, null, result, null);
    }

    private static void pass(Result result) {
        result.status = STARTED;
        report(result);
        result.status = SUCCESS;
        report(result);
    }

    private static void report(Result result) {
        Hooks.entered(Hooks.TESTNG_RESULT, null, result, null);
    }

    static final class Rows {
        public void plain() {}

        public void row(int number) {}
    }

    private static final class Result implements ITestResult {
        private final String method;
        private final Object instance;
        private final Object[] parameters;
        int status;
        boolean retried;

        Result(String method, Object instance, Object... parameters) {
            this.method = method;
            this.instance = instance;
            this.parameters = parameters;
        }

        @Override
        public int getStatus() {
            return status;
        }

        @Override
        public Throwable getThrowable() {
            return null;
        }

        @Override
        public Object[] getParameters() {
            return parameters;
        }

        @Override
        public boolean wasRetried() {
            return retried;
        }

        @Override
        public Object getInstance() {
            return instance;
        }

        @Override
        public IClass getTestClass() {
            return Rows.class::getName;
        }

        @Override
        public ITestNGMethod getMethod() {
            return new ITestNGMethod() {
                @Override
                public String getMethodName() {
                    return method;
                }

                @Override
                public ConstructorOrMethod getConstructorOrMethod() {
                    for (Method candidate : Rows.class.getMethods()) {
                        if (candidate.getName().equals(method)) {
                            return new ConstructorOrMethod(candidate);
                        }
                    }
                    throw new AssertionError(method);
                }
            };
        }
    }
}
