package jury.boot;

import java.util.BitSet;

/**
 * Tells which probed methods and blocks run while a class is initialised: a warm JVM keeps what came
 * of them, whatever is switched on later. Threads are not told apart, so what runs on another one
 * meanwhile counts, too.
 */
final class Initialisers {
    /** How many have begun and not ended. */
    private static int running;

    /** What probes had seen before an initialiser began or ended. */
    private static final Runs RAN = new Runs();

    private static final BitSet RAN_WITHIN = new BitSet();

    private Initialisers() {}

    static synchronized void begin() {
        settle();
        running++;
    }

    static synchronized void end() {
        settle();
        running--;
    }

    /** Adds all that ran since the last call. */
    static synchronized void takeInto(Runs runs) {
        settle();
        runs.addAll(RAN);
        RAN.clear();
    }

    /** What ran within initialisers since the last call. */
    static synchronized BitSet takeWithin() {
        BitSet within = (BitSet) RAN_WITHIN.clone();
        RAN_WITHIN.clear();
        return within;
    }

    private static void settle() {
        Runs recent = new Runs();
        Probes.takeInto(recent);
        RAN.addAll(recent);
        if (running > 0) {
            RAN_WITHIN.or(recent.numbers());
        }
    }
}
