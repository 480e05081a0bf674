package jury.boot;

import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Shows how Java writes records and reads commands, for comparison with the Rust side. Prints one
 * line {@code name hex} for each sample record, then one line for each command given as an argument
 * in hex.
 */
public final class Mirror {
    private Mirror() {}

    public static void main(String[] commands) {
        Map<String, String> map = Collections.singletonMap("greeting", "grüß dich");
        TestCase test =
                new TestCase(
                        "[engine:junit-jupiter]/[class:a.BTest]/[method:adds(int)]",
                        "junit-jupiter",
                        "a.BTest",
                        "adds",
                        "(int)[1]",
                        "adds → 3");
        Failure failure = new Failure("java.lang.AssertionError", "1 ≠ 2", "at a.BTest.adds");
        print("properties", Records.properties(map));
        print("launcher-parameters", Records.launcherParameters(map));
        print("test-started", Records.testStarted(test));
        for (Outcome outcome : Outcome.values()) {
            byte[] record =
                    Records.testFinished(
                            test.id,
                            outcome,
                            0x0102030405060708L,
                            outcome == Outcome.FAILED ? failure : null);
            print("test-" + outcome.word, record);
        }
        print("test-skipped-before-start", Records.testSkipped(test, "slow"));
        print("container-failed", Records.containerFailed("a.BTest", "a.BTest", failure));
        BitSet methods = new BitSet();
        methods.set(0);
        methods.set(300);
        Runs runs = new Runs();
        runs.add(0, 1);
        runs.add(300, 2);
        BitSet initialising = new BitSet();
        initialising.set(300);
        Probes.Work work = new Probes.Work(5, true);
        print("worked", Records.worked("a.BTest", runs, initialising, work));
        Uses uses = new Uses();
        uses.methods.or(methods);
        uses.touch(TouchKind.ALL_VARIABLES_READ, "");
        uses.touch(TouchKind.FILE_READ, "/grün");
        uses.marks = Uses.CHILD_PROCESS | Uses.NATIVE_LIBRARY;
        print("used", Records.used("a.BTest", uses));
        print(
                "shared",
                Records.shared("a.BTest", Records.OVERLAPPING | Records.SHARED_FILES, uses));
        print("initialised", Records.initialised(300, uses));
        print("left-out-unit", Records.leftOutUnit("a.BTest"));
        print("in-process", Records.inProcess("/p", true));
        Sightings.Calls calls = new Sightings.Calls();
        calls.count = 3;
        calls.digest = 8;
        calls.approach(2);
        Encoder sighting = new Encoder().u64(1L << 32).u32(2).u32(0).u32(1);
        print(
                "seen",
                Records.seen(
                        "a.BTest",
                        Arrays.asList("result#value", "I5"),
                        1,
                        sighting,
                        7,
                        Collections.singletonMap(5, calls),
                        true,
                        Collections.singleton("a.B.hidden")));
        print("ready", Records.ready());
        print("batch-done", Records.batchDone(3, "class not found"));
        print("trouble", Records.trouble("out of luck"));
        print("ask", Counsel.question("/p", Arrays.asList("a.BTest", "a.CTest")));
        print("red-question", Counsel.redQuestion());
        print("path-question", Touches.pathQuestion("/grün"));
        print("port-question", Sockets.portQuestion(8080));
        print("class-question", Touches.classQuestion("a/B"));
        print("probes-question", Collector.probesQuestion());
        print("flags-question", SurefireFork.flagsQuestion());
        for (String command : commands) {
            Commands.decode(fromHex(command), new Printer());
        }
    }

    private static void print(String name, byte[] record) {
        StringBuilder hex = new StringBuilder();
        for (byte b : record) {
            hex.append(String.format("%02x", b));
        }
        System.out.println(name + " " + hex);
    }

    private static byte[] fromHex(String hex) {
        byte[] bytes = new byte[hex.length() / 2];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
        }
        return bytes;
    }

    private static final class Printer implements Commands.Handler {
        @Override
        public void prepare(
                Map<String, String> properties,
                Map<String, String> parameters,
                int probes,
                List<String> testCode) {
            System.out.println(
                    "prepare " + properties + " " + parameters + " " + probes + " " + testCode);
        }

        @Override
        public void switchTo(int body) {
            System.out.println("switch " + body);
        }

        @Override
        public void limit(long work) {
            System.out.println("limit " + work);
        }

        @Override
        public void attend(int calls, boolean values, int stackOf, int depth, boolean digestOnly) {
            System.out.println(
                    "attend " + calls + " " + values + " " + stackOf + " " + depth + " "
                            + digestOnly);
        }

        @Override
        public void run(int batch, String engine, boolean untilRed, List<String> tests) {
            System.out.println("run " + batch + " " + engine + " " + untilRed + " " + tests);
        }

        @Override
        public void stop() {
            System.out.println("stop");
        }
    }
}
