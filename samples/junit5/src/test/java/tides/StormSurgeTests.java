package tides;

import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

/** A class that is switched off as a whole. */
@Disabled("waits for the new gauge")
class StormSurgeTests {
    @Test
    void warnsInTime() {
        throw new AssertionError("a test of a disabled class was run");
    }

    @Test
    void closesTheBarrier() {
        throw new AssertionError("a test of a disabled class was run");
    }
}
