package jury.boot;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;

/** What is told about the JVM, and about exceptions that do not want to be told. */
final class JvmFacts {
    private JvmFacts() {}

    static void changedProperties() {
        System.setProperty("set.by.booter", "1");
        System.getProperties().put("not.text", 7);
        Hooks.entered(Hooks.NOTIFIER_CREATED, null, null, null);
        System.setProperty("set.later", "2");
        Hooks.entered(Hooks.RESULT_CREATED, null, null, null);
    }

    static void assertionsSwitchedOnInside() {
        ClassLoader.getSystemClassLoader().setDefaultAssertionStatus(true);
        Hooks.entered(Hooks.NOTIFIER_CREATED, null, null, null);
    }

    static void assertionsSwitchedOnAgain() {
        Map<String, String> properties = Collections.singletonMap("jury.assertions", "on");
        new Worker(null).prepare(properties, Collections.emptyMap(), 0, Collections.emptyList());
        boolean areOn = Sceptic.class.desiredAssertionStatus();
        System.out.println(areOn + " " + System.getProperty("jury.assertions"));
    }

    private static final class Sceptic {}

    static void hostileException() {
        Failure failure =
                Failure.of(
                        new RuntimeException() {
                            @Override
                            public String getMessage() {
                                throw new StackOverflowError();
                            }

                            @Override
                            public void printStackTrace(PrintWriter out) {
                                out.print("begun");
                                throw new OutOfMemoryError();
                            }
                        });
        System.out.println(failure.exception + " [" + failure.message + "] " + failure.trace);
    }

    static void hugeException() {
        StringBuilder message = new StringBuilder();
        for (int i = 0; i < 100_000; i++) {
            message.append('x');
        }
        Failure failure = Failure.of(new RuntimeException(message.toString()));
        System.out.println(failure.message.length() + " " + failure.trace.length());
    }

    /** Places of expressions have the number of their class in the upper half. */
    private static final long EXPRESSION = 1L << 32;

    static void expressionOfTwoThreads() throws InterruptedException {
        Observations.attend(-1, true, -1, 1, false);
        Observations.seen(1, EXPRESSION + 40);
        Observations.seen(2, EXPRESSION + 40);
        System.out.println("one " + texts().contains("#threads"));
        Observations.seen(1, EXPRESSION + 40);
        Thread other = new Thread(() -> Observations.seen(2, EXPRESSION + 40));
        other.start();
        other.join();
        System.out.println("two " + texts().contains("#threads"));
    }

    static void callsOfTwoThreads() throws InterruptedException {
        Observations.attend(7, false, -1, 1, false);
        System.out.println("one " + calls("a", "b").contains("#threads"));
        callBeside("a", "b");
        System.out.println("two others " + texts().contains("#threads"));
        callBeside("a");
        call("b");
        System.out.println("another first " + texts().contains("#threads"));
        call("a");
        callBeside("b");
        System.out.println("one beside the test " + texts().contains("#threads"));

        Observations.attend(7, false, -1, 1, true);
        callBeside("a", "b");
        String seen = callsSeen();
        callBeside("a", "c");
        System.out.println("other crowd " + seen.equals(callsSeen()));
        System.out.println("counted " + seen.split(" ")[1]);
        call("a");
        callBeside("b");
        call("c");
        seen = callsSeen();
        call("a");
        call("c");
        callBeside("b");
        System.out.println("other turn of threads " + seen.equals(callsSeen()));
        call("a");
        call("c");
        callBeside("d");
        System.out.println("other value " + seen.equals(callsSeen()));
    }

    /** Each on a thread of its own. */
    private static void callBeside(String... results) throws InterruptedException {
        for (String result : results) {
            Thread beside = new Thread(() -> call(result));
            beside.start();
            beside.join();
        }
    }

    private static void call(String result) {
        Observations.entered(7);
        Observations.returned(result, 7);
    }

    static void digestsOfCalls() {
        Observations.attend(7, false, -1, 1, true);
        String texts = calls("a", "b", "b");
        System.out.println("same calls " + texts.equals(calls("a", "b", "b")));
        System.out.println("other order " + texts.equals(calls("b", "a", "b")));
        System.out.println("more calls " + texts.equals(calls("a", "b", "b", "b")));
        System.out.println("other value " + texts.equals(calls("a", "b", "c")));
        System.out.println("third value told " + calls("a", "b", "third").contains("third"));
    }

    static void callsOfAllMethods() {
        Observations.attend(7, false, -1, 1, true);
        outerCall();
        String alone = callsSeen();
        Observations.attend(-2, false, -1, 1, true);
        outerCall();
        String[] all = callsSeen().split(";");
        System.out.println("methods " + all.length);
        System.out.println("as when watched alone " + alone.equals(all[0] + ";"));
    }

    /** One method calls another, which throws. */
    private static void outerCall() {
        Observations.entered(7);
        Observations.argument("a", 7);
        Observations.entered(8);
        Observations.threw(new IllegalStateException(), 8);
        Observations.returned("b", 7);
    }

    /** Number, count and digest of each method's calls. */
    private static String callsSeen() {
        Decoder record = new Decoder(Sightings.take("test"));
        record.u8();
        record.text();
        record.texts();
        for (int left = record.u32(); left > 0; left--) {
            record.u64();
            record.u32();
            record.u32();
            record.u32();
        }
        record.u64();
        StringBuilder seen = new StringBuilder();
        for (int left = record.u32(); left > 0; left--) {
            seen.append(record.u32()).append(' ').append(record.u32()).append(' ');
            seen.append(record.u64()).append(';');
            record.u32();
        }
        return seen.toString();
    }

    /** Lists of the JDK stand for the code that is tested. */
    static void distanceFromTests() {
        List<Integer> one = Arrays.asList(1);
        TestCode.is(Collections.singleton("jury/boot/JvmFacts"));
        one.forEach(each -> System.out.println("called by a test " + Caller.distanceFromTests()));
        Collections.unmodifiableList(one)
                .forEach(each -> System.out.println("once removed " + Caller.distanceFromTests()));
    }

    static void annotatedMethods() {
        List<String> found = Arrays.asList("begin", "end");
        System.out.println("new " + AnnotatedMethods.isNew(String.class, Override.class, "top down"));
        AnnotatedMethods.keep(found, String.class, Override.class, "top down");
        List<?> known = AnnotatedMethods.recall(String.class, Override.class, "top down");
        known.clear();
        System.out.println(AnnotatedMethods.recall(String.class, Override.class, "top down"));
        System.out.println("new " + AnnotatedMethods.isNew(String.class, Override.class, "top down"));
        System.out.println("order " + AnnotatedMethods.isNew(String.class, Override.class, "bottom up"));
        System.out.println("annotation " + AnnotatedMethods.isNew(String.class, Deprecated.class, "top down"));
        System.out.println("class " + AnnotatedMethods.isNew(Object.class, Override.class, "top down"));
        System.out.println("no class " + AnnotatedMethods.isNew(null, null, null));
    }

    static void workOfThreads() throws InterruptedException {
        Thread older = new Thread(() -> System.out.println("older stopped " + isStopped(50_000)));
        OwnThreads.clear();
        Probes.limit(10_000);
        Probes.restart();
        older.start();
        older.join();
        // As much as it may have done since somebody looked last is taken for this thread's.
        System.out.println("this one stopped early " + isStopped(10_000 - (1 << 12)));
        System.out.println("overran " + Probes.restart().overran);
        Thread newer = new Thread(() -> System.out.println("newer stopped " + isStopped(10_001)));
        newer.start();
        newer.join();
        System.out.println("this one stopped with it " + isStopped(1));
        Probes.Work work = Probes.restart();
        System.out.println("overran " + work.overran + " after " + work.amount);
    }

    private static boolean isStopped(int work) {
        try {
            for (int done = 0; done < work; done++) {
                Probes.tick();
            }
            return false;
        } catch (Overrun overrun) {
            return true;
        }
    }

    private static String calls(String... results) {
        for (String result : results) {
            call(result);
        }
        return texts();
    }

    static void temporaryNames() {
        for (String text :
                new String[] {
                    "T/t/jury-x/junit-123456789/a12.txt", "Tno /t/jury-x, 1234567", "Tother 1234567"
                }) {
            System.out.println(Digest.withoutChance(text, "/t/jury-x"));
        }
    }

    static void digests() throws InterruptedException {
        Observations.attend(-1, true, -1, 1, true);
        String first = digest(EXPRESSION + 40, "a", EXPRESSION + 41, "b");
        System.out.println("other order " + first.equals(digest(EXPRESSION + 41, "b", EXPRESSION + 40, "a")));
        System.out.println("other place " + first.equals(digest(EXPRESSION + 40, "b", EXPRESSION + 41, "a")));
        System.out.println("other value " + first.equals(digest(EXPRESSION + 40, "a", EXPRESSION + 41, "c")));
        System.out.println("other number of turns " + first.equals(digest(EXPRESSION + 40, "a", EXPRESSION + 40, "b")));
        Observations.seen("chance", EXPRESSION + 42);
        Thread other = new Thread(() -> Observations.seen("chance", EXPRESSION + 42));
        other.start();
        other.join();
        byte[] crowded = Sightings.take("test");
        Observations.seen("luck", EXPRESSION + 42);
        other = new Thread(() -> Observations.seen("luck", EXPRESSION + 42));
        other.start();
        other.join();
        System.out.println("other crowd " + Arrays.equals(crowded, Sightings.take("test")));
    }

    private static String digest(long one, Object value, long other, Object otherValue) {
        Observations.seen(value, one);
        Observations.seen(otherValue, other);
        return texts();
    }

    /** What was seen, as far as it is text. */
    private static String texts() {
        return new String(Sightings.take("test"), StandardCharsets.ISO_8859_1);
    }
}
