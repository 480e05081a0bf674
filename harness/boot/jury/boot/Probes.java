package jury.boot;

import java.util.BitSet;

/**
 * Where probed methods report that they run and that they loop.
 *
 * <p>Fields are plain: probes must cost next to nothing, and a count that misses a few events of
 * another thread is still a good limit.
 */
public final class Probes {
    /** No number lies beyond this; a fixed array needs no check for null or growth. */
    static final int MOST = 1 << 20;

    /**
     * Not 0 where a number was hit, while uses are collected. Programs have few arrays of shorts, so
     * compilers need not fear that a probe changes anything else.
     */
    public static final short[] HITS = new short[MOST];

    /** After so much work somebody looks whose it is. */
    private static final long SLICE = 1 << 12;

    /** Of all threads. It is never set back, as another thread that counts would undo that. */
    private static long work;
    /** How much there was when somebody looked last, and when it is time to look again. */
    private static long lookedAt;
    private static long lookAt;
    /** What the tests' own threads have done, as if whoever looks had done all since the last look. */
    private static long own;
    private static boolean looking;

    private static long limit = Long.MAX_VALUE;
    private static boolean overran;

    /** How many numbers the plan uses; 0 if nothing is probed. */
    private static int planned;

    private Probes() {}

    /** Only workers count; other JVMs are spared the array. */
    private static final class Counted {
        static final int[] TIMES = new int[MOST];
    }

    /** A probed method was entered. */
    public static void hit(int number) {
        Counted.TIMES[number]++;
        tick();
    }

    /** A probed block runs. */
    public static void reach(int number) {
        Counted.TIMES[number]++;
    }

    /** A static initialiser begins. */
    public static void initialising(int number) {
        if (planned()) {
            Initialisers.begin();
        } else {
            Collector.initialising(number);
        }
    }

    /** A static initialiser has returned or thrown. */
    public static void initialised(int number) {
        if (planned()) {
            Initialisers.end();
        } else {
            Collector.initialised(number);
        }
    }

    /** A method begins that may leave something in a field for others. */
    public static void storing(int number) {
        if (Collector.STORES[number] != Collector.MOST_STORES) {
            Collector.storing(number);
        }
    }

    /** Such a method has returned or thrown. */
    public static void stored(int number) {
        if (Collector.STORES[number] > Collector.MOST_STORES) {
            Collector.stored(number);
        }
    }

    /** A probed method jumps backwards. */
    public static void tick() {
        if (++work > lookAt) {
            look();
        }
    }

    /** Only work of the tests' own threads counts, and only those are stopped. */
    private static synchronized void look() {
        if (looking) {
            return; // The project's own kind of thread, asked for its number.
        }
        boolean counts;
        looking = true;
        try {
            counts = OwnThreads.haveCurrent();
        } finally {
            looking = false;
        }
        if (counts) {
            own += sinceLastLook();
        }
        lookedAt = work;
        long left = limit - own;
        lookAt = work + Math.min(Math.max(left, 0), SLICE);
        if (counts && left < 0) {
            overran = true;
            throw new Overrun();
        }
    }

    /** Two threads that count at once may lose what one of them has counted. */
    private static long sinceLastLook() {
        return Math.max(work - lookedAt, 0);
    }

    static void plan(int probes) {
        planned = Math.min(probes, MOST);
    }

    /** Limits the work of each test, and of each fixture before and after. */
    static synchronized void limit(long work) {
        limit = work;
        lookAt = Probes.work;
    }

    static boolean planned() {
        return planned > 0;
    }

    /** Counts work from nothing again, and says how much there was. */
    static synchronized Work restart() {
        Work done = new Work(own + sinceLastLook(), overran);
        own = 0;
        lookedAt = work;
        lookAt = work;
        overran = false;
        return done;
    }

    /** Adds those of the first numbers whose methods and blocks ran since the last call. */
    static synchronized void takeInto(BitSet methods, int count) {
        int end = Math.min(count, MOST);
        for (int number = 0; number < end; number++) {
            if (HITS[number] != 0) {
                HITS[number] = 0;
                methods.set(number);
            }
        }
    }

    /** Adds what ran, of all that a plan has numbered, since the last call. */
    static synchronized void takeInto(Runs runs) {
        for (int number = 0; number < planned; number++) {
            int times = Counted.TIMES[number];
            if (times != 0) {
                Counted.TIMES[number] = 0;
                runs.add(number, times);
            }
        }
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
