package jury.boot;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Reports what went wrong in our own code: each kind once, and never into the tests' output. */
final class Troubles {
    /** A kind is the failing hook and exception; this bounds a flood of different ones. */
    private static final int MOST_KINDS = 20;

    private static final Set<String> REPORTED = ConcurrentHashMap.newKeySet();

    private Troubles() {}

    static void report(String where, Throwable thrown) {
        try {
            String kind = where + ": " + thrown.getClass().getName();
            if (REPORTED.size() < MOST_KINDS && REPORTED.add(kind)) {
                Failure failure = Failure.of(thrown);
                Channel.emit(Records.trouble(kind + ": " + failure.message + "\n" + failure.trace));
            }
        } catch (Throwable hopeless) {
            // Nothing is left to tell it to; the test goes on.
        }
    }
}
