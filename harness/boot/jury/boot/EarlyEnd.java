package jury.boot;

/**
 * Ends a batch at its first red test, if that was asked for: whoever begins after it, and passes a
 * gate, is called off and never heard of.
 */
final class EarlyEnd {
    private static volatile boolean wanted;
    private static volatile boolean reached;

    private EarlyEnd() {}

    static void begin(boolean untilRed) {
        wanted = untilRed;
        reached = false;
    }

    static void red() {
        reached = wanted;
    }

    static boolean reached() {
        return reached;
    }
}
