import java.io.PrintWriter;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs test classes, given by name, in this JVM; writes how many tests there were and the red ones' methods. */
public class Outcomes {
    public static void main(String[] classes) throws Exception {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
            .selectors(Arrays.stream(classes).map(DiscoverySelectors::selectClass).collect(Collectors.toList()))
            .build();
        TreeSet<String> red = new TreeSet<>();
        int[] tests = new int[1];
        LauncherFactory.create().execute(request, new TestExecutionListener() {
            @Override
            public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
                tests[0] += test.isTest() ? 1 : 0;
                if (result.getStatus() == TestExecutionResult.Status.FAILED) {
                    red.add(test.getSource().map(source -> source instanceof MethodSource
                        ? ((MethodSource) source).getClassName() + "#" + ((MethodSource) source).getMethodName()
                        : source instanceof ClassSource ? ((ClassSource) source).getClassName() : source.toString())
                        .orElse(test.getUniqueId()));
                }
            }
        });
        try (PrintWriter out = new PrintWriter(System.getProperty("outcomes"))) {
            out.println(tests[0]);
            red.forEach(out::println);
        }
        System.exit(0);
    }
}
