package ferry.app;

import ferry.core.Fare;
import ferry.core.Timetable;
import java.time.LocalTime;

/** Sells tickets for the next departure. */
public class TicketOffice {
    private final Timetable timetable;
    private int takings;

    public TicketOffice(Timetable timetable) {
        this.timetable = timetable;
    }

    public String sell(Fare fare, LocalTime now) {
        LocalTime departure = timetable.next(now)
                .orElseThrow(() -> new IllegalStateException("no ferry before tomorrow"));
        takings += fare.cents();
        return fare + " " + departure;
    }

    public int takings() {
        return takings;
    }
}
