package jury.boot;

import java.util.ArrayList;
import java.util.List;

/**
 * Leaves classes out of what TestNG is about to run, whoever has asked it to: a suite is read when
 * its runner is made.
 */
final class TestNgChoice {
    private static final PublicMethod TESTS = new PublicMethod("org.testng.xml.XmlSuite", "getTests");
    private static final PublicMethod CLASSES =
            new PublicMethod("org.testng.xml.XmlTest", "getXmlClasses");
    private static final PublicMethod NAME = new PublicMethod("org.testng.xml.XmlClass", "getName");

    private TestNgChoice() {}

    /** {@code suite} is an {@code XmlSuite}, unless this is another of the runner's constructors. */
    static void narrow(Object suite) throws Throwable {
        if (!TESTS.exists(suite) || PlatformEvents.inUse || RunningTests.onThisThread()) {
            return;
        }
        Counsel counsel = Counsel.ofThisJvm();
        if (counsel.isEmpty()) {
            return;
        }
        boolean keepsOne = isMain() && leavesOutAll(suite, counsel);
        for (Object test : (List<?>) TESTS.call(suite)) {
            List<?> classes = (List<?>) CLASSES.call(test);
            for (Object listed : new ArrayList<>(classes)) {
                String name = NAME.text(listed);
                if (keepsOne) {
                    keepsOne = false;
                } else if (counsel.leavesOutClass(name) && classes.remove(listed)) {
                    // Reported only now: what cannot be removed from the list will run.
                    counsel.leaveOutClass(name);
                }
            }
        }
    }

    /** TestNG's own main class ends with an error if there is nothing to run. */
    private static boolean isMain() {
        return System.getProperty("sun.java.command", "").startsWith("org.testng.TestNG");
    }

    private static boolean leavesOutAll(Object suite, Counsel counsel) throws Throwable {
        for (Object test : (List<?>) TESTS.call(suite)) {
            for (Object listed : (List<?>) CLASSES.call(test)) {
                if (!counsel.leavesOutClass(NAME.text(listed))) {
                    return false;
                }
            }
        }
        return true;
    }
}
