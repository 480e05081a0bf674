package market;

import static org.testng.Assert.assertNotNull;

import org.testng.annotations.Test;

public class GreetTest {
    @Test
    public void greetsAVisitor() {
        Stall stall = new Stall();
        stall.greet();
        assertNotNull(stall);
    }
}
