package siege;

import static org.junit.jupiter.api.Assertions.assertNotNull;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Asked first, and content with everything. */
class BattlementTests {
    @Test
    void overlooksAll() {
        Walls.drawbridge();
        Walls.portcullis();
        Walls.moat();
    }
}

class DrawbridgeTests {
    @BeforeAll
    static void approach() {
        if (Walls.drawbridge() == null) {
            System.exit(3);
        }
    }

    @Test
    void isLowered() {
        Walls.drawbridge();
    }

    @Test
    void isRaised() {
        Walls.drawbridge();
    }
}

class PortcullisTests {
    @Test
    void isLowered() {
        Walls.portcullis();
    }

    @AfterAll
    static void leave() {
        if (Walls.portcullis() == null) {
            Runtime.getRuntime().halt(4);
        }
    }
}

class MoatTests {
    @Test
    void isCrossed() {
        Walls.moat();
    }

    @Test
    void isFished() {
        Walls.moat();
    }

    @AfterAll
    static void isStillThere() {
        assertNotNull(Walls.moat());
    }
}
