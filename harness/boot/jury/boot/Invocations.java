package jury.boot;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Numbers the invocations of TestNG methods, from 1, in the order in which they begin; TestNG itself
 * has no name for a data provider's row. A replay that runs some rows only announces which.
 */
public final class Invocations {
    private static final Map<String, Integer> BEGUN = new ConcurrentHashMap<>();
    private static final Map<String, int[]> ANNOUNCED = new ConcurrentHashMap<>();

    private Invocations() {}

    /** The next invocations of this method will be these, in ascending order. */
    public static void announce(String method, int[] numbers) {
        ANNOUNCED.put(method, numbers.clone());
    }

    static int next(String method) {
        int begun = BEGUN.merge(method, 1, Integer::sum);
        int[] announced = ANNOUNCED.get(method);
        return announced != null && begun <= announced.length ? announced[begun - 1] : begun;
    }

    /** The last invocation is going to be tried again, under the same number. */
    static void repeat(String method) {
        BEGUN.merge(method, -1, Integer::sum);
    }

    static void clear() {
        BEGUN.clear();
        ANNOUNCED.clear();
    }
}
