package lottery;

import java.util.ArrayList;
import java.util.List;

/** A draw of numbered tickets. Who won is kept for everybody to see, which is asking for trouble. */
public final class Draw {
    private static final List<Integer> WINNERS = new ArrayList<>();
    private static int tickets;

    private Draw() {}

    public static void sell(int count) {
        tickets += count;
    }

    public static int sold() {
        return tickets;
    }

    public static void win(int ticket) {
        WINNERS.add(ticket);
    }

    public static int winners() {
        return WINNERS.size();
    }
}
