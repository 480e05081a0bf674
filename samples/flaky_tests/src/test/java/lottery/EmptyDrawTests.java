package lottery;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** A victim: fails if {@link WinnerTests} ran before. */
class EmptyDrawTests {
    @Test
    void nobodyHasWonYet() {
        assertEquals(0, Draw.winners());
    }
}
