package bakery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Written for JUnit 5. */
class OvenTests {
    @Test
    void startsCold() {
        assertEquals(20, new Oven().degrees());
    }

    @ParameterizedTest
    @ValueSource(ints = {210, 250})
    void bakesBread(int by) {
        assertTrue(new Oven().heat(by).isReadyForBread());
    }

    @Test
    @Disabled("no dough left")
    void bakesRolls() {
        throw new AssertionError("a disabled test was run");
    }
}
