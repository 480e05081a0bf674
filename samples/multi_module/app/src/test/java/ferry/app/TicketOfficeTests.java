package ferry.app;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import ferry.core.Fare;
import ferry.core.Timetable;
import java.time.LocalTime;
import org.junit.jupiter.api.Test;

/** Exercises the core module through the ticket office. */
class TicketOfficeTests {
    private final TicketOffice office =
            new TicketOffice(new Timetable().every(60, LocalTime.of(8, 0), LocalTime.of(18, 0)));

    @Test
    void namesFareAndDeparture() {
        assertEquals("CHILD 10:00", office.sell(Fare.CHILD, LocalTime.of(9, 30)));
    }

    @Test
    void addsUpItsTakings() {
        office.sell(Fare.ADULT, LocalTime.NOON);
        office.sell(Fare.BICYCLE, LocalTime.NOON);
        assertEquals(720, office.takings());
    }

    @Test
    void sellsNothingAtNight() {
        assertThrows(
                IllegalStateException.class, () -> office.sell(Fare.ADULT, LocalTime.of(23, 0)));
    }
}
