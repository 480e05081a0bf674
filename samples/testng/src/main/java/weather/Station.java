package weather;

import java.util.ArrayList;
import java.util.List;

/** Keeps readings and says how cold it was. */
public class Station {
    private final List<Celsius> readings = new ArrayList<>();

    public void record(Celsius reading) {
        readings.add(reading);
    }

    public double mean() {
        return readings.stream().mapToDouble(Celsius::degrees).average().orElseThrow();
    }

    public boolean sawFrost() {
        return readings.stream().anyMatch(Celsius::freezes);
    }
}
