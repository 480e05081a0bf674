package jury.boot;

/**
 * Who is behind a call into the JDK. A security manager is the one thing, from Java 8 on, that sees
 * the classes on the stack without the cost of a stack trace; this one is never installed.
 */
@SuppressWarnings({"deprecation", "removal"})
final class Caller extends SecurityManager {
    private static final Caller STACK = new Caller();

    /** Parents of the loader of the program's classes: the JDK's own, null aside. */
    private static final ClassLoader PLATFORM = ClassLoader.getSystemClassLoader().getParent();

    private static final String[] LOADERS = {
        "jdk.internal.loader.",
        "java.lang.ClassLoader",
        "java.net.URLClassLoader",
        "sun.misc.URLClassPath",
        "jdk.internal.module.",
    };

    private static final String[] PROXIES = {"com.sun.proxy.", "jdk.proxy"};

    private Caller() {}

    /** The nearest class on the stack that is not the JDK's; null if there is none. */
    static Class<?> nearest() {
        for (Class<?> frame : STACK.getClassContext()) {
            if (!isJdk(frame)) {
                return frame;
            }
        }
        return null;
    }

    /** As {@link #nearest}, but null if a class loader is at work on its behalf. */
    static Class<?> nearestBesidesLoaders() {
        for (Class<?> frame : STACK.getClassContext()) {
            if (!isJdk(frame)) {
                return frame;
            }
            if (startsWithAny(frame.getName(), LOADERS)) {
                return null;
            }
        }
        return null;
    }

    /** The nearest class on the stack whose name begins with none of these; null if there is none. */
    static Class<?> nearestBeyond(String[] beginnings) {
        for (Class<?> frame : STACK.getClassContext()) {
            if (!startsWithAny(frame.getName(), beginnings)) {
                return frame;
            }
        }
        return null;
    }

    /**
     * How many calls led from test code to the method that runs now: 1 if a test calls it itself, 0 if
     * no test code is on this thread's stack.
     */
    static int distanceFromTests() {
        int calls = -1;
        for (Class<?> frame : STACK.getClassContext()) {
            if (calls >= 0 && TestCode.contains(frame)) {
                return calls + 1;
            }
            // The frames on top are our own; below them is the method.
            if (calls >= 0 || !frame.getName().startsWith("jury.boot.")) {
                calls++;
            }
        }
        return 0;
    }

    /** True also for the classes that the JDK makes for proxies, annotations among them. */
    static boolean isJdk(Class<?> type) {
        ClassLoader loader = type.getClassLoader();
        return loader == null
                || loader == PLATFORM
                || startsWithAny(type.getName(), PROXIES);
    }

    static boolean startsWithAny(String name, String[] beginnings) {
        for (String beginning : beginnings) {
            if (name.startsWith(beginning)) {
                return true;
            }
        }
        return false;
    }
}
