package jury.boot;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collection;
import java.util.Map;

/**
 * Writes the byte format of the Rust crate {@code protocol}: big-endian integers, UTF-8 text behind
 * a 32-bit length, maps behind a 32-bit count. Lone surrogates become {@code ?}, because the reader
 * accepts nothing but valid UTF-8. Records of what ran hold thousands of numbers, hence a buffer
 * without locks.
 */
final class Encoder {
    private byte[] bytes = new byte[512];
    private int length;

    Encoder u8(int value) {
        reserve(1);
        bytes[length++] = (byte) value;
        return this;
    }

    Encoder u32(int value) {
        reserve(4);
        bytes[length++] = (byte) (value >>> 24);
        bytes[length++] = (byte) (value >>> 16);
        bytes[length++] = (byte) (value >>> 8);
        bytes[length++] = (byte) value;
        return this;
    }

    Encoder u64(long value) {
        return u32((int) (value >>> 32)).u32((int) value);
    }

    Encoder text(String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        return u32(utf8.length).append(utf8, utf8.length);
    }

    /** What another encoder has written. */
    Encoder bytes(Encoder other) {
        return append(other.bytes, other.length);
    }

    /** Numbers of the set bits, ascending. */
    Encoder numbers(BitSet values) {
        u32(values.cardinality());
        for (int value = values.nextSetBit(0); value >= 0; value = values.nextSetBit(value + 1)) {
            u32(value);
        }
        return this;
    }

    /** Numbers, ascending, each followed by how often it ran. */
    Encoder runs(Runs runs) {
        BitSet numbers = runs.numbers();
        u32(numbers.cardinality());
        for (int one = numbers.nextSetBit(0); one >= 0; one = numbers.nextSetBit(one + 1)) {
            u32(one).u32(runs.times(one));
        }
        return this;
    }

    Encoder texts(Collection<String> values) {
        u32(values.size());
        for (String value : values) {
            text(value);
        }
        return this;
    }

    Encoder map(Map<String, String> map) {
        u32(map.size());
        for (Map.Entry<String, String> entry : map.entrySet()) {
            text(entry.getKey()).text(entry.getValue());
        }
        return this;
    }

    byte[] toBytes() {
        return Arrays.copyOf(bytes, length);
    }

    private Encoder append(byte[] more, int count) {
        reserve(count);
        System.arraycopy(more, 0, bytes, length, count);
        length += count;
        return this;
    }

    private void reserve(int more) {
        if (bytes.length - length < more) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, length + more));
        }
    }
}
