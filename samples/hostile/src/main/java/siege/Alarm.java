package siege;

/** Its tests leave behind what ends the JVM when the next thread dies. */
final class Alarm {
    private Alarm() {}

    // expect: 0 survived, 1 survived
    static int ring(int times) {
        return times * 2 + 1;
    }

    // expect: 0 killed, 1 killed
    static int distance(int miles) {
        return miles * 8 / 5;
    }
}
