package letters;

/** Walks from box to box. */
public class Postman {
    private int bag;

    public void visit(Postbox box) {
        int letters = box.letters();
        if (letters > 0) {
            box.empty();
            bag += letters;
        }
    }

    public int bag() {
        return bag;
    }

    public int worth() {
        return bag * Stamps.cents();
    }
}
