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
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs tests of any JUnit Platform engine by their unique ids, all in one request. Most versions
 * refuse a request as a whole if one id is gone; then the others are found and run without it.
 */
public final class PlatformAdapter implements Adapter {
    private static final String TESTNG = "[engine:testng]/";

    private final Launcher launcher = LauncherFactory.create();

    @Override
    public void run(List<String> ids, Map<String, String> launcherParameters) {
        try {
            launcher.execute(request(ids, launcherParameters));
        } catch (RuntimeException refused) {
            List<String> wanted = widenTestNg(ids);
            List<String> found = findable(wanted, launcherParameters);
            if (found.equals(ids)) {
                throw refused; // Nothing is gone, so tests may have run before it was thrown.
            }
            if (!found.isEmpty()) {
                launcher.execute(request(found, launcherParameters));
            }
            if (found.size() < wanted.size()) {
                wanted.removeAll(found);
                throw new IllegalStateException("not found: " + wanted, refused);
            }
        }
    }

    private static LauncherDiscoveryRequest request(
            List<String> ids, Map<String, String> launcherParameters) {
        List<UniqueIdSelector> selectors = new ArrayList<>();
        for (String id : ids) {
            selectors.add(DiscoverySelectors.selectUniqueId(id));
        }
        return LauncherDiscoveryRequestBuilder.request()
                .selectors(selectors)
                .configurationParameters(launcherParameters)
                // Since 1.13 a lost id would otherwise fail its engine in place of the request.
                .configurationParameter(
                        "junit.platform.discovery.issue.failure.phase", "discovery")
                .build();
    }

    /** The ids that discovery accepts, found by halving: few are gone, if any. */
    private List<String> findable(List<String> ids, Map<String, String> launcherParameters) {
        try {
            launcher.discover(request(ids, launcherParameters));
            return ids;
        } catch (RuntimeException refused) {
            if (ids.size() == 1) {
                return new ArrayList<>();
            }
            int half = ids.size() / 2;
            List<String> found = new ArrayList<>();
            found.addAll(findable(ids.subList(0, half), launcherParameters));
            found.addAll(findable(ids.subList(half, ids.size()), launcherParameters));
            return found;
        }
    }

    /** TestNG's engine refuses a method without those it depends on; their class has them all. */
    private static List<String> widenTestNg(List<String> ids) {
        Set<String> widened = new LinkedHashSet<>();
        for (String id : ids) {
            int method = id.indexOf("/[method:");
            boolean widen = id.startsWith(TESTNG) && method > 0;
            widened.add(widen ? id.substring(0, method) : id);
        }
        return new ArrayList<>(widened);
    }
}
