package lighthouse;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class LampTests {
    private final Lamp lamp = new Lamp(5);

    @Test
    void flashesAtTheStart() {
        assertTrue(lamp.isLitAt(0));
    }

    @Test
    void isDarkInBetween() {
        assertFalse(lamp.isLitAt(7));
    }
}
