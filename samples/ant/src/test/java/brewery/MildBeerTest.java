package brewery;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;

import org.junit.Ignore;
import org.junit.Test;

/** Written for JUnit 4. */
public class MildBeerTest {
    @Test
    public void isNotBitter() {
        assertFalse(new Beer(150, 1).isBitter());
    }

    @Test
    public void isNotStrong() {
        assertEquals(3.0, new Beer(150, 1).strength(), 1e-9);
    }

    @Test
    @Ignore("sold out")
    public void isRefreshing() {
        throw new AssertionError("an ignored test was run");
    }
}
