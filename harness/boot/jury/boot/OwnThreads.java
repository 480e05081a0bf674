package jury.boot;

import java.lang.reflect.Constructor;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells whether a thread works for the tests that run now. Their own threads are those that tests
 * run on, and all that were made since the oldest of these tests began, or the last one ended. Any other was there before:
 * a test has left it behind, or it serves several, and what it does is not theirs to answer for.
 *
 * <p>Threads are known by their numbers, which the JVM gives out in order. Listing all threads would
 * cost more, miss the virtual ones and hold on to the others.
 */
final class OwnThreads {
    private static final Constructor<Thread> PLAIN_THREAD = plainThread();

    /** Of the threads that tests of this batch have run on. */
    private static final Set<Long> RUNNERS = ConcurrentHashMap.newKeySet();

    /** All other threads of a lower number were there before. */
    private static volatile long first;

    private OwnThreads() {}

    /** Begins anew with this thread and those to come. */
    static void clear() {
        RUNNERS.clear();
        admitCurrent();
        disownOthers();
    }

    /** This thread runs tests. */
    static void admitCurrent() {
        RUNNERS.add(Thread.currentThread().getId());
    }

    /** No test is running, or one that has done nothing yet: whoever works now does not do so for it. */
    static void disownOthers() {
        first = nextNumber();
    }

    static boolean haveCurrent() {
        long number = Thread.currentThread().getId();
        return number >= first || RUNNERS.contains(number);
    }

    /** The number that the next thread would have got; it takes a thread that never starts to know. */
    private static long nextNumber() {
        try {
            return PLAIN_THREAD.newInstance(null, null, "jury", 0L, false).getId();
        } catch (ReflectiveOperationException | RuntimeException refused) {
            // A test has left a security manager behind. Whoever came last may work on.
            return first;
        }
    }

    /** The one that takes nothing over from its maker, where tests could notice; new in Java 9. */
    private static Constructor<Thread> plainThread() {
        try {
            return Thread.class.getConstructor(
                    ThreadGroup.class, Runnable.class, String.class, long.class, boolean.class);
        } catch (NoSuchMethodException absent) {
            throw new LinkageError("workers need Java 9", absent);
        }
    }
}
