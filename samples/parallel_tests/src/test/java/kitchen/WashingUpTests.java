package kitchen;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

/** One sink: these two take turns. */
@Execution(ExecutionMode.SAME_THREAD)
@ResourceLock("sink")
class WashingUpTests {
    @Test
    void plates() {
        assertTrue(new Recipe("soap", 0).cook(fullPantry(), 12));
    }

    @Test
    void pans() {
        assertFalse(new Recipe("soap", 1).cook(new Pantry(), 1));
    }

    private static Pantry fullPantry() {
        Pantry pantry = new Pantry();
        pantry.store("soap", 1);
        return pantry;
    }
}
