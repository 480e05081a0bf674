package market;

/** What hangs on a crate. */
public final class Label {
    private final String fruit;

    public Label(String fruit) {
        this.fruit = fruit;
    }

    private void write(StringBuilder text) {
        text.append(fruit);
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder("fresh: ");
        write(text);
        return text.toString();
    }
}
