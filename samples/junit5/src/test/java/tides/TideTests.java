package tides;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import java.time.LocalTime;
import java.time.format.DateTimeParseException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvFileSource;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EmptySource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parameterised tests, one kind of source each. */
class TideTests {
    @ParameterizedTest
    @ValueSource(doubles = {0.5, 2, 5.2})
    void floatsShallowBoats(double draught) {
        assertTrue(new Tide(LocalTime.NOON, 5.3).floats(draught));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {"06:12 5.3 | 5.3", " 18:40  4.9 | 4.9"})
    void readsHeights(String line, double metres) {
        assertEquals(metres, Tide.parse(line).metres());
    }

    @ParameterizedTest
    @CsvFileSource(resources = "heights.csv", numLinesToSkip = 1)
    void agreesWithTheAlmanac(LocalTime at, double metres) {
        assertEquals(new Tide(at, metres), Tide.parse(at + " " + metres));
    }

    static Stream<Arguments> draughts() {
        return Stream.of(
                arguments("dinghy", 0.3, true),
                arguments("yacht", 2.1, true),
                arguments("freighter", 9.0, false));
    }

    @ParameterizedTest(name = "{0} floats: {2}")
    @MethodSource("draughts")
    void knowsWhoFloats(String boat, double draught, boolean floats) {
        assertEquals(floats, new Tide(LocalTime.NOON, 5.3).floats(draught), boat);
    }

    @ParameterizedTest
    @EnumSource(mode = Mode.INCLUDE, names = {"NEW", "FULL"})
    void springTidesComeWithNewAndFullMoon(Moon moon) {
        assertTrue(moon.bringsSpringTide());
        assertFalse(moon.next().bringsSpringTide());
    }

    @ParameterizedTest
    @EmptySource
    @ValueSource(strings = {"noon 5.3", "25:00 5.3"})
    void refusesWhatIsNoTime(String line) {
        assertThrows(DateTimeParseException.class, () -> Tide.parse(line));
    }
}
