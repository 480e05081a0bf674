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

    public static void take(int left) {
        throw new IllegalStateException(reason(left));
    }

    private static String reason(int left) {
        return left + " leaflets left";
    }
}
