package bakery;

import junit.framework.TestCase;

/** Written for JUnit 3, run by the vintage engine too. */
public class OldestOvenTest extends TestCase {
    public void testHeatAddsUp() {
        assertEquals(120, new Oven().heat(40).heat(60).degrees());
    }
}
