package stage;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Never misbehaves; must come through whatever the others do. */
class BystanderTests {
    @Test
    void watches() {
        assertEquals("calm", "calm".trim());
    }

    @ParameterizedTest
    @ValueSource(strings = {"clap", "cheer"})
    void applauds(String how) {
        assertEquals(how, how.toLowerCase());
    }
}
