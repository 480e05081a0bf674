package jury.boot;

import java.util.Collections;
import java.util.List;
import java.util.Map;

/**
 * Main class of a worker JVM: obeys commands, one after the other, on the main thread, as a build's
 * booter would. What tests leave behind (streams, properties, threads) stays, as it would in a
 * build's JVM; only the context class loader is set anew for each batch.
 */
public final class Worker implements Commands.Handler {
    private final Adapters adapters;
    private Map<String, String> launcherParameters = Collections.emptyMap();

    Worker(Adapters adapters) {
        this.adapters = adapters;
    }

    /** The only argument is the path of the boot jar. */
    public static void main(String[] arguments) {
        try {
            Worker worker = new Worker(new Adapters(arguments[0]));
            Channel.emit(Records.ready());
            for (byte[] command = Channel.receive(); command != null; command = Channel.receive()) {
                Commands.decode(command, worker);
            }
        } catch (Throwable thrown) {
            Troubles.report("worker", thrown);
        }
        halt();
    }

    @Override
    public void prepare(
            Map<String, String> properties,
            Map<String, String> launcherParameters,
            int probes,
            List<String> testCode) {
        Probes.plan(probes);
        TestCode.is(testCode);
        for (Map.Entry<String, String> property : properties.entrySet()) {
            if (!Assertions.obey(property.getKey())) {
                System.setProperty(property.getKey(), property.getValue());
            }
        }
        this.launcherParameters = launcherParameters;
    }

    @Override
    public void switchTo(int body) {
        Switches.active = body;
    }

    @Override
    public void limit(long work) {
        Probes.limit(work);
    }

    @Override
    public void attend(int calls, boolean values, int stackOf, int depth, boolean digestOnly) {
        Observations.attend(calls, values, stackOf, depth, digestOnly);
    }

    @Override
    public void run(int batch, String engine, boolean untilRed, List<String> tests) {
        resetContextClassLoader();
        Hooks.beforeBatch(Adapters.isPlatform(engine));
        EarlyEnd.begin(untilRed);
        String trouble = "";
        try {
            adapters.of(engine).run(tests, launcherParameters);
        } catch (Throwable thrown) {
            Failure failure = Failure.of(thrown);
            trouble = failure.trace.isEmpty() ? failure.exception : failure.trace;
        }
        RunningTests.attributeRest();
        Channel.emit(Records.batchDone(batch, trouble));
    }

    @Override
    public void stop() {
        halt();
    }

    private static void resetContextClassLoader() {
        try {
            Thread.currentThread().setContextClassLoader(ClassLoader.getSystemClassLoader());
        } catch (SecurityException forbidden) {
            // A test has left a security manager behind, which a build's tests have to live with, too.
        }
    }

    /** Halts, because shutdown hooks and threads that tests left behind may never end. */
    private static void halt() {
        System.out.flush();
        System.err.flush();
        Runtime.getRuntime().halt(0);
    }
}
