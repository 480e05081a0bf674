package lottery;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Brittle: passes only if {@link BoothTests} ran before. */
class CounterTests {
    @Test
    void ticketsAreSold() {
        assertTrue(Draw.sold() >= 100, "no tickets");
    }

    @Test
    void countsUp() {
        int before = Draw.sold();
        Draw.sell(1);
        assertTrue(Draw.sold() > before);
    }
}
