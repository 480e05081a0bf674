package tides;

import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The tides of one port on one day, in order of time. */
public class TideTable {
    private final String port;
    private final List<Tide> tides = new ArrayList<>();

    public TideTable(String port) {
        this.port = port;
    }

    public TideTable with(Tide tide) {
        if (!tides.isEmpty() && !tide.at().isAfter(tides.get(tides.size() - 1).at())) {
            throw new IllegalArgumentException(port + ": " + tide.at() + " is out of order");
        }
        tides.add(tide);
        return this;
    }

    public Optional<Tide> next(LocalTime now) {
        return tides.stream().filter(tide -> tide.at().isAfter(now)).findFirst();
    }

    public List<Tide> tides() {
        return List.copyOf(tides);
    }
}
