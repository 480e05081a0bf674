package siege;

/** Once a test has sent it out, it walks for ever. */
final class Patrol {
    private int steps;

    // expect: void killed
    void walk() {
        steps++;
    }

    int steps() {
        return steps;
    }

    // expect: 0 survived, 1 survived
    static int report(int day) {
        return day * 24 + 7;
    }
}
