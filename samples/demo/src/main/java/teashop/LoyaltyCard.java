package teashop;

/** A stamp for every tin bought; ten stamps buy a free pot in the café. */
public class LoyaltyCard {
    static final int STAMPS_FOR_A_POT = 10;

    private int stamps;

    public void stamp(int tins) {
        stamps += tins;
    }

    public boolean earnsFreePot() {
        return stamps >= STAMPS_FOR_A_POT;
    }
}
