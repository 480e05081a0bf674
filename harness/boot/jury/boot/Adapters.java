package jury.boot;

import java.io.File;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.HashMap;
import java.util.Map;

/**
 * Finds the adapter for an engine. The adapters lie under {@code adapters/} in the boot jar and are
 * defined beneath the system class loader, because the boot loader does not see the frameworks that
 * they are linked against. The jar is opened by its path: what an agent appends to the boot class
 * path serves classes but no resources.
 */
final class Adapters {
    private final ClassLoader loader;
    private final Map<String, Adapter> byEngine = new HashMap<>();

    Adapters(String bootJar) throws MalformedURLException {
        URL root = new URL("jar:" + new File(bootJar).toURI() + "!/adapters/");
        loader = new URLClassLoader(new URL[] {root}, ClassLoader.getSystemClassLoader());
    }

    static boolean isPlatform(String engine) {
        return !engine.equals(JUnitTest.ENGINE) && !engine.equals(TestNgTest.ENGINE);
    }

    Adapter of(String engine) throws ReflectiveOperationException {
        Adapter adapter = byEngine.get(engine);
        if (adapter == null) {
            Class<?> type = loader.loadClass("jury.adapter." + nameFor(engine));
            adapter = (Adapter) type.getDeclaredConstructor().newInstance();
            byEngine.put(engine, adapter);
        }
        return adapter;
    }

    private String nameFor(String engine) {
        if (isPlatform(engine)) {
            return "PlatformAdapter";
        }
        if (engine.equals(TestNgTest.ENGINE)) {
            return "TestNgAdapter";
        }
        return sees("org.junit.runner.JUnitCore") ? "JUnit4Adapter" : "JUnit3Adapter";
    }

    private boolean sees(String className) {
        try {
            Class.forName(className, false, loader);
            return true;
        } catch (ClassNotFoundException absent) {
            return false;
        }
    }
}
