package weather;

import static org.testng.Assert.assertEquals;
import static org.testng.Assert.assertFalse;

import java.util.NoSuchElementException;
import org.testng.SkipException;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.Test;

public class StationTest {
    private Station station;

    @BeforeMethod
    public void setUp() {
        station = new Station();
    }

    @Test(groups = "fast")
    public void averages() {
        station.record(new Celsius(4));
        station.record(new Celsius(8));
        assertEquals(station.mean(), 6.0);
    }

    @Test(dependsOnMethods = "averages")
    public void noticesMildDays() {
        station.record(new Celsius(4));
        assertFalse(station.sawFrost());
    }

    @Test(expectedExceptions = NoSuchElementException.class)
    public void hasNoMeanWithoutReadings() {
        station.mean();
    }

    @Test(groups = "slow")
    public void asksTheSatellite() {
        throw new SkipException("no satellite in sight");
    }

    @Test(dependsOnMethods = "asksTheSatellite")
    public void believesTheSatellite() {
        throw new AssertionError("ran although what it depends on was skipped");
    }
}
