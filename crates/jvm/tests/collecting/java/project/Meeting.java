package project;

import java.util.concurrent.CyclicBarrier;

/** Where two tests meet, so that they overlap on any machine. */
class Meeting {
    private static final CyclicBarrier BOTH = new CyclicBarrier(2);

    static void await() {
        try {
            BOTH.await();
        } catch (Exception broken) {
            throw new AssertionError(broken);
        }
    }
}
