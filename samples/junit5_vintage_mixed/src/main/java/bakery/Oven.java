package bakery;

/** Bakes at a steady heat. */
public class Oven {
    private int degrees = 20;

    public Oven heat(int by) {
        degrees = Math.min(280, degrees + by);
        return this;
    }

    public int degrees() {
        return degrees;
    }

    public boolean isReadyForBread() {
        return degrees >= 230;
    }
}
