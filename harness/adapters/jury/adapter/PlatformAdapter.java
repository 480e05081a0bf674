package jury.adapter;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import jury.boot.Adapter;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.discovery.UniqueIdSelector;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs tests of any JUnit Platform engine by their unique ids, all in one request. */
public final class PlatformAdapter implements Adapter {
    private final Launcher launcher = LauncherFactory.create();

    @Override
    public void run(List<String> ids, Map<String, String> launcherParameters) {
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
}
