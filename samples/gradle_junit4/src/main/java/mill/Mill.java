package mill;

/** Grinds as long as there is wind. */
public class Mill {
    private final int wind;

    public Mill(int wind) {
        if (wind < 0) {
            throw new IllegalArgumentException("wind cannot be " + wind);
        }
        this.wind = wind;
    }

    public int flour(int grain) {
        return wind < 3 ? 0 : grain * 8 / 10;
    }
}
