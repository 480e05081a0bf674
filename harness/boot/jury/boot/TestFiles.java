package jury.boot;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Files that single tests of a class have written, where tests are told apart. A test that comes
 * upon a file of another cannot be selected without it; which one it was is not asked.
 */
final class TestFiles {
    /** By path, the test method that wrote it last. */
    private static final Map<String, String> WRITERS = new ConcurrentHashMap<>();

    /** The test method at work; null outside tests, whose files are everyone's. */
    private static volatile String current;

    private static volatile boolean shared;

    private TestFiles() {}

    /** {@code method} is null when a test has ended. */
    static void at(String method) {
        current = method;
    }

    static void wrote(String path) {
        if (current != null) {
            WRITERS.put(path, current);
        }
    }

    static void sawFile(String path) {
        if (current != null) {
            note(WRITERS.get(path));
        }
    }

    static void sawDirectory(String path) {
        if (current != null) {
            for (Map.Entry<String, String> written : WRITERS.entrySet()) {
                if (written.getKey().startsWith(path)) {
                    note(written.getValue());
                }
            }
        }
    }

    private static void note(String writer) {
        if (writer != null && !writer.equals(current)) {
            shared = true;
        }
    }

    /** True if a test of the class at work came upon a file of another. */
    static boolean areShared() {
        return shared;
    }

    /** Another test class begins. */
    static void clear() {
        WRITERS.clear();
        shared = false;
    }
}
