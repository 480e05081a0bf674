package market;

import static org.hamcrest.CoreMatchers.notNullValue;
import static org.hamcrest.MatcherAssert.assertThat;

import org.junit.jupiter.api.Test;

class SignTests {
    @Test
    void repaintsTheSign() {
        Stall stall = new Stall();
        stall.repaint();
        assertThat(stall, notNullValue());
    }
}
