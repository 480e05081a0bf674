package siege;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Passes as long as nobody minds a thread that dies. */
class AlarmTests {
    @Test
    void rings() throws Exception {
        Alarm.ring(3);
        Thread bell = new Thread(() -> {
            throw new IllegalStateException("the bell cracks");
        });
        bell.start();
        bell.join();
    }
}

/** Minds, and has the JVM halt, from now on and for everybody. */
class HandlerTests {
    @Test
    void isSet() {
        Thread.setDefaultUncaughtExceptionHandler(
                (thread, thrown) -> Runtime.getRuntime().halt(7));
        Alarm.ring(5);
        assertEquals(8, Alarm.distance(5));
    }
}
