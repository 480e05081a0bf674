package stage;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Each test passes, unless the mood of the day names it. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class TantrumTests {
    @Test
    @Order(1)
    void bowsBeforehand() {
        assertTrue(Thread.currentThread().isAlive());
    }

    @Test
    @Order(2)
    void hangs() throws Exception {
        if (Mood.is("hang")) {
            Mood.tellThePipe("hanging");
            new CountDownLatch(1).await();
        }
    }

    @Test
    @Order(3)
    void spins() {
        while (Mood.is("spin")) {
            Thread.onSpinWait();
        }
    }

    @Test
    @Order(4)
    void exits() {
        if (Mood.is("exit")) {
            System.exit(0);
        }
    }

    @Test
    @Order(5)
    void halts() {
        if (Mood.is("halt")) {
            Runtime.getRuntime().halt(3);
        }
    }

    @Test
    @Order(6)
    void killsItsProcess() throws Exception {
        if (Mood.is("kill")) {
            String self = Long.toString(ProcessHandle.current().pid());
            new ProcessBuilder("kill", "-KILL", self).start().waitFor();
        }
    }

    @Test
    @Order(7)
    void overflowsTheStack() {
        if (Mood.is("overflow")) {
            assertTrue(depth(0) > 0);
        }
    }

    @Test
    @Order(8)
    void exhaustsMemory() {
        List<long[]> hoard = new ArrayList<>();
        while (Mood.is("memory")) {
            hoard.add(new long[128 * 1024]);
        }
        assertTrue(hoard.isEmpty());
    }

    @Test
    @Order(9)
    void leavesAThreadBehind() {
        if (Mood.is("linger")) {
            new Thread(TantrumTests::waitForEver, "encore").start();
        }
    }

    @Test
    @Order(10)
    void bowsAfterwards() {
        assertTrue(Thread.currentThread().isAlive());
    }

    private static int depth(int above) {
        return depth(above + 1) + 1;
    }

    private static void waitForEver() {
        try {
            new CountDownLatch(1).await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }
}
