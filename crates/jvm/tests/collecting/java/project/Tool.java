package project;

/** Used by several tests; its initialiser uses something else. */
public class Tool {
    static final String NAME = Maker.name();

    static String name() {
        return NAME;
    }

    static class Maker {
        static String name() {
            return System.getenv("TOOL_NAME");
        }
    }
}
