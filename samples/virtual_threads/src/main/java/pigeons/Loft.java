package pigeons;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;

/** Sends every letter with a pigeon of its own. */
public class Loft {
    private final ExecutorService pigeons;

    public Loft(ExecutorService pigeons) {
        this.pigeons = pigeons;
    }

    public int deliver(List<String> letters) throws Exception {
        List<Future<Integer>> flights = new ArrayList<>();
        for (String letter : letters) {
            flights.add(pigeons.submit(() -> carry(letter)));
        }
        int characters = 0;
        for (Future<Integer> flight : flights) {
            characters += flight.get();
        }
        return characters;
    }

    /** Pauses on the way: a virtual thread may come back on another carrier. */
    private static int carry(String letter) {
        Thread.yield();
        return letter.length();
    }
}
