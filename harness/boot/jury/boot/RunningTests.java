package jury.boot;

import java.util.BitSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tests between their start and their end, from whatever framework. Its size is the number of tests
 * that run in parallel, which is why looking through all of them is cheap.
 *
 * <p>Threads are compared, never attached to: thread locals would outlive a test on pooled threads
 * and multiply on virtual ones.
 */
final class RunningTests {
    private static final ConcurrentHashMap<String, RunningTest> RUNNING =
            new ConcurrentHashMap<>();

    private static String lastFinished;

    private RunningTests() {}

    /** Reports a start; does nothing if the same test is running already. */
    static void start(TestCase test) {
        RunningTest running = new RunningTest(test, Thread.currentThread());
        if (RUNNING.putIfAbsent(test.id, running) == null) {
            Collector.started(test);
            Channel.emit(Records.testStarted(test));
            if (Probes.planned()) {
                OwnThreads.admitCurrent();
                disownOthers(1);
            }
            Probes.restart();
            running.startNanos = System.nanoTime();
        }
    }

    /** Reports the start of a test unless it begins inside another test of the same thread. */
    static void startOutermost(TestCase test) {
        if (!onThisThread()) {
            start(test);
        }
    }

    static boolean contains(String id) {
        return RUNNING.containsKey(id);
    }

    /** True if the current thread is inside a test. */
    static boolean onThisThread() {
        Thread current = Thread.currentThread();
        for (RunningTest test : RUNNING.values()) {
            if (test.thread == current) {
                return true;
            }
        }
        return false;
    }

    /** Remembers that the test on this thread, if there is one, launches a framework itself. */
    static boolean noteLaunch() {
        Thread current = Thread.currentThread();
        for (RunningTest test : RUNNING.values()) {
            if (test.thread == current) {
                test.launches = true;
                return true;
            }
        }
        return false;
    }

    /** True if a test that is running now has launched a framework itself. */
    static boolean anyLaunches() {
        for (RunningTest test : RUNNING.values()) {
            if (test.launches) {
                return true;
            }
        }
        return false;
    }

    /** Attaches a failure to a running test. The first of the severest outcome is kept. */
    static void note(String id, Outcome outcome, Throwable thrown) {
        RunningTest test = RUNNING.get(id);
        if (test != null) {
            test.note(outcome, Failure.of(thrown));
        }
    }

    /** Reports the end of a running test; does nothing for any other. */
    static void finish(String id) {
        long now = System.nanoTime();
        RunningTest test = RUNNING.remove(id);
        if (test != null) {
            if (Probes.planned()) {
                reportWork(id, test);
            }
            if (Observations.attending()) {
                Channel.emit(Sightings.take(id));
            }
            test.report(now);
            Collector.finished(test.test);
            if (test.isRed()) {
                Counsel.red();
            }
            if (!test.isGreen()) {
                EarlyEnd.red();
            }
        }
    }

    /**
     * Reports what a test made run, from the end of the test before it, so that its fixtures count.
     * Tests that run at the same time cannot be told apart and share what runs meanwhile.
     */
    private static synchronized void reportWork(String id, RunningTest test) {
        disownOthers(0);
        Probes.Work work = Probes.restart();
        Runs runs = new Runs();
        Initialisers.takeInto(runs);
        for (RunningTest other : RUNNING.values()) {
            other.shared.addAll(runs);
        }
        runs.addAll(test.shared);
        lastFinished = id;
        if (work.overran) {
            EarlyEnd.red();
        }
        Channel.emit(Records.worked(id, runs, Initialisers.takeWithin(), work));
    }

    /** From here on, what older threads do is nobody's work, unless more tests than these use them. */
    private static void disownOthers(int running) {
        if (RUNNING.size() <= running) {
            OwnThreads.disownOthers();
        }
    }

    /** Attributes what ran after the last test of a batch, fixtures as a rule, to that test. */
    static synchronized void attributeRest() {
        if (Probes.planned() && lastFinished != null) {
            Runs runs = new Runs();
            Initialisers.takeInto(runs);
            BitSet within = Initialisers.takeWithin();
            Channel.emit(Records.worked(lastFinished, runs, within, Probes.restart()));
        }
    }

    /** Forgets tests that never ended, before a worker runs its next batch. */
    static synchronized void clear() {
        RUNNING.clear();
        lastFinished = null;
        if (Probes.planned()) {
            OwnThreads.clear();
            Initialisers.takeInto(new Runs());
            Probes.restart();
        }
    }

    private static final class RunningTest {
        final TestCase test;
        final Thread thread;
        volatile long startNanos;
        volatile boolean launches;
        /** Methods that ran while this test did, reported with tests that ended in the meantime. */
        final Runs shared = new Runs();
        private Outcome outcome = Outcome.PASSED;
        private Failure failure;

        RunningTest(TestCase test, Thread thread) {
            this.test = test;
            this.thread = thread;
            this.startNanos = System.nanoTime();
        }

        synchronized void note(Outcome noted, Failure cause) {
            if (noted.compareTo(outcome) > 0) {
                outcome = noted;
                failure = cause;
            }
        }

        synchronized boolean isRed() {
            return outcome == Outcome.FAILED;
        }

        synchronized boolean isGreen() {
            return outcome == Outcome.PASSED;
        }

        synchronized void report(long now) {
            Channel.emit(Records.testFinished(test.id, outcome, now - startNanos, failure));
        }
    }
}
