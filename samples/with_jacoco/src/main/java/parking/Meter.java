package parking;

/** A parking meter that takes coins. */
public class Meter {
    private int cents;

    public void insert(int coin) {
        switch (coin) {
            case 10, 20, 50, 100, 200 -> cents += coin;
            default -> throw new IllegalArgumentException("no such coin: " + coin);
        }
    }

    /** Twelve minutes for the first fifty cents, then a minute for every five. */
    public int minutes() {
        return cents < 50 ? 0 : 12 + (cents - 50) / 5;
    }
}
