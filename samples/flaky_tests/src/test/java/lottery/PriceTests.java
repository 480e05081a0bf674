package lottery;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Steady. */
class PriceTests {
    @Test
    void tenTicketsCostTwenty() {
        assertEquals(20, 10 * 2);
    }
}
