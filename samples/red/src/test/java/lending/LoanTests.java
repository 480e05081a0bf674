package lending;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.time.LocalDate;
import org.junit.jupiter.api.Test;

class LoanTests {
    private final Loan loan = new Loan("Moby-Dick", LocalDate.of(2026, 3, 1));

    @Test
    void isNotLateOnTheDay() {
        assertEquals(0, loan.daysLate(LocalDate.of(2026, 3, 1)));
    }

    @Test
    void finesAreCapped() {
        assertEquals(500, loan.fineInCents(LocalDate.of(2027, 3, 1)));
    }

    /** Fails: the fine is ten cents a day, not twenty. */
    @Test
    void finesGrowByTheDay() {
        assertEquals(40, loan.fineInCents(LocalDate.of(2026, 3, 3)));
    }

    /** Ends in an error that is no assertion: a loan without a due date. */
    @Test
    void openEndedLoansAreNeverLate() {
        assertEquals(0, new Loan("Emma", null).daysLate(LocalDate.of(2026, 3, 3)));
    }
}
