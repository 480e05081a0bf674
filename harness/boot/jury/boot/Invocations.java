package jury.boot;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Numbers what TestNG has no name for: the instances of a class that a factory made, and the
 * invocations of a method on one instance (rows of a data provider, repetitions). Both count from 1
 * in the order in which they begin. A replay that runs some rows only announces which.
 */
public final class Invocations {
    private static final Map<String, List<WeakReference<Object>>> INSTANCES = new HashMap<>();
    private static final Map<String, Integer> BEGUN = new HashMap<>();
    private static final Map<String, int[]> ANNOUNCED = new HashMap<>();

    private Invocations() {}

    /** On each instance, the next invocations of this method will be these, in this order. */
    public static void announce(String method, int[] numbers) {
        synchronized (INSTANCES) {
            ANNOUNCED.put(method, numbers.clone());
        }
    }

    /** The number of an instance among those of its class; a skipped test may have none. */
    static int instance(String className, Object instance) {
        if (instance == null) {
            return 1;
        }
        synchronized (INSTANCES) {
            List<WeakReference<Object>> known =
                    INSTANCES.computeIfAbsent(className, absent -> new ArrayList<>());
            for (int i = 0; i < known.size(); i++) {
                if (known.get(i).get() == instance) {
                    return i + 1;
                }
            }
            known.add(new WeakReference<>(instance));
            return known.size();
        }
    }

    static int next(String method, int instance) {
        synchronized (INSTANCES) {
            int begun = BEGUN.merge(method + "@" + instance, 1, Integer::sum);
            int[] announced = ANNOUNCED.get(method);
            return announced != null && begun <= announced.length ? announced[begun - 1] : begun;
        }
    }

    /** The last invocation is going to be tried again, under the same number. */
    static void repeat(String method, int instance) {
        synchronized (INSTANCES) {
            BEGUN.merge(method + "@" + instance, -1, Integer::sum);
        }
    }

    static void clear() {
        synchronized (INSTANCES) {
            INSTANCES.clear();
            BEGUN.clear();
            ANNOUNCED.clear();
        }
    }
}
