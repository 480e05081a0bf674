package jury.boot;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Reads what {@link Encoder} writes; bytes that end too early fail with an unchecked exception. */
final class Decoder {
    private final ByteBuffer bytes;

    Decoder(byte[] bytes) {
        this.bytes = ByteBuffer.wrap(bytes);
    }

    int u8() {
        return bytes.get() & 0xff;
    }

    int u32() {
        return bytes.getInt();
    }

    long u64() {
        return bytes.getLong();
    }

    String text() {
        byte[] utf8 = new byte[u32()];
        bytes.get(utf8);
        return new String(utf8, StandardCharsets.UTF_8);
    }

    List<String> texts() {
        int count = u32();
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            texts.add(text());
        }
        return texts;
    }

    Map<String, String> map() {
        int count = u32();
        Map<String, String> map = new TreeMap<>();
        for (int i = 0; i < count; i++) {
            map.put(text(), text());
        }
        return map;
    }
}
