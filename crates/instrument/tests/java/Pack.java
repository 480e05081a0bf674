import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Many classes in one file: for each, the module it belongs to (empty for a class of a jar), its
 * name in VM form and its bytes, every part preceded by its length.
 */
final class Pack {
    record Entry(String module, String name, byte[] bytes) {}

    static List<Entry> read(Path file) throws IOException {
        List<Entry> entries = new ArrayList<>();
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 20))) {
            while (true) {
                byte[] module = part(in);
                if (module == null) {
                    return entries;
                }
                entries.add(new Entry(text(module), text(part(in)), part(in)));
            }
        }
    }

    static void write(Path file, Iterable<Entry> entries) throws IOException {
        try (DataOutputStream out = new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), 1 << 20))) {
            for (Entry entry : entries) {
                for (byte[] part : List.of(bytes(entry.module), bytes(entry.name), entry.bytes)) {
                    out.writeInt(part.length);
                    out.write(part);
                }
            }
        }
    }

    private static byte[] part(DataInputStream in) throws IOException {
        int length;
        try {
            length = in.readInt();
        } catch (EOFException end) {
            return null;
        }
        return in.readNBytes(length);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String text(byte[] bytes) {
        return new String(bytes, StandardCharsets.UTF_8);
    }
}
