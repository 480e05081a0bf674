package jury.boot;

import java.lang.reflect.Array;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.function.Predicate;

/**
 * Leaves tests out of what the JUnit Platform has discovered, whichever build tool asks for it: a
 * post-discovery filter is added to each request of the build.
 */
final class PlatformFilter implements InvocationHandler {
    private static final String ENGINE = "org.junit.platform.engine.";

    private final Class<?> filterResult;
    private final Counsel counsel;

    private PlatformFilter(Class<?> filterResult, Counsel counsel) {
        this.filterResult = filterResult;
        this.counsel = counsel;
    }

    /** A {@code LauncherDiscoveryRequestBuilder} is about to build. */
    static void addTo(Object builder) throws Throwable {
        // What a test launches itself is its own business.
        if (RunningTests.onThisThread()) {
            return;
        }
        Counsel counsel = Counsel.ofThisJvm();
        if (counsel.isEmpty()) {
            return;
        }
        ClassLoader loader = builder.getClass().getClassLoader();
        Class<?> filter = Class.forName(ENGINE + "Filter", false, loader);
        Class<?> postDiscovery =
                Class.forName("org.junit.platform.launcher.PostDiscoveryFilter", false, loader);
        Class<?> result = Class.forName(ENGINE + "FilterResult", false, loader);
        Object filters = Array.newInstance(filter, 1);
        InvocationHandler handler = new PlatformFilter(result, counsel);
        Array.set(filters, 0, Proxy.newProxyInstance(loader, new Class<?>[] {postDiscovery}, handler));
        builder.getClass().getMethod("filters", filters.getClass()).invoke(builder, filters);
    }

    @Override
    public Object invoke(Object proxy, Method method, Object[] arguments) throws Throwable {
        switch (method.getName()) {
            case "apply":
                boolean left = leavesOut(arguments[0]);
                return filterResult
                        .getMethod(left ? "excluded" : "included", String.class)
                        .invoke(null, left ? "not affected by any change" : "may be affected");
            case "toPredicate":
                return (Predicate<Object>) descriptor -> !leavesOut(descriptor);
            case "equals":
                return proxy == arguments[0];
            case "hashCode":
                return System.identityHashCode(proxy);
            default:
                return "tests that no change affects";
        }
    }

    /** False for whatever cannot be understood: it runs. */
    private boolean leavesOut(Object descriptor) {
        try {
            TestCase test = PlatformTest.describe(descriptor);
            if (!counsel.isUnwanted(test.className)) {
                for (String suite : PlatformTest.suitesAround(test)) {
                    if (!counsel.knowsIn(suite, test.className)) {
                        return false;
                    }
                }
            }
            return counsel.leaveOutClass(test.className)
                    || counsel.leavesOutMethod(test.methodName());
        } catch (Throwable thrown) {
            Troubles.report("filter", thrown);
            return false;
        }
    }
}
