package jury.boot;

import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Configuration parameters that the build handed to the JUnit Platform launcher, collected as they
 * enter the request builder. A finished request can list them only since platform 1.9, and then
 * mixed with those of files and system properties, which a replay finds by itself.
 */
final class LauncherParameters {
    private static final Map<String, String> EXPLICIT = new ConcurrentSkipListMap<>();
    private static final AtomicBoolean REPORTED = new AtomicBoolean();

    private LauncherParameters() {}

    static void add(Object key, Object value) {
        if (key instanceof String && value instanceof String) {
            EXPLICIT.put((String) key, (String) value);
        }
    }

    static void reportOnce() {
        if (REPORTED.compareAndSet(false, true)) {
            Channel.emit(Records.launcherParameters(EXPLICIT));
        }
    }
}
