package chess;

import org.junit.platform.suite.api.SelectClasses;
import org.junit.platform.suite.api.Suite;

/** Runs classes that Surefire would not find by their names. */
@Suite
@SelectClasses({KnightOpening.class, RookOpening.class})
class OpeningSuiteTests {}
