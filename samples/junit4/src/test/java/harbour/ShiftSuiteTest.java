package harbour;

import org.junit.runner.RunWith;
import org.junit.runners.Suite;
import org.junit.runners.Suite.SuiteClasses;

/** Runs classes that Surefire would not find by their names. */
@RunWith(Suite.class)
@SuiteClasses({EarlyShift.class, LateShift.class})
public class ShiftSuiteTest {}
