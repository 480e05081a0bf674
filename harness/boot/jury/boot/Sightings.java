package jury.boot;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What was seen since the last test ended. Bounded: beyond its limits it only counts, and says so.
 *
 * <p>Objects are looked at before the lock is taken, since looking may wait for a lock of theirs.
 */
final class Sightings {
    /** Calls of the watched method whose properties are kept, for each test. */
    private static final int MOST_CALLS = 500;

    /** The first ordinal of calls that a second thread makes. */
    private static final int SECOND_THREAD = 1_000;

    private static final int NOT_RECORDED = -1;

    /** Values kept of one expression. */
    private static final int MOST_VALUES = 30;

    /** Properties kept of one test. */
    private static final int MOST_PROPERTIES = 60_000;

    private static final int MOST_FRAMES = 200;

    private static final Map<Thread, Gaze> GAZES = new ConcurrentHashMap<>();

    private static final Object LOCK = new Object();
    private static final Map<Long, Place> PLACES = new ConcurrentHashMap<>();
    private static final Map<Long, Long> DIGESTS = new HashMap<>();

    /** By the number of the method. */
    private static final Map<Integer, Calls> CALLS = new TreeMap<>();

    private static final Map<String, Integer> TEXTS = new LinkedHashMap<>();
    private static final Set<String> UNREADABLE = new TreeSet<>();
    private static Encoder kept = new Encoder();
    private static int properties;
    private static int sent;
    private static int stackOf = -1;
    private static int depth = 1;
    private static boolean digestOnly;
    private static boolean distances;
    private static boolean cut;

    /** The thread that runs the tests, as far as they start none. */
    private static Thread runner;

    private Sightings() {}

    /**
     * Forgets everything; says of which call the stack is kept, how deep objects are looked at,
     * whether a digest of it all will do, and whether it matters how far calls are from test code.
     */
    static void forget(int stackOf, int depth, boolean digestOnly, boolean distances) {
        synchronized (LOCK) {
            Sightings.stackOf = stackOf;
            Sightings.depth = depth;
            Sightings.digestOnly = digestOnly;
            Sightings.distances = distances;
            runner = Thread.currentThread();
            reset();
        }
    }

    private static void reset() {
        GAZES.clear();
        PLACES.clear();
        DIGESTS.clear();
        CALLS.clear();
        TEXTS.clear();
        UNREADABLE.clear();
        kept = new Encoder();
        properties = 0;
        sent = 0;
        cut = false;
    }

    /** The record of what was seen since the last one. */
    static byte[] take(String test) {
        synchronized (LOCK) {
            byte[] record =
                    Records.seen(
                            test, TEXTS.keySet(), sent, kept, digest(), CALLS, cut, UNREADABLE);
            reset();
            return record;
        }
    }

    /** Of test code, but for what is crowded; the order in which places were passed does not count. */
    private static long digest() {
        long digest = 0;
        for (Map.Entry<Long, Long> one : DIGESTS.entrySet()) {
            Place place = PLACES.get(one.getKey());
            if (place == null || !place.crowded) {
                digest += Digest.mixed(Digest.mixed(one.getKey()) + one.getValue());
            }
        }
        return digest;
    }

    static void enter(int number) {
        try {
            Gaze gaze = gaze();
            if (gaze.looking) {
                return;
            }
            Call call;
            boolean far;
            synchronized (LOCK) {
                Calls calls = CALLS.computeIfAbsent(number, absent -> new Calls());
                if (calls.crowdedBy(Thread.currentThread())) {
                    // In which order threads come is chance.
                    send(number, 0, "#threads", "several");
                }
                call = calls.begin(number, Thread.currentThread());
                far = distances && calls.distance != 1;
            }
            gaze.open.push(call);
            if (far && call.isRecorded()) {
                int distance = Caller.distanceFromTests();
                synchronized (LOCK) {
                    Calls calls = CALLS.get(number);
                    if (calls != null) {
                        calls.approach(distance);
                    }
                }
            }
        } catch (Throwable ignored) {
            // The code under test goes on as if nobody had watched.
        }
    }

    static void showArgument(Object value) {
        Gaze gaze = GAZES.get(Thread.currentThread());
        if (gaze != null && !gaze.looking && !gaze.open.isEmpty()) {
            Call call = gaze.open.peek();
            if (call.isRecorded()) {
                show("argument " + ++call.arguments, value);
            }
        }
    }

    static void show(String role, Object value) {
        try {
            Gaze gaze = GAZES.get(Thread.currentThread());
            if (gaze != null && !gaze.looking && !gaze.open.isEmpty()) {
                Call call = gaze.open.peek();
                if (call.isRecorded()) {
                    call.shown.put(role, value);
                }
            }
        } catch (Throwable ignored) {
            // As above.
        }
    }

    /** A call ends; {@code result} holds the one value it returns, if it does. */
    static void leave(int number, Object[] result, Throwable thrown) {
        try {
            Gaze gaze = GAZES.get(Thread.currentThread());
            Call call = gaze == null || gaze.looking ? null : gaze.end(number);
            if (call == null) {
                return;
            }
            if (isCrowded(number)) {
                return;
            }
            if (!call.isRecorded()) {
                cut = true;
                return;
            }
            ObjectState state = new ObjectState(depth);
            gaze.looking = true;
            try {
                state.add("exit#exception", thrown == null ? "" : thrown.getClass().getName());
                if (result != null) {
                    state.look("result", result[0]);
                }
                for (Map.Entry<String, Object> shown : call.shown.entrySet()) {
                    state.look(shown.getKey(), shown.getValue());
                }
                if (call.ordinal == stackOf) {
                    state.add("stack#frames", frames());
                }
            } finally {
                gaze.looking = false;
            }
            keep(number, call.ordinal, state);
        } catch (Throwable ignored) {
            // As above.
        }
    }

    private static boolean isCrowded(int number) {
        synchronized (LOCK) {
            Calls calls = CALLS.get(number);
            return calls != null && calls.crowded;
        }
    }

    static void see(long place, Object value) {
        try {
            Gaze gaze = gaze();
            if (gaze.looking) {
                return;
            }
            Thread thread = Thread.currentThread();
            Place known = PLACES.get(place);
            // Loops come by millions of times.
            if (known != null && known.isDoneFor(thread)) {
                cut |= !known.crowded;
                return;
            }
            int ordinal;
            synchronized (LOCK) {
                Place seen = PLACES.computeIfAbsent(place, absent -> new Place(thread));
                if (seen.crowded) {
                    return;
                }
                if (seen.first != thread) {
                    // In which order threads come is chance.
                    seen.crowded = true;
                    send(place, 0, "#threads", "several");
                    return;
                }
                ordinal = seen.times++;
            }
            ObjectState state = new ObjectState(depth);
            gaze.looking = true;
            try {
                state.look("", value);
            } finally {
                gaze.looking = false;
            }
            keep(place, ordinal, state);
        } catch (Throwable ignored) {
            // As above.
        }
    }

    private static void keep(long place, int ordinal, ObjectState state) {
        synchronized (LOCK) {
            UNREADABLE.addAll(state.unreadable());
            cut |= state.isCut();
            Calls calls = isCall(place) ? CALLS.get((int) place) : null;
            if (calls != null && calls.crowded) {
                return;
            }
            for (Map.Entry<String, String> property : state.properties().entrySet()) {
                // Whatever else is watched, the calls of a method come out the same.
                if ((calls == null ? properties++ : calls.properties++) >= MOST_PROPERTIES) {
                    cut = true;
                    return;
                }
                if (digestOnly) {
                    long digest = Digest.of(ordinal, property.getKey(), property.getValue());
                    if (calls == null) {
                        DIGESTS.merge(place, digest, Long::sum);
                    } else {
                        calls.digest += digest;
                        sendIfNews(calls, place, property.getKey(), property.getValue());
                    }
                } else {
                    send(place, ordinal, property.getKey(), property.getValue());
                }
            }
        }
    }

    private static boolean isCall(long place) {
        return place >>> 32 == 0;
    }

    /** Two values are enough to tell that a property varies from call to call. */
    private static void sendIfNews(Calls calls, long place, String property, String value) {
        String first = calls.firstValues.putIfAbsent(property, value);
        if (first == null) {
            send(place, 0, property, value);
        } else if (!first.equals(value) && calls.varying.add(property)) {
            send(place, 1, property, value);
        }
    }

    private static void send(long place, int ordinal, String property, String value) {
        sent++;
        kept.u64(place).u32(ordinal).u32(textNumber(property)).u32(textNumber(value));
    }

    private static int textNumber(String text) {
        return TEXTS.computeIfAbsent(text, absent -> TEXTS.size());
    }

    private static Gaze gaze() {
        return GAZES.computeIfAbsent(Thread.currentThread(), absent -> new Gaze());
    }

    /** Callers, innermost first, one to a line. */
    private static String frames() {
        List<String> frames = new ArrayList<>();
        for (StackTraceElement frame : Thread.currentThread().getStackTrace()) {
            String name = frame.getClassName();
            if (frames.isEmpty() && (name.startsWith("jury.boot.") || name.equals("java.lang.Thread"))) {
                continue;
            }
            frames.add(name + " " + frame.getMethodName() + " " + frame.getLineNumber());
            if (frames.size() == MOST_FRAMES) {
                break;
            }
        }
        return String.join("\n", frames);
    }

    /** What one thread is about. */
    private static final class Gaze {
        /** Calls that have begun, the innermost first. */
        final Deque<Call> open = new ArrayDeque<>();

        /** Whether the thread is looking at an object; what runs meanwhile is our own doing. */
        boolean looking;

        /** Ends the innermost call of a method; null if it began before anybody looked. */
        Call end(int number) {
            for (Call begun : open) {
                if (begun.number == number) {
                    Call ended = open.pop();
                    while (ended != begun) {
                        ended = open.pop();
                    }
                    return ended;
                }
            }
            return null;
        }
    }

    /** A place in the code of tests, and who passed it how often. */
    private static final class Place {
        final Thread first;
        int times;

        /** Several threads have passed it. */
        volatile boolean crowded;

        Place(Thread first) {
            this.first = first;
        }

        /** Whether nothing more is kept of what a thread shows here. */
        boolean isDoneFor(Thread thread) {
            return crowded || first == thread && times >= MOST_VALUES;
        }
    }

    private static final class Call {
        final int number;

        /** By which it is known: its place among those of its thread. */
        final int ordinal;

        final Map<String, Object> shown = new LinkedHashMap<>();
        int arguments;

        Call(int number, int ordinal) {
            this.number = number;
            this.ordinal = ordinal;
        }

        boolean isRecorded() {
            return ordinal != NOT_RECORDED;
        }
    }

    /** The calls of one method. */
    static final class Calls {
        /** Recorded or not. */
        int count;

        /** Of what they showed. */
        long digest;

        /** The least number of calls that led from test code to one of them; 0 if that is not known. */
        int distance;

        /** Stands for all that are not recorded: some methods are called millions of times. */
        private Call unrecorded;

        private Thread first;
        private int ofFirst;
        private Thread second;
        private int ofSecond;

        /** Whether threads make them in an order that is chance. Then they are only counted. */
        private boolean crowded;

        private int properties;
        private final Map<String, String> firstValues = new HashMap<>();
        private final Set<String> varying = new HashSet<>();

        /**
         * Whether it is this thread that leaves their order to chance. One may stand beside the one that
         * runs the tests: a time limit is often kept by running a test in a thread of its own.
         */
        private boolean crowdedBy(Thread thread) {
            if (first == null) {
                first = thread;
            } else if (first == runner && first != thread && second == null) {
                second = thread;
            }
            if (crowded || first == thread || second == thread) {
                return false;
            }
            crowded = true;
            digest = 0;
            return true;
        }

        private Call begin(int number, Thread thread) {
            count++;
            int ordinal = thread == second ? ofSecond++ : ofFirst++;
            if (ordinal < MOST_CALLS && !crowded) {
                return new Call(number, thread == second ? SECOND_THREAD + ordinal : ordinal);
            }
            if (unrecorded == null) {
                unrecorded = new Call(number, NOT_RECORDED);
            }
            return unrecorded;
        }

        void approach(int other) {
            if (other > 0 && (distance == 0 || other < distance)) {
                distance = other;
            }
        }
    }
}
