package calendar;

import junit.framework.Test;
import junit.framework.TestCase;
import junit.framework.TestSuite;

/** Tests made at run time by a static suite method. */
public class LeapYearsTest extends TestCase {
    private final int number;

    private LeapYearsTest(int number) {
        super("leap" + number);
        this.number = number;
    }

    public static Test suite() {
        TestSuite suite = new TestSuite("leap years");
        for (int number = 2016; number <= 2024; number += 4) {
            suite.addTest(new LeapYearsTest(number));
        }
        return suite;
    }

    @Override
    protected void runTest() {
        assertEquals(366, new Year(number).days());
    }
}
