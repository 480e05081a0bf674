package ferry.core;

import java.time.LocalTime;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;

/** When the ferry leaves. */
public class Timetable {
    private final NavigableSet<LocalTime> departures = new TreeSet<>();

    public Timetable every(int minutes, LocalTime first, LocalTime last) {
        for (LocalTime time = first; !time.isAfter(last); time = time.plusMinutes(minutes)) {
            departures.add(time);
        }
        return this;
    }

    public Optional<LocalTime> next(LocalTime now) {
        return Optional.ofNullable(departures.ceiling(now));
    }

    public int size() {
        return departures.size();
    }
}
