package brewery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Written for JUnit 5. */
class BeerTests {
    @Test
    void hopsMakeItBitter() {
        assertTrue(new Beer(200, 11).isBitter());
        assertFalse(new Beer(200, 10).isBitter());
    }

    @ParameterizedTest
    @CsvSource({"250, 5.0", "375, 7.5"})
    void maltMakesItStrong(int malt, double strength) {
        assertEquals(strength, new Beer(malt, 5).strength());
    }

    @Test
    @Disabled("not before it has aged")
    void tastesWell() {
        throw new AssertionError("a disabled test was run");
    }
}
