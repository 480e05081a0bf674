package stage;

import java.util.Locale;

/** Says whether a test shall misbehave today. */
final class Mood {
    private Mood() {}

    /** True if the property {@code misbehave} or the variable {@code MISBEHAVE} holds this name. */
    static boolean is(String name) {
        String asked = System.getProperty("misbehave", System.getenv("MISBEHAVE"));
        return asked != null && asked.toLowerCase(Locale.ROOT).equals(name);
    }
}
