package teashop;

import java.util.LinkedHashMap;
import java.util.Map;

/** What a customer is about to buy. */
public class Basket {
    private final Map<Tea, Integer> tins = new LinkedHashMap<>();

    public void add(Tea tea, int count) {
        if (count < 1) {
            throw new IllegalArgumentException("cannot add " + count + " tins");
        }
        tins.merge(tea, count, Integer::sum);
    }

    /** Takes one tin back out; the last one takes its line with it. */
    public void remove(Tea tea) {
        tins.computeIfPresent(tea, (key, count) -> count == 1 ? null : count - 1);
    }

    public boolean isEmpty() {
        return tins.isEmpty();
    }

    public int tinCount() {
        return tins.values().stream().mapToInt(Integer::intValue).sum();
    }

    public int grams() {
        int grams = 0;
        for (Map.Entry<Tea, Integer> line : tins.entrySet()) {
            grams += line.getKey().getGrams() * line.getValue();
        }
        return grams;
    }

    public Money total() {
        Money total = Money.ZERO;
        for (Map.Entry<Tea, Integer> line : tins.entrySet()) {
            total = total.plus(line.getKey().getPrice().times(line.getValue()));
        }
        return total;
    }
}
