package jury.boot;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Says whose use it was. Whatever ran is booked on everything that was open meanwhile: test classes
 * (or test methods), and static initialisers, which speak for everyone who uses their class later.
 *
 * <p>What runs outside tests (constructors, fixtures) is booked on the class before and the class
 * after, or on the right one of the two where the framework tells when a class begins and ends.
 * What ran before the first test may have prepared all of them and is booked on all. Once test
 * classes overlap, nobody can tell who prepared what, and a class that begins gets all that ever
 * ran. So a row may hold too much, but it lacks nothing.
 *
 * <p>One lock guards all of this; no code but our own runs under it.
 */
final class Collector {
    private static final int PROBES_QUESTION = 5;

    private static volatile boolean collecting;
    private static boolean byMethod;

    /**
     * How often in a row it is looked for nothing at what runs within a method that may leave
     * something in a field for others. What fills a field runs the first time, or when a cache is asked
     * for something new, and each look is one at all probes.
     */
    static final int MOST_STORES = 16;

    /** How often that was for each number; larger than the most while such a method runs. */
    static final byte[] STORES = new byte[Probes.MOST];

    /** All that has been told of such methods, by number. */
    private static final Map<Integer, Uses> TOLD = new HashMap<>();

    private static final byte STORING = 0x40;

    /** Open test classes by the name of the outermost class. */
    private static final Map<String, Unit> OPEN = new LinkedHashMap<>();

    private static final List<Initialiser> INITIALISERS = new ArrayList<>();

    /** Records from before the first test, of a JVM that may never come to one. */
    private static final List<byte[]> HELD = new ArrayList<>();

    private static final Uses EVERYTHING = new Uses();

    /** What ran before the first test class began; null until then. */
    private static Uses prelude;

    /** What ran since the last test ended with no other running. */
    private static Uses sincePause = new Uses();

    private static boolean overlapping;

    /** Read where no lock is held: whether any test has begun and not ended. */
    private static volatile boolean testRunning;

    private static Unit lastClosed;

    private Collector() {}

    /** Called by the agent when the JVM has started. */
    static void collectByClass() {
        collecting = true;
        Touches.prepare();
    }

    /** As {@link #collectByClass}, with each test method told apart. */
    static void collectByMethod() {
        byMethod = true;
        collectByClass();
    }

    static boolean isCollecting() {
        return collecting;
    }

    static boolean isTestRunning() {
        return testRunning;
    }

    /** Called by the agent when the JVM ends. */
    static synchronized void end() {
        if (collecting && prelude != null) {
            settle();
            for (Unit unit : new ArrayList<>(OPEN.values())) {
                close(unit);
            }
            if (lastClosed != null && !sincePause.isEmpty()) {
                lastClosed.report(sincePause);
            }
            for (Initialiser initialiser : INITIALISERS) {
                emit(Records.initialised(initialiser.number, initialiser.uses));
            }
        }
        collecting = false;
    }

    /** The framework begins with a class, whose tests come next. */
    static void classStarted(String className, String containerId) {
        if (collecting) {
            begin(TestCase.outermost(className), containerId);
        }
    }

    /** Called when the container with this id is done, its fixtures included. */
    static synchronized void classFinished(String className, String containerId) {
        Unit unit = OPEN.get(TestCase.outermost(className));
        if (collecting && unit != null && containerId.equals(unit.containerId)) {
            settle();
            close(unit);
            if (OPEN.isEmpty()) {
                sincePause = new Uses();
                // Nobody speaks for a class without a test; what its conditions looked at must not
                // be lost, and is booked like all that runs between tests.
                if (unit.lastTest == null) {
                    sincePause.absorb(unit.uses);
                }
            }
        }
    }

    static void started(TestCase test) {
        if (collecting) {
            startTest(test);
        }
    }

    private static synchronized void startTest(TestCase test) {
        Unit unit = begin(TestCase.outermost(test.className), null);
        if (byMethod) {
            settle();
            unit.overlapped |= !unit.running.isEmpty();
            TestMethod method = unit.method(test.methodName());
            method.uses.absorb(overlapping ? EVERYTHING : sincePause);
            method.lastTest = test.id;
            unit.running.put(test.id, method.uses);
            TestFiles.at(test.methodName());
        } else {
            unit.running.put(test.id, unit.uses);
        }
        unit.lastTest = test.id;
        testRunning = true;
    }

    static void finished(TestCase test) {
        if (collecting) {
            finishTest(test);
        }
    }

    private static synchronized void finishTest(TestCase test) {
        settle();
        Unit unit = OPEN.get(TestCase.outermost(test.className));
        Uses uses = unit == null ? null : unit.running.remove(test.id);
        if (uses == null) {
            return;
        }
        TestFiles.at(null);
        testRunning = anyRunning();
        if (!testRunning) {
            sincePause = new Uses();
        }
    }

    static void initialising(int number) {
        if (collecting) {
            synchronized (Collector.class) {
                settle();
                INITIALISERS.add(new Initialiser(number, Thread.currentThread()));
            }
        }
    }

    static void initialised(int number) {
        if (collecting) {
            synchronized (Collector.class) {
                settle();
                for (int i = INITIALISERS.size() - 1; i >= 0; i--) {
                    Initialiser initialiser = INITIALISERS.get(i);
                    if (initialiser.number == number
                            && initialiser.thread == Thread.currentThread()) {
                        INITIALISERS.remove(i);
                        emit(Records.initialised(number, initialiser.uses));
                        return;
                    }
                }
            }
        }
    }

    /** A method begins that may leave something in a field for others. */
    static void storing(int number) {
        if (collecting) {
            synchronized (Collector.class) {
                if (STORES[number] > MOST_STORES) {
                    Initialiser running = store(number);
                    if (running != null) {
                        running.depth++;
                    }
                } else if (STORES[number] < MOST_STORES) {
                    settle();
                    INITIALISERS.add(new Initialiser(number, null));
                    STORES[number] = (byte) (STORES[number] + 1 | STORING);
                }
            }
        }
    }

    /** Such a method has ended; on whatever thread, the last to end speaks for all. */
    static void stored(int number) {
        if (collecting) {
            synchronized (Collector.class) {
                Initialiser running = store(number);
                if (running != null && --running.depth == 0) {
                    settle();
                    INITIALISERS.remove(running);
                    STORES[number] &= ~STORING;
                    if (TOLD.computeIfAbsent(number, none -> new Uses()).learn(running.uses)) {
                        STORES[number] = 0;
                        emit(Records.initialised(number, running.uses));
                    }
                }
            }
        }
    }

    private static Initialiser store(int number) {
        for (Initialiser initialiser : INITIALISERS) {
            if (initialiser.number == number && initialiser.thread == null) {
                return initialiser;
            }
        }
        return null;
    }

    /** Opens a test class unless it is open; the container id is null where there is none. */
    private static synchronized Unit begin(String className, String containerId) {
        Unit unit = OPEN.get(className);
        if (unit != null) {
            return unit;
        }
        settle();
        if (prelude == null) {
            prelude = new Uses();
            prelude.absorb(EVERYTHING);
            for (byte[] record : HELD) {
                Channel.emit(record);
            }
            HELD.clear();
        }
        for (Unit open : new ArrayList<>(OPEN.values())) {
            if (open.overlaps(containerId)) {
                overlapping = true;
            } else if (open.containerId == null && !overlapping) {
                // Its last test has ended, and what came behind it is booked on it.
                close(open);
            }
        }
        Touches.forgetOwn();
        unit = new Unit(className, containerId);
        unit.uses.absorb(prelude);
        Touches.keptInto(unit.uses);
        unit.uses.absorb(overlapping ? EVERYTHING : sincePause);
        OPEN.put(className, unit);
        return unit;
    }

    private static void close(Unit unit) {
        OPEN.values().remove(unit);
        unit.reportMethods();
        unit.report(unit.uses);
        if (unit.lastTest != null) {
            lastClosed = unit;
        }
    }

    private static boolean anyRunning() {
        for (Unit unit : OPEN.values()) {
            if (!unit.running.isEmpty()) {
                return true;
            }
        }
        return false;
    }

    /** Books what ran since the last call on everything that is open. */
    private static void settle() {
        Uses fresh = new Uses();
        Probes.takeInto(fresh.methods, probes());
        Touches.takeInto(fresh);
        if (fresh.isEmpty()) {
            return;
        }
        EVERYTHING.absorb(fresh);
        sincePause.absorb(fresh);
        for (Unit unit : OPEN.values()) {
            unit.book(fresh);
        }
        for (Initialiser initialiser : INITIALISERS) {
            initialiser.uses.absorb(fresh);
        }
    }

    /** How many methods have been numbered, which the agent does as they are loaded. */
    private static int probes() {
        byte[] answer = Channel.ask(probesQuestion());
        return answer == null ? Integer.MAX_VALUE : new Decoder(answer).u32();
    }

    static byte[] probesQuestion() {
        return new Encoder().u8(PROBES_QUESTION).toBytes();
    }

    private static void emit(byte[] record) {
        if (prelude == null) {
            HELD.add(record);
        } else {
            Channel.emit(record);
        }
    }

    /** A test class with tests to come or to end. */
    private static final class Unit {
        final String className;
        final String containerId;

        /** All that is booked on the class; only what ran outside its tests if those are told apart. */
        final Uses uses = new Uses();

        /** Where the uses of each test that is running go. */
        final Map<String, Uses> running = new LinkedHashMap<>();

        /** If they are told apart, in the order in which they began. */
        private final Map<String, TestMethod> methods = new LinkedHashMap<>();

        /** Two of its tests ran at a time. */
        boolean overlapped;

        /** It speaks for the class; null until a test has begun. */
        String lastTest;

        Unit(String className, String containerId) {
            this.className = className;
            this.containerId = containerId;
        }

        /** True if a class in a container of this id cannot come after this one, or within. */
        boolean overlaps(String otherContainer) {
            if (!running.isEmpty()) {
                return true;
            }
            return containerId != null
                    && otherContainer != null
                    && !otherContainer.startsWith(containerId);
        }

        void book(Uses fresh) {
            if (!byMethod || running.isEmpty()) {
                uses.absorb(fresh);
            }
            if (byMethod) {
                for (Uses test : running.values()) {
                    test.absorb(fresh);
                }
            }
        }

        TestMethod method(String name) {
            TestMethod method = methods.get(name);
            if (method == null) {
                method = new TestMethod();
                methods.put(name, method);
            }
            return method;
        }

        void reportMethods() {
            for (TestMethod method : methods.values()) {
                Channel.emit(Records.used(method.lastTest, method.uses));
            }
        }

        /** What is booked on the class as such. */
        void report(Uses booked) {
            if (lastTest == null) {
                return;
            }
            if (byMethod) {
                int tangles =
                        (overlapped || overlapping ? Records.OVERLAPPING : 0)
                                | (TestFiles.areShared() ? Records.SHARED_FILES : 0);
                Channel.emit(Records.shared(className, tangles, booked));
            } else {
                Channel.emit(Records.used(lastTest, booked));
            }
        }
    }

    /** A test method with all its invocations. */
    private static final class TestMethod {
        final Uses uses = new Uses();

        /** The last invocation, which speaks for the method. */
        String lastTest;
    }

    private static final class Initialiser {
        final int number;

        /** Null for a method that is no initialiser, which may run on several at a time. */
        final Thread thread;

        final Uses uses = new Uses();

        /** How often it has begun and not ended. */
        int depth = 1;

        Initialiser(int number, Thread thread) {
            this.number = number;
            this.thread = thread;
        }
    }
}
