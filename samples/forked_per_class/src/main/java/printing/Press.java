package printing;

/** A press that remembers, for as long as its JVM lives, how much it has printed. */
public final class Press {
    private static int sheets;

    private Press() {}

    public static int print(int count) {
        sheets += count;
        return sheets;
    }
}
