package ferry.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.LocalTime;
import org.junit.jupiter.api.Test;

class TimetableTests {
    private final Timetable table =
            new Timetable().every(30, LocalTime.of(6, 0), LocalTime.of(20, 0));

    @Test
    void countsFirstAndLast() {
        assertEquals(29, table.size());
    }

    @Test
    void findsTheNextDeparture() {
        assertEquals(LocalTime.of(7, 30), table.next(LocalTime.of(7, 1)).orElseThrow());
    }

    @Test
    void stopsAtNight() {
        assertTrue(table.next(LocalTime.of(20, 1)).isEmpty());
    }
}
