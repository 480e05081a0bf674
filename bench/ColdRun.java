import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Runs one test of the JUnit Platform by its unique id and ends: what a cold process has to do. */
public class ColdRun {
    public static void main(String[] arguments) {
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(DiscoverySelectors.selectUniqueId(arguments[0]))
                                .build(),
                        summary);
        System.exit(summary.getSummary().getTestsSucceededCount() == 1 ? 0 : 1);
    }
}
