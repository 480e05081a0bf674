package letters;

/** The price of stamps, known to everybody. */
public final class Stamps {
    private Stamps() {}

    public static int cents() {
        return 95;
    }
}
