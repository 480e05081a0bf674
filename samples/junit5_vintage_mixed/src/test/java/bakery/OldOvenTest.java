package bakery;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assume.assumeTrue;

import org.junit.Ignore;
import org.junit.Test;

/** Written for JUnit 4, run by the vintage engine. */
public class OldOvenTest {
    @Test
    public void neverBurns() {
        assertEquals(280, new Oven().heat(1000).degrees());
    }

    @Test
    public void warmIsNotHot() {
        assertFalse(new Oven().heat(100).isReadyForBread());
    }

    @Test
    @Ignore("nobody remembers why")
    public void bakesPretzels() {
        throw new AssertionError("an ignored test was run");
    }

    @Test
    public void usesWoodIfThereIsAny() {
        assumeTrue("gas only", new Oven().isReadyForBread());
        throw new AssertionError("went on after an assumption that does not hold");
    }
}
