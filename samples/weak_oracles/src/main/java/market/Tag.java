package market;

/** What stands beside the fruit. */
public final class Tag {
    private Tag() {}

    public static String of(String fruit, int pence) {
        return fruit + " " + pence + "p";
    }
}
