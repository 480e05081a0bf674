package harbour;

import static org.junit.Assert.assertEquals;

import java.util.Arrays;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;
import org.junit.runners.Parameterized.Parameters;

@RunWith(Parameterized.class)
public class FittingTest {
    private final int shipLength;
    private final boolean fits;

    public FittingTest(int shipLength, boolean fits) {
        this.shipLength = shipLength;
        this.fits = fits;
    }

    @Parameters(name = "{0} m: {1}")
    public static Iterable<Object[]> ships() {
        return Arrays.asList(new Object[][] {{10, true}, {48, true}, {49, false}});
    }

    @Test
    public void fits() {
        assertEquals(fits, new Berth(50).fits(shipLength));
    }
}
