package jury.boot;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
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
        new Worker(null).prepare(properties, Collections.emptyMap(), 0);
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

    static void digestsOfCalls() {
        Observations.attend(7, false, -1, 1, true);
        String texts = calls("a", "b", "b");
        System.out.println("same calls " + texts.equals(calls("a", "b", "b")));
        System.out.println("other order " + texts.equals(calls("b", "a", "b")));
        System.out.println("more calls " + texts.equals(calls("a", "b", "b", "b")));
        System.out.println("other value " + texts.equals(calls("a", "b", "c")));
        System.out.println("third value told " + calls("a", "b", "third").contains("third"));
    }

    private static String calls(String... results) {
        for (String result : results) {
            Observations.entered(7);
            Observations.returned(result, 7);
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
