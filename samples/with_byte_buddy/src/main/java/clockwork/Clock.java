package clockwork;

/** Strikes the hours. */
public class Clock {
    public String strike(int hour) {
        return "dong ".repeat(hour).trim();
    }

    public int hoursPerDay() {
        return 24;
    }
}
