package jury.boot;

import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Main class of a worker JVM: obeys commands, one after the other, on the main thread, as a build's
 * booter would. What tests leave behind (streams, properties, threads) stays, as it would in a
 * build's JVM; only the context class loader is set anew for each batch.
 */
public final class Worker implements Commands.Handler {
    private final AdapterLoader loader = new AdapterLoader();
    private final Map<String, Adapter> adapters = new HashMap<>();
    private Map<String, String> launcherParameters = Collections.emptyMap();

    private Worker() {}

    public static void main(String[] arguments) {
        Worker worker = new Worker();
        try {
            Channel.emit(Records.ready());
            for (byte[] command = Channel.receive(); command != null; command = Channel.receive()) {
                Commands.decode(command, worker);
            }
        } catch (Throwable thrown) {
            Troubles.report("worker", thrown);
        }
        worker.stop();
    }

    @Override
    public void prepare(Map<String, String> properties, Map<String, String> launcherParameters) {
        for (Map.Entry<String, String> property : properties.entrySet()) {
            System.setProperty(property.getKey(), property.getValue());
        }
        this.launcherParameters = launcherParameters;
    }

    @Override
    public void run(int batch, String engine, List<String> tests) {
        Thread.currentThread().setContextClassLoader(ClassLoader.getSystemClassLoader());
        Hooks.beforeBatch(AdapterLoader.isPlatform(engine));
        String trouble = "";
        try {
            Adapter adapter = adapters.get(engine);
            if (adapter == null) {
                adapter = loader.adapterFor(engine);
                adapters.put(engine, adapter);
            }
            adapter.run(tests, launcherParameters);
        } catch (Throwable thrown) {
            Failure failure = Failure.of(thrown);
            trouble = failure.trace.isEmpty() ? failure.exception : failure.trace;
        }
        Channel.emit(Records.batchDone(batch, trouble));
    }

    /** Halts, because shutdown hooks and threads that tests left behind may never end. */
    @Override
    public void stop() {
        System.out.flush();
        System.err.flush();
        Runtime.getRuntime().halt(0);
    }
}
