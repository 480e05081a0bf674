package jury.boot;

import java.util.Collections;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

/**
 * Properties that a build tool's booter set inside the JVM before the first test. They are on no
 * command line, so a replay has to set them again.
 */
final class SystemProperties {
    private static volatile Map<String, String> initial = Collections.emptyMap();

    private SystemProperties() {}

    /** Remembers what the JVM started with. */
    static void snapshot() {
        initial = current();
    }

    /** What the JVM started with; null if it had no such property then. */
    static String initial(String name) {
        return initial.get(name);
    }

    /** New and changed properties since the snapshot. */
    static Map<String, String> changes() {
        Map<String, String> changes = current();
        changes.entrySet().removeAll(initial.entrySet());
        return changes;
    }

    private static Map<String, String> current() {
        Properties properties = System.getProperties();
        Map<String, String> texts = new TreeMap<>();
        for (String name : properties.stringPropertyNames()) {
            String value = properties.getProperty(name);
            if (value != null) {
                texts.put(name, value);
            }
        }
        return texts;
    }
}
