package jury.adapter;

import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import junit.framework.Test;
import junit.framework.TestCase;
import junit.framework.TestResult;
import junit.framework.TestSuite;
import jury.boot.Adapter;

/**
 * Runs tests with JUnit 3 where there is no JUnit 4. Tests inside a decorator or a special suite
 * are run with all their neighbours, because only the whole is set up properly.
 */
public final class JUnit3Adapter implements Adapter {
    @Override
    public void run(List<String> ids, Map<String, String> launcherParameters) {
        Troubled troubled = new Troubled();
        for (Map.Entry<String, Set<String>> entry : Classes.group(ids).entrySet()) {
            troubled.attempt(
                    () -> {
                        Test all = suiteOf(Classes.load(entry.getKey()));
                        keep(entry.getValue(), all).run(new TestResult());
                    });
        }
        troubled.rethrow();
    }

    private static Test suiteOf(Class<?> testClass) throws ReflectiveOperationException {
        try {
            Method suite = testClass.getMethod("suite");
            if (Modifier.isStatic(suite.getModifiers())) {
                return (Test) suite.invoke(null);
            }
        } catch (NoSuchMethodException ordinary) {
            // Most classes have none; their suite is made of their test methods.
        }
        return new TestSuite(testClass);
    }

    /** The wanted part of a plain suite; anything else as it is. */
    private static Test keep(Set<String> wanted, Test test) {
        if (test.getClass() != TestSuite.class) {
            return test;
        }
        TestSuite kept = new TestSuite();
        for (Test child : Collections.list(((TestSuite) test).tests())) {
            if (!(child instanceof TestCase) || wanted.contains(idOf((TestCase) child))) {
                kept.addTest(keep(wanted, child));
            }
        }
        return kept;
    }

    private static String idOf(TestCase test) {
        return "junit:" + test.getClass().getName() + "#" + test.getName();
    }
}
