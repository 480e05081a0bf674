package market;

/** Holds fruit of one kind. */
public class Crate<F> {
    private int count;
    private F last;

    public void put(F fruit) {
        count++;
        last = fruit;
    }

    public void shut() {
        count = -count;
    }

    public int count() {
        return count;
    }

    public F last() {
        return last;
    }
}
