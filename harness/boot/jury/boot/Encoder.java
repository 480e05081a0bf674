package jury.boot;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.BitSet;
import java.util.Collection;
import java.util.Map;

/**
 * Writes the byte format of the Rust crate {@code protocol}: big-endian integers, UTF-8 text behind
 * a 32-bit length, maps behind a 32-bit count. Lone surrogates become {@code ?}, because the reader
 * accepts nothing but valid UTF-8.
 */
final class Encoder {
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);

    Encoder u8(int value) {
        bytes.write(value);
        return this;
    }

    Encoder u32(int value) {
        for (int shift = 24; shift >= 0; shift -= 8) {
            bytes.write(value >>> shift);
        }
        return this;
    }

    Encoder u64(long value) {
        return u32((int) (value >>> 32)).u32((int) value);
    }

    Encoder text(String value) {
        byte[] utf8 = value.getBytes(StandardCharsets.UTF_8);
        u32(utf8.length);
        bytes.write(utf8, 0, utf8.length);
        return this;
    }

    /** What another encoder has written. */
    Encoder bytes(Encoder other) {
        byte[] written = other.toBytes();
        bytes.write(written, 0, written.length);
        return this;
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
        return bytes.toByteArray();
    }
}
