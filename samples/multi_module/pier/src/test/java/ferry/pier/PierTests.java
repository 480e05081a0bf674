package ferry.pier;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ferry.app.TicketOffice;
import ferry.core.Timetable;
import org.junit.jupiter.api.Test;

/** A unit test, run by Surefire in the test phase. */
class PierTests {
    @Test
    void startsWithAllPlacesFree() {
        assertEquals(12, new Pier(new TicketOffice(new Timetable()), 12).freePlaces());
    }
}
