package ferry.signs;

import ferry.core.Timetable;
import java.time.LocalTime;

/** The board at the landing stage. A module without tests. */
public record Sign(Timetable timetable) {
    public String text(LocalTime now) {
        return timetable.next(now).map(time -> "next ferry " + time).orElse("closed");
    }
}
