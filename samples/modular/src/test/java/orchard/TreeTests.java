package orchard;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import orchard.internal.Season;
import org.junit.jupiter.api.Test;

/** Patched into the module under test. */
class TreeTests {
    @Test
    void bearsApplesInAutumn() {
        assertEquals(70, new Tree(7).applesIn(9));
    }

    @Test
    void restsInSpring() {
        assertEquals(0, new Tree(7).applesIn(4));
    }

    @Test
    void youngTreesBearNothing() {
        assertEquals(0, new Tree(3).applesIn(10));
    }

    @Test
    void runsInsideANamedModule() {
        Module module = Tree.class.getModule();
        assertEquals("orchard", module.getName());
        assertEquals(module, TreeTests.class.getModule());
    }

    @Test
    void seesWhatIsNotExported() {
        assertEquals(Season.WINTER, Season.of(12));
        assertTrue(Season.class.getModule().isExported("orchard"));
        assertFalse(Season.class.getModule().isExported("orchard.internal"));
    }
}
