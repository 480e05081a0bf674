package chess;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class KnightOpening {
    @ParameterizedTest
    @ValueSource(strings = {"f3", "h3", "e2"})
    void jumps(String target) {
        assertTrue(Piece.KNIGHT.reaches(Square.of("g1"), Square.of(target)));
    }
}
