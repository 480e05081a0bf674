package harbour;

/** A place for one ship. */
public class Berth {
    private final int length;
    private String ship;

    public Berth(int length) {
        this.length = length;
    }

    public boolean fits(int shipLength) {
        return shipLength <= length - 2;
    }

    public void moor(String name, int shipLength) {
        if (ship != null) {
            throw new IllegalStateException(ship + " lies here already");
        }
        if (!fits(shipLength)) {
            throw new IllegalArgumentException(name + " is too long");
        }
        ship = name;
    }

    public String ship() {
        return ship;
    }
}
