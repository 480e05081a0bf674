package siege;

import java.util.ArrayList;
import java.util.List;

/** Under a mutant it ends the JVM, never ends, or fills the memory. */
final class Gate {
    private static final List<byte[]> STORES = new ArrayList<>();

    private Gate() {}

    // expect: void survived
    static void enter(String who) {
        if (!isFriend(who)) {
            System.exit(0);
        }
    }

    // expect: true survived, false crashed
    static boolean isFriend(String who) {
        return who.length() > 3;
    }

    // expect: 0 killed, 1 killed
    static int climb(int steps) {
        int climbed = 0;
        while (steps > 0) {
            steps = step(steps);
            climbed++;
        }
        return climbed;
    }

    // expect: 0 killed, 1 timed-out
    static int step(int left) {
        return left - 1;
    }

    // expect: 0 killed, 1 killed
    static int load() {
        int loads = 0;
        while (!isFull(loads)) {
            STORES.add(new byte[1 << 20]);
            loads++;
        }
        STORES.clear();
        return loads;
    }

    // expect: true killed, false crashed
    static boolean isFull(int loads) {
        return loads >= 3;
    }
}
