package harbour;

import org.junit.Ignore;
import org.junit.Test;

@Ignore("nobody works late")
public class LateShift {
    @Test
    public void liftsByFloodlight() {
        throw new AssertionError("a test of an ignored class was run");
    }
}
