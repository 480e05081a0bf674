package brewery;

/** What becomes of malt and hops. */
public record Beer(int malt, int hops) {
    public boolean isBitter() {
        return hops * 20 > malt;
    }

    public double strength() {
        return malt / 50.0;
    }
}
