package kitchen;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Shared by all cooks, so it has to count right. */
public class Pantry {
    private final Map<String, Integer> stock = new ConcurrentHashMap<>();

    public void store(String what, int amount) {
        stock.merge(what, amount, Integer::sum);
    }

    public boolean take(String what, int amount) {
        boolean[] taken = {false};
        stock.computeIfPresent(what, (key, left) -> {
            taken[0] = left >= amount;
            return taken[0] ? left - amount : left;
        });
        return taken[0];
    }

    public int left(String what) {
        return stock.getOrDefault(what, 0);
    }
}
