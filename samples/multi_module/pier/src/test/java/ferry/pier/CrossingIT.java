package ferry.pier;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import ferry.app.TicketOffice;
import ferry.core.Fare;
import ferry.core.Timetable;
import java.time.LocalTime;
import org.junit.jupiter.api.Test;

/** An integration test through all modules, run by Failsafe in the verify phase. */
class CrossingIT {
    private final TicketOffice office =
            new TicketOffice(new Timetable().every(60, LocalTime.of(8, 0), LocalTime.of(18, 0)));

    @Test
    void everybodyPays() {
        Pier pier = new Pier(office, 2);
        assertTrue(pier.board(Fare.ADULT, LocalTime.NOON));
        assertTrue(pier.board(Fare.CHILD, LocalTime.NOON));
        assertEquals(630, office.takings());
    }

    @Test
    void aFullBoatTakesNobody() {
        Pier pier = new Pier(office, 1);
        pier.board(Fare.ADULT, LocalTime.NOON);
        assertFalse(pier.board(Fare.ADULT, LocalTime.NOON));
        assertEquals(420, office.takings());
    }
}
