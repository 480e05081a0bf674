package mill;

import static org.junit.Assert.assertEquals;

import org.junit.Ignore;
import org.junit.Test;

public class MillTest {
    @Test
    public void restsInACalm() {
        assertEquals(0, new Mill(2).flour(100));
    }

    @Test
    public void keepsAFifthAsBran() {
        assertEquals(80, new Mill(3).flour(100));
    }

    @Test(expected = IllegalArgumentException.class)
    public void windBlowsOneWay() {
        new Mill(-1);
    }

    @Test
    @Ignore("the miller is asleep")
    public void grindsAtNight() {
        throw new AssertionError("an ignored test was run");
    }
}
