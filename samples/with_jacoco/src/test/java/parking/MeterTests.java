package parking;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.Method;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class MeterTests {
    private final Meter meter = new Meter();

    @Test
    void smallChangeBuysNothing() {
        meter.insert(20);
        assertEquals(0, meter.minutes());
    }

    @Test
    void fiftyCentsBuyTwelveMinutes() {
        meter.insert(50);
        assertEquals(12, meter.minutes());
    }

    @Test
    void moreMoneyBuysMoreTime() {
        meter.insert(100);
        meter.insert(10);
        assertEquals(24, meter.minutes());
    }

    @Test
    void spitsOutButtons() {
        assertThrows(IllegalArgumentException.class, () -> meter.insert(7));
    }

    /** The coverage agent adds a synthetic method: whoever comes later sees its changes. */
    @Test
    void isWatchedByTheCoverageAgent() {
        assertTrue(Arrays.stream(Meter.class.getDeclaredMethods())
                .filter(Method::isSynthetic)
                .anyMatch(method -> method.getName().equals("$jacocoInit")));
    }
}
