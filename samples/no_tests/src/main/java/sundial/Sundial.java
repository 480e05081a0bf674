package sundial;

/** Counts the sunny hours only. */
public class Sundial {
    public int shadow(int hour) {
        if (hour < 6 || hour > 18) {
            throw new IllegalArgumentException("it is dark at " + hour);
        }
        return (hour - 12) * 15;
    }
}
