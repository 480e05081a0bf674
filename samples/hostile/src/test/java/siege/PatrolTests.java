package siege;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** The first test does next to nothing itself, but waits for whoever the last one has left behind. */
@TestMethodOrder(MethodOrderer.MethodName.class)
class PatrolTests {
    private static final AtomicLong WALKS = new AtomicLong();
    private static Thread patrol;

    @Test
    void isReported() throws InterruptedException {
        Patrol.report(3);
        long enough = WALKS.get() + 3_000_000;
        while (patrol != null && WALKS.get() < enough) {
            Thread.sleep(1);
        }
    }

    @Test
    void walks() {
        Patrol own = new Patrol();
        own.walk();
        assertEquals(1, own.steps());
        if (patrol == null) {
            patrol = new Thread(() -> walkForEver(new Patrol()));
            patrol.setDaemon(true);
            patrol.start();
        }
    }

    private static void walkForEver(Patrol patrol) {
        while (true) {
            try {
                for (int walk = 0; walk < 100_000; walk++) {
                    WALKS.getAndIncrement();
                    patrol.walk();
                }
                Thread.sleep(3); // Others want to compute, too.
            } catch (Throwable stopped) {
                // Nothing stops it.
            }
        }
    }
}
