package lighthouse;

/** Flashes once in a fixed number of seconds. */
public record Lamp(int period) {
    public boolean isLitAt(int second) {
        return second % period == 0;
    }
}
