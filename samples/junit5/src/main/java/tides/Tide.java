package tides;

import java.time.LocalTime;

/** High or low water at a certain time. */
public record Tide(LocalTime at, double metres) {
    /** Reads {@code 06:12 5.3}. */
    public static Tide parse(String line) {
        String[] fields = line.trim().split("\\s+");
        return new Tide(LocalTime.parse(fields[0]), Double.parseDouble(fields[1]));
    }

    public boolean floats(double draught) {
        return metres > draught;
    }
}
