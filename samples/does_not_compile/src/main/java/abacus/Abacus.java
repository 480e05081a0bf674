package abacus;

/** Adds with beads. */
public class Abacus {
    public int add(int left, int right) {
        return left + right;
    }
}
