package market;

/** What lies about the market. */
public final class Leaflet {
    private Leaflet() {}

    public static String print() {
        StringBuilder text = new StringBuilder();
        for (int pence = 0; pence < 100; pence++) {
            text.append("apple ").append(pence).append("p\n");
        }
        return text.toString();
    }

    /** On which day it is read. */
    public static String day() {
        return java.time.LocalDate.now().toString();
    }

    public static int year() {
        return java.time.LocalDate.now().getYear();
    }

    /** How many could print it at once. */
    public static int printers() {
        return Runtime.getRuntime().availableProcessors();
    }

    /** Where it lies. */
    public static String place() {
        return new java.io.File("leaflet").getAbsolutePath();
    }

    /** How many directories drafts of it lie in. */
    public static int depth() {
        return java.nio.file.Path.of(System.getProperty("java.io.tmpdir")).getNameCount();
    }

    public static void take(int left) {
        throw new IllegalStateException(reason(left));
    }

    private static String reason(int left) {
        return left + " leaflets left";
    }
}
