package market;

import junit.framework.TestCase;

public class PickTest extends TestCase {
    public void testPicksAnApple() {
        Stall stall = new Stall();
        stall.pick();
        assertNotNull(stall);
    }
}
