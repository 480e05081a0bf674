package market;

public class Till {
    private int coins;

    void take(int coins) {
        this.coins += coins;
    }

    public int coins() {
        return coins;
    }
}
