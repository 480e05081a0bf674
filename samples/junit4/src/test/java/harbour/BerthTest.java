package harbour;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertThrows;
import static org.junit.Assume.assumeTrue;

import org.junit.Before;
import org.junit.BeforeClass;
import org.junit.Ignore;
import org.junit.Test;

public class BerthTest {
    private static String pilot;
    private Berth berth;

    @BeforeClass
    public static void callThePilot() {
        pilot = "Ahab";
    }

    @Before
    public void dredge() {
        berth = new Berth(100);
    }

    @Test
    public void startsFree() {
        assertNull(berth.ship());
        assertEquals("Ahab", pilot);
    }

    @Test
    public void holdsAShip() {
        berth.moor("Pequod", 98);
        assertEquals("Pequod", berth.ship());
    }

    @Test(expected = IllegalArgumentException.class)
    public void turnsLongShipsAway() {
        berth.moor("Leviathan", 99);
    }

    @Test
    public void holdsOneShipOnly() {
        berth.moor("Pequod", 50);
        assertThrows(IllegalStateException.class, () -> berth.moor("Rachel", 40));
    }

    @Test
    @Ignore("waits for spring")
    public void breaksIce() {
        throw new AssertionError("an ignored test was run");
    }

    @Test
    public void weathersAStorm() {
        assumeTrue("no storm today", berth.fits(1000));
        throw new AssertionError("went on after an assumption that does not hold");
    }
}
