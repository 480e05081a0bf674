package bees;

/** Gathers honey while the flowers last. */
public class Hive {
    private int grams;

    public void forage(int bees, boolean flowers) {
        if (flowers) {
            grams += bees / 10;
        }
    }

    /** Takes honey, but leaves the bees enough for the winter. */
    public int harvest() {
        int taken = Math.max(0, grams - 1000);
        grams -= taken;
        return taken;
    }
}
