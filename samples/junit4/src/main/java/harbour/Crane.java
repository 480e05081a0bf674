package harbour;

/** Lifts containers, slowly. */
public class Crane {
    private int lifted;

    public int lift(int containers) {
        lifted += containers;
        return lifted;
    }
}
