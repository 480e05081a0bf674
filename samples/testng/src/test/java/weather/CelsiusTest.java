package weather;

import static org.testng.Assert.assertEquals;
import static org.testng.Assert.assertTrue;

import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

public class CelsiusTest {
    @DataProvider
    public Object[][] scales() {
        return new Object[][] {{0.0, 32.0}, {100.0, 212.0}, {-40.0, -40.0}};
    }

    @Test(dataProvider = "scales", groups = "fast")
    public void converts(double celsius, double fahrenheit) {
        assertEquals(new Celsius(celsius).toFahrenheit(), fahrenheit, 1e-9);
    }

    @Test(groups = "fast")
    public void waterFreezesAtZero() {
        assertTrue(new Celsius(0).freezes());
    }

    @Test(enabled = false)
    public void knowsKelvin() {
        throw new AssertionError("a disabled test was run");
    }
}
