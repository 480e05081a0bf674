package project;

import java.util.HashMap;
import java.util.Map;

/** Remembers what it was asked for. */
public class CacheTool {
    private static final Map<String, String> KNOWN = new HashMap<>();

    static String of(String key) {
        return KNOWN.computeIfAbsent(key, CacheTool::load);
    }

    private static String load(String key) {
        switch (key) {
            case "first":
                return first();
            case "second":
                return second();
            default:
                return last();
        }
    }

    private static String first() {
        return "1";
    }

    private static String second() {
        return "2";
    }

    private static String last() {
        return "3";
    }
}
