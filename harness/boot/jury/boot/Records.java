package jury.boot;

import java.util.BitSet;
import java.util.Collection;
import java.util.Map;
import java.util.Set;

/**
 * Encodes the records that Java code reports. Mirror of {@code Record} in the Rust crate {@code
 * protocol}; shared byte fixtures keep the two equal.
 */
final class Records {
    private static final int PROPERTIES = 2;
    private static final int LAUNCHER_PARAMETERS = 3;
    private static final int TEST_STARTED = 4;
    private static final int TEST_FINISHED = 5;
    private static final int TEST_SKIPPED = 6;
    private static final int CONTAINER_FAILED = 7;
    private static final int READY = 8;
    private static final int BATCH_DONE = 9;
    private static final int TROUBLE = 10;
    private static final int WORKED = 12;
    private static final int USED = 15;
    private static final int INITIALISED = 16;
    private static final int LEFT_OUT_UNIT = 17;
    private static final int SEEN = 18;
    private static final int SHARED = 19;
    private static final int IN_PROCESS = 20;

    /** Tests of the class ran at the same time as others. */
    static final int OVERLAPPING = 1;

    /** A test came upon a file that another test of the class had made. */
    static final int SHARED_FILES = 2;

    private Records() {}

    static byte[] properties(Map<String, String> properties) {
        return new Encoder().u8(PROPERTIES).map(properties).toBytes();
    }

    static byte[] launcherParameters(Map<String, String> parameters) {
        return new Encoder().u8(LAUNCHER_PARAMETERS).map(parameters).toBytes();
    }

    static byte[] testStarted(TestCase test) {
        return put(test, new Encoder().u8(TEST_STARTED)).toBytes();
    }

    /** {@code failure} is null for a test that threw nothing. */
    static byte[] testFinished(String id, Outcome outcome, long nanos, Failure failure) {
        Encoder out = new Encoder().u8(TEST_FINISHED).text(id).text(outcome.word).u64(nanos);
        if (failure == null) {
            out.u8(0);
        } else {
            put(failure, out.u8(1));
        }
        return out.toBytes();
    }

    static byte[] testSkipped(TestCase test, String reason) {
        return put(test, new Encoder().u8(TEST_SKIPPED)).text(reason).toBytes();
    }

    static byte[] containerFailed(String id, String className, Failure failure) {
        return put(failure, new Encoder().u8(CONTAINER_FAILED).text(id).text(className)).toBytes();
    }

    /** {@code initialising} are methods that ran within static initialisers. */
    static byte[] worked(String id, Runs runs, BitSet initialising, Probes.Work work) {
        return new Encoder()
                .u8(WORKED)
                .text(id)
                .runs(runs)
                .numbers(initialising)
                .u64(work.amount)
                .u8(work.overran ? 1 : 0)
                .toBytes();
    }

    static byte[] used(String id, Uses uses) {
        return put(uses, new Encoder().u8(USED).text(id)).toBytes();
    }

    /** {@code tangles} are bits of the constants above. */
    static byte[] shared(String className, int tangles, Uses uses) {
        return put(uses, new Encoder().u8(SHARED).text(className).u8(tangles)).toBytes();
    }

    static byte[] initialised(int number, Uses uses) {
        return put(uses, new Encoder().u8(INITIALISED).u32(number)).toBytes();
    }

    static byte[] leftOutUnit(String className) {
        return new Encoder().u8(LEFT_OUT_UNIT).text(className).toBytes();
    }

    static byte[] inProcess(String directory, boolean forked) {
        return new Encoder().u8(IN_PROCESS).text(directory).u8(forked ? 1 : 0).toBytes();
    }

    /**
     * @param properties how many there are in {@code sightings}, which is encoded already
     * @param digest of test code
     * @param calls of each method that was called, by its number
     */
    static byte[] seen(
            String id,
            Collection<String> texts,
            int properties,
            Encoder sightings,
            long digest,
            Map<Integer, Sightings.Calls> calls,
            boolean cut,
            Collection<String> unreadable) {
        Encoder out = new Encoder()
                .u8(SEEN)
                .text(id)
                .texts(texts)
                .u32(properties)
                .bytes(sightings)
                .u64(digest)
                .u32(calls.size());
        for (Map.Entry<Integer, Sightings.Calls> of : calls.entrySet()) {
            Sightings.Calls own = of.getValue();
            out.u32(of.getKey()).u32(own.count).u64(own.digest).u32(own.distance);
        }
        return out.u8(cut ? 1 : 0).texts(unreadable).toBytes();
    }

    static byte[] ready() {
        return new Encoder().u8(READY).toBytes();
    }

    static byte[] batchDone(int batch, String trouble) {
        return new Encoder().u8(BATCH_DONE).u32(batch).text(trouble).toBytes();
    }

    static byte[] trouble(String message) {
        return new Encoder().u8(TROUBLE).text(message).toBytes();
    }

    private static Encoder put(TestCase test, Encoder out) {
        return out.text(test.id)
                .text(test.engine)
                .text(test.className)
                .text(test.method)
                .text(test.variant)
                .text(test.displayName);
    }

    private static Encoder put(Uses uses, Encoder out) {
        out.numbers(uses.methods).u32(uses.touchCount());
        for (TouchKind kind : TouchKind.ALL) {
            Set<String> names = uses.touched(kind);
            if (names != null) {
                for (String name : names) {
                    out.u8(kind.ordinal()).text(name);
                }
            }
        }
        return out.u8(uses.marks);
    }

    private static Encoder put(Failure failure, Encoder out) {
        return out.text(failure.exception).text(failure.message).text(failure.trace);
    }
}
