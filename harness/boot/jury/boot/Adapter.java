package jury.boot;

import java.util.List;
import java.util.Map;

/**
 * Runs tests of one framework in a worker. Implementations live in package {@code jury.adapter},
 * are linked against the framework on the tests' own class path, and report nothing themselves:
 * the hooks see a replay as they see a build.
 */
public interface Adapter {
    /**
     * Runs exactly these tests.
     *
     * @param ids ids as they were reported by the hooks
     * @param launcherParameters for the JUnit Platform; others ignore it
     * @throws Throwable if the tests could not be run at all, or not all of them
     */
    void run(List<String> ids, Map<String, String> launcherParameters) throws Throwable;
}
