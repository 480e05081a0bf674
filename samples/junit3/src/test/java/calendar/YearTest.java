package calendar;

import junit.framework.TestCase;

/** The plain form: every public method whose name starts with test. */
public class YearTest extends TestCase {
    private Year year;

    @Override
    protected void setUp() {
        year = new Year(2000);
    }

    @Override
    protected void tearDown() {
        year = null;
    }

    public void testEveryFourHundredthYearIsLeap() {
        assertTrue(year.isLeap());
    }

    public void testOtherCenturiesAreNot() {
        assertFalse(new Year(1900).isLeap());
    }

    public void testRefusesYearsBeforeTheReform() {
        try {
            new Year(1582);
        } catch (IllegalArgumentException expected) {
            return;
        }
        fail("accepted a year without a calendar");
    }

    /** No test: the name lacks the prefix. */
    public void checksNothing() {
        fail("was taken for a test");
    }
}
