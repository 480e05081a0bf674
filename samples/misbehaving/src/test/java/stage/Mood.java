package stage;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** Says whether a test shall misbehave today. */
final class Mood {
    /** Never closed by us, so whoever reads the pipe learns from its end that this JVM has ended. */
    private static OutputStream pipe;

    private Mood() {}

    /** True if the property {@code misbehave} or the variable {@code MISBEHAVE} holds this name. */
    static boolean is(String name) {
        String asked = System.getProperty("misbehave", System.getenv("MISBEHAVE"));
        return asked != null && asked.toLowerCase(Locale.ROOT).equals(name);
    }

    /** Writes a line to the pipe that the variable {@code MISBEHAVE_PIPE} names, if there is one. */
    static void tellThePipe(String line) throws IOException {
        String name = System.getenv("MISBEHAVE_PIPE");
        if (name != null) {
            pipe = new FileOutputStream(name);
            pipe.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            pipe.flush();
        }
    }
}
