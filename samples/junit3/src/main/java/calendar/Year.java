package calendar;

/** A year of the Gregorian calendar. */
public class Year {
    private final int number;

    public Year(int number) {
        if (number < 1583) {
            throw new IllegalArgumentException("the calendar was not in use in " + number);
        }
        this.number = number;
    }

    public boolean isLeap() {
        return number % 4 == 0 && (number % 100 != 0 || number % 400 == 0);
    }

    public int days() {
        return isLeap() ? 366 : 365;
    }
}
