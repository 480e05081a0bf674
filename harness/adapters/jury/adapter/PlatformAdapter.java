package jury.adapter;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jury.boot.Adapter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.discovery.UniqueIdSelector;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs tests of any JUnit Platform engine by their unique ids, all in one request. */
public final class PlatformAdapter implements Adapter {
    private static final String TESTNG = "[engine:testng]/";

    private final Launcher launcher = LauncherFactory.create();

    @Override
    public void run(List<String> ids, Map<String, String> launcherParameters) {
        try {
            execute(new LinkedHashSet<>(ids), launcherParameters);
        } catch (RuntimeException undiscoverable) {
            // TestNG's engine refuses a method without those it depends on, before any test runs.
            Set<String> classes = testNgClasses(ids);
            if (classes.isEmpty()) {
                throw undiscoverable;
            }
            execute(classes, launcherParameters);
        }
    }

    private void execute(Set<String> ids, Map<String, String> launcherParameters) {
        List<UniqueIdSelector> selectors = new ArrayList<>();
        for (String id : ids) {
            selectors.add(DiscoverySelectors.selectUniqueId(id));
        }
        launcher.execute(
                LauncherDiscoveryRequestBuilder.request()
                        .selectors(selectors)
                        .configurationParameters(launcherParameters)
                        .build());
    }

    private static Set<String> testNgClasses(List<String> ids) {
        Set<String> classes = new LinkedHashSet<>();
        for (String id : ids) {
            int method = id.indexOf("/[method:");
            if (id.startsWith(TESTNG) && method > 0) {
                classes.add(id.substring(0, method));
            }
        }
        return classes;
    }
}
