package lottery;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Sells tickets, and leaves them sold: what {@link CounterTests} lives on. */
class BoothTests {
    @Test
    void sellsTickets() {
        int before = Draw.sold();
        Draw.sell(100);
        assertEquals(100, Draw.sold() - before);
    }
}
