package siege;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class GateTests {
    @Test
    void letsFriendsIn() {
        Gate.enter("Alfred");
    }

    @Test
    void isClimbedStepByStep() {
        assertEquals(4, Gate.climb(4));
    }

    @Test
    void holdsThreeLoads() {
        assertEquals(3, Gate.load());
    }
}
