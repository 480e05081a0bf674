package chess;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import org.junit.jupiter.api.Test;

class RookOpening {
    @Test
    void takesTheOpenFile() {
        assertTrue(Piece.ROOK.reaches(Square.of("a1"), Square.of("a8")));
    }

    @Test
    void castles() {
        assumeFalse(Square.of("e1").isDark(), "the king is not on the board");
        throw new AssertionError("went on after an assumption that does not hold");
    }
}
