package jury.adapter;

import java.util.List;
import java.util.Map;
import java.util.Set;
import jury.boot.Adapter;
import org.junit.runner.Description;
import org.junit.runner.JUnitCore;
import org.junit.runner.Request;
import org.junit.runner.Runner;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.manipulation.NoTestsRemainException;

/**
 * Runs tests with JUnit 4, class by class in the order given and within a class in the runner's own
 * order. A runner that cannot be filtered runs its whole class.
 */
public final class JUnit4Adapter implements Adapter {
    @Override
    public void run(List<String> ids, Map<String, String> launcherParameters) {
        Troubled troubled = new Troubled();
        JUnitCore core = new JUnitCore();
        for (Map.Entry<String, Set<String>> entry : Classes.group(ids).entrySet()) {
            troubled.attempt(() -> runClass(core, entry.getKey(), entry.getValue()));
        }
        troubled.rethrow();
    }

    private static void runClass(JUnitCore core, String name, Set<String> wanted)
            throws ClassNotFoundException {
        Runner runner = Request.aClass(Classes.load(name)).getRunner();
        // An id without a method stands for the whole class.
        if (!wanted.contains("junit:" + name)) {
            try {
                new Wanted(wanted).apply(runner);
            } catch (NoTestsRemainException gone) {
                return; // Jury notices that these tests were not reported.
            }
        }
        core.run(Request.runner(runner));
    }

    private static final class Wanted extends Filter {
        private final Set<String> ids;

        Wanted(Set<String> ids) {
            this.ids = ids;
        }

        @Override
        public boolean shouldRun(Description description) {
            List<Description> children = description.getChildren();
            if (children.isEmpty()) {
                return ids.contains(idOf(description.getDisplayName()));
            }
            for (Description child : children) {
                if (shouldRun(child)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public String describe() {
            return "tests chosen by id";
        }

        private static String idOf(String displayName) {
            int open = displayName.lastIndexOf('(');
            if (open < 0 || !displayName.endsWith(")")) {
                return "junit:" + displayName;
            }
            String className = displayName.substring(open + 1, displayName.length() - 1);
            return "junit:" + className + "#" + displayName.substring(0, open);
        }
    }
}
