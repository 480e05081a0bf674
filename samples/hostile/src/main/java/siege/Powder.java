package siege;

/** Without {@code dampen} its test passes once more, and then ends every JVM that asks it again. */
final class Powder {
    private static int sparks;

    private Powder() {}

    // expect: void survived
    static void dampen() {
        if (sparks > 0) {
            sparks = 0;
        }
    }

    // expect: 0 survived, 1 survived
    static int strike(int times) {
        sparks += times;
        return sparks;
    }

    static int sparks() {
        return sparks;
    }
}
