package teashop;

import java.util.Map;
import java.util.TreeMap;

/** What it costs to send a parcel. */
public final class Postage {
    /** The price of each kilogram begun, by country. */
    private static final Map<String, Money> PER_KILOGRAM = new TreeMap<>();

    private static final Money ELSEWHERE = Money.cents(1490);

    static {
        PER_KILOGRAM.put("AT", Money.cents(390));
        PER_KILOGRAM.put("CH", Money.cents(890));
        PER_KILOGRAM.put("FR", Money.cents(650));
    }

    private Postage() {}

    public static Money to(String country, int grams) {
        int kilograms = (grams + 999) / 1000;
        return PER_KILOGRAM.getOrDefault(country, ELSEWHERE).times(kilograms);
    }
}
