package ferry.pier;

import ferry.app.TicketOffice;
import ferry.core.Fare;
import java.time.LocalTime;

/** Where people queue; only so many fit on one boat. */
public class Pier {
    private final TicketOffice office;
    private final int places;
    private int boarded;

    public Pier(TicketOffice office, int places) {
        this.office = office;
        this.places = places;
    }

    public boolean board(Fare fare, LocalTime now) {
        if (boarded == places) {
            return false;
        }
        office.sell(fare, now);
        boarded++;
        return true;
    }

    public int freePlaces() {
        return places - boarded;
    }
}
