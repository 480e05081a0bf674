package weather;

/** A temperature. */
public record Celsius(double degrees) {
    public double toFahrenheit() {
        return degrees * 9 / 5 + 32;
    }

    public boolean freezes() {
        return degrees <= 0;
    }
}
