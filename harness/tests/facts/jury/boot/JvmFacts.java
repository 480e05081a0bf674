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

    static void expressionOfTwoThreads() throws InterruptedException {
        Observations.attend(-1, true, -1, 1, false);
        Observations.seen(1, 40L);
        Observations.seen(2, 40L);
        System.out.println("one " + texts().contains("#threads"));
        Observations.seen(1, 40L);
        Thread other = new Thread(() -> Observations.seen(2, 40L));
        other.start();
        other.join();
        System.out.println("two " + texts().contains("#threads"));
    }

    static void digests() throws InterruptedException {
        Observations.attend(-1, true, -1, 1, true);
        String first = digest(40L, "a", 41L, "b");
        System.out.println("other order " + first.equals(digest(41L, "b", 40L, "a")));
        System.out.println("other place " + first.equals(digest(40L, "b", 41L, "a")));
        System.out.println("other value " + first.equals(digest(40L, "a", 41L, "c")));
        System.out.println("other number of turns " + first.equals(digest(40L, "a", 40L, "b")));
        Observations.seen("chance", 42L);
        Thread other = new Thread(() -> Observations.seen("chance", 42L));
        other.start();
        other.join();
        byte[] crowded = Sightings.take("test");
        Observations.seen("luck", 42L);
        other = new Thread(() -> Observations.seen("luck", 42L));
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
