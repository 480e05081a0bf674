package pigeons;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

class LoftTests {
    @Test
    void deliversWithPlatformThreads() throws Exception {
        ExecutorService pigeons = Executors.newFixedThreadPool(2);
        try {
            assertEquals(10, new Loft(pigeons).deliver(List.of("hello", "world")));
        } finally {
            pigeons.shutdown();
        }
    }

    @Test
    void deliversThousandsWithVirtualThreads() throws Exception {
        assumeTrue(Threads.haveVirtual(), "needs JDK 21");
        ExecutorService pigeons = Threads.perTask();
        try {
            assertEquals(50_000, new Loft(pigeons).deliver(Collections.nCopies(10_000, "hello")));
        } finally {
            pigeons.shutdown();
        }
    }

    @Test
    void eachTaskIsVirtual() throws Exception {
        assumeTrue(Threads.haveVirtual(), "needs JDK 21");
        ExecutorService pigeons = Threads.perTask();
        try {
            assertTrue(pigeons.submit(() -> Threads.isVirtual(Thread.currentThread())).get());
        } finally {
            pigeons.shutdown();
        }
    }

    @Test
    void theTestItselfIsNot() {
        assertFalse(Threads.isVirtual(Thread.currentThread()));
    }
}
