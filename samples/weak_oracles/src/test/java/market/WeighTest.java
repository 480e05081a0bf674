package market;

import static org.junit.Assert.*;

import org.junit.Test;

public class WeighTest {
    @Test
    public void weighsAnApple() {
        Stall stall = new Stall();
        stall.weigh();
        assertNotNull(stall);
    }
}
