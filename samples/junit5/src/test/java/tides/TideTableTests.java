package tides;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.LocalTime;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nested, repeated, disabled and abandoned tests, under names from several alphabets. */
@DisplayName("Gezeitentafel für Büsum")
class TideTableTests {
    private final TideTable table = new TideTable("Büsum");

    @Test
    @DisplayName("ist am Anfang leer – 空の表")
    void startsEmpty() {
        assertTrue(table.tides().isEmpty());
    }

    @RepeatedTest(3)
    void staysEmptyHoweverOftenAsked() {
        assertTrue(table.next(LocalTime.MIDNIGHT).isEmpty());
    }

    @Test
    @Disabled("the harbour master has not decided yet")
    void knowsSummerTime() {
        throw new AssertionError("a disabled test was run");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    @Disabled("a template that is switched off never yields its invocations")
    void knowsLeapSeconds(int seconds) {
        throw new AssertionError("a disabled template was run with " + seconds);
    }

    @Test
    void matchesTheGaugeAtThePier() {
        assumeTrue(table.tides().size() > 100, "no gauge connected");
        throw new AssertionError("went on after an assumption that does not hold");
    }

    @Nested
    @DisplayName("с двумя приливами")
    class WithTwoTides {
        @BeforeEach
        void fill() {
            table.with(Tide.parse("06:12 5.3")).with(Tide.parse("18:40 4.9"));
        }

        @Test
        void findsTheNextOne() {
            assertEquals(4.9, table.next(LocalTime.NOON).orElseThrow().metres());
        }

        @Nested
        class LateAtNight {
            private final LocalTime now = LocalTime.of(23, 30);

            @Test
            void hasNoneLeft() {
                assertTrue(table.next(now).isEmpty());
            }

            @Test
            void refusesAnEarlierTide() {
                assertThrows(
                        IllegalArgumentException.class, () -> table.with(Tide.parse("10:00 2.0")));
            }
        }
    }
}
