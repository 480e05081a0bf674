package lending;

import java.time.LocalDate;
import java.time.temporal.ChronoUnit;

/** A book lent out until a certain day. */
public record Loan(String title, LocalDate due) {
    public long daysLate(LocalDate today) {
        return Math.max(0, ChronoUnit.DAYS.between(due, today));
    }

    /** Ten cents a day, at most five euros. */
    public int fineInCents(LocalDate today) {
        return (int) Math.min(500, 10 * daysLate(today));
    }
}
