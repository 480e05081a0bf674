package sets;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;

import org.junit.Test;

public class VersionedSetTest {
    @Test
    public void holdsWhatWasAdded() {
        VersionedSet set = new VersionedSet();
        set.add(1);
        assertEquals(1, set.size());
    }

    @Test
    public void newSetsAreEqual() {
        assertEquals(new VersionedSet(), new VersionedSet());
    }

    @Test
    public void setsWithoutACommonElementHaveAnEmptyIntersection() {
        VersionedSet one = new VersionedSet();
        one.add(1);
        VersionedSet two = new VersionedSet();
        two.add(2);
        VersionedSet common = one.intersect(two);
        assertFalse(common.contains(1));
        assertFalse(common.contains(2));
    }
}
