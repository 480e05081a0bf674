package jury.boot;

import java.util.Arrays;
import java.util.BitSet;

/**
 * Where probed methods report that they run and that they loop.
 *
 * <p>Fields are plain: probes must cost next to nothing, and a count that misses a few events of
 * another thread is still a good limit.
 */
public final class Probes {
    /** No number lies beyond this; a fixed array needs no check for null or growth. */
    private static final int MOST = 1 << 20;

    private static final byte[] HITS = new byte[MOST];

    /** Numbers that were hit, in order, so that taking them costs what ran and no more. */
    private static int[] hit = new int[1 << 10];

    private static int hitCount;

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

    /** A probed method or block runs. Stores only once, so that threads do not fight over it. */
    public static void reach(int number) {
        if (HITS[number] == 0) {
            note(number);
        }
    }

    /** Nothing is called from here, so whoever holds other locks cannot get stuck. */
    private static synchronized void note(int number) {
        if (HITS[number] == 0) {
            HITS[number] = 1;
            if (hitCount == hit.length) {
                hit = Arrays.copyOf(hit, 2 * hit.length);
            }
            hit[hitCount++] = number;
        }
    }

    /** A static initialiser begins. */
    public static void initialising(int number) {
        Collector.initialising(number);
    }

    /** A static initialiser has returned or thrown. */
    public static void initialised(int number) {
        Collector.initialised(number);
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

    /** Adds the methods and blocks that ran since the last call. */
    static synchronized void takeInto(BitSet methods) {
        for (int i = 0; i < hitCount; i++) {
            HITS[hit[i]] = 0;
            methods.set(hit[i]);
        }
        hitCount = 0;
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
