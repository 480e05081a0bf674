package chess;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A class template: all of it runs once for each piece. */
@ParameterizedClass
@EnumSource(Piece.class)
class PieceTests {
    @Parameter
    Piece piece;

    @Test
    void cannotStayWhereItIs() {
        assertFalse(piece.reaches(Square.of("d4"), Square.of("d4")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a2", "e5"})
    void hasNoWayAcrossTheBoard(String target) {
        assertFalse(piece.reaches(Square.of("b7"), Square.of(target)));
    }

    @Nested
    class OnItsWay {
        @Test
        void canGoBack() {
            Square home = Square.of("d4");
            for (int rank = 1; rank <= 8; rank++) {
                Square away = new Square(6, rank);
                assertTrue(piece.reaches(home, away) == piece.reaches(away, home));
            }
        }
    }
}
