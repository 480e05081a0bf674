package harbour;

import static org.junit.Assert.assertEquals;

import org.junit.Test;

public class EarlyShift {
    private final Crane crane = new Crane();

    @Test
    public void liftsOne() {
        assertEquals(1, crane.lift(1));
    }

    @Test
    public void keepsCount() {
        crane.lift(2);
        assertEquals(5, crane.lift(3));
    }
}
