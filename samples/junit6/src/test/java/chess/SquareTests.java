package chess;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

class SquareTests {
    @Test
    void lowerLeftCornerIsDark() {
        assertTrue(Square.of("a1").isDark());
    }

    @Test
    void readsWhatItPrints() {
        assertEquals("h5", Square.of("h5").toString());
    }

    @Test
    void boardEndsAtH() {
        assertThrows(IllegalArgumentException.class, () -> Square.of("i1"));
    }

    @Test
    @Disabled("three-dimensional chess comes later")
    void hasLevels() {
        throw new AssertionError("a disabled test was run");
    }
}
