package jury.boot;

import java.util.BitSet;

/**
 * Where probed methods report that they run and that they loop.
 *
 * <p>Fields are plain: probes must cost next to nothing, and a count that misses a few events of
 * another thread is still a good limit.
 */
public final class Probes {
    /** The agent plans no number beyond this; a fixed array needs no check for null or growth. */
    private static final byte[] HITS = new byte[1 << 20];

    private static long work;
    private static long limit = Long.MAX_VALUE;
    private static boolean overran;

    /** How many numbers the plan uses; 0 if nothing is probed. */
    private static int planned;

    private Probes() {}

    /** A probed method was entered. */
    public static void hit(int number) {
        reach(number);
        tick();
    }

    /** A probed block runs. Stores only once, so that threads do not fight over the line. */
    public static void reach(int number) {
        if (HITS[number] == 0) {
            HITS[number] = 1;
        }
    }

    /** A probed method jumps backwards. */
    public static void tick() {
        if (++work > limit) {
            overrun();
        }
    }

    private static void overrun() {
        overran = true;
        throw new Overrun();
    }

    static void plan(int probes) {
        planned = probes;
    }

    /** Limits the work of each test, and of each fixture before and after. */
    static void limit(long work) {
        limit = work;
    }

    static boolean planned() {
        return planned > 0;
    }

    /** Counts work from nothing again, and says how much there was. */
    static Work restart() {
        Work done = new Work(work, overran);
        work = 0;
        overran = false;
        return done;
    }

    /** The methods and blocks that ran since the last call. */
    static BitSet take() {
        BitSet methods = new BitSet(planned);
        for (int number = 0; number < planned; number++) {
            if (HITS[number] != 0) {
                HITS[number] = 0;
                methods.set(number);
            }
        }
        return methods;
    }

    /** How much a test did. */
    static final class Work {
        final long amount;
        final boolean overran;

        Work(long amount, boolean overran) {
            this.amount = amount;
            this.overran = overran;
        }
    }
}
