package market;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ShutterTests {
    @Test
    void raisesTheShutter() {
        Stall stall = new Stall();
        stall.raiseShutter();
        assertThat(stall).isNotNull();
    }
}
