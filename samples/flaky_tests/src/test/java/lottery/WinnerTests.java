package lottery;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Steady, and leaves a winner behind. */
class WinnerTests {
    @Test
    void aTicketWins() {
        Draw.win(7);
        assertTrue(Draw.winners() > 0);
    }
}
