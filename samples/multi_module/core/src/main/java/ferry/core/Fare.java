package ferry.core;

/** What a crossing costs, in cents. */
public enum Fare {
    ADULT(420),
    CHILD(210),
    BICYCLE(300);

    private final int cents;

    Fare(int cents) {
        this.cents = cents;
    }

    public int cents() {
        return cents;
    }

    public int returnTrip() {
        return cents * 2 * 9 / 10;
    }
}
