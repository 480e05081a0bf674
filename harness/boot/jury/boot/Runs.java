package jury.boot;

import java.util.Arrays;
import java.util.BitSet;

/** How often probed methods and blocks ran, by their numbers. */
final class Runs {
    private final BitSet numbers = new BitSet(0);
    private int[] times = new int[0];

    void add(int number, int more) {
        if (number >= times.length) {
            times = Arrays.copyOf(times, Math.max(number + 1, 2 * times.length));
        }
        numbers.set(number);
        times[number] += more;
    }

    void addAll(Runs others) {
        BitSet theirs = others.numbers;
        for (int one = theirs.nextSetBit(0); one >= 0; one = theirs.nextSetBit(one + 1)) {
            add(one, others.times[one]);
        }
    }

    void clear() {
        numbers.clear();
        Arrays.fill(times, 0);
    }

    /** Those that ran; not to be changed. */
    BitSet numbers() {
        return numbers;
    }

    int times(int number) {
        return numbers.get(number) ? times[number] : 0;
    }
}
