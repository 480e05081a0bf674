package radio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MorseTests {
    @ParameterizedTest
    @CsvSource({"SOS, ... --- ...", "help, .... . .-.. .--."})
    void sends(String text, String signal) {
        assertEquals(signal, Morse.send(text));
    }

    @Test
    void hasNoTimeForPoetry() {
        assertThrows(IllegalArgumentException.class, () -> Morse.send("Ode"));
    }

    @Test
    @Disabled("nobody listens")
    void receives() {
        throw new AssertionError("a disabled test was run");
    }

    @Test
    void sendsToTheMoon() {
        assumeTrue(Morse.send("E").length() > 1, "the signal is too weak");
        throw new AssertionError("went on after an assumption that does not hold");
    }
}
