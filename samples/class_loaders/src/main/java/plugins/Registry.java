package plugins;

import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.function.IntSupplier;

/** Loads each plug-in into a world of its own. */
public class Registry implements AutoCloseable {
    private final URLClassLoader loader;

    public Registry(Path classes) throws MalformedURLException {
        URL[] urls = {classes.toUri().toURL()};
        // The platform loader as parent: what the application has loaded already stays out of sight.
        loader = new URLClassLoader("plugins", urls, ClassLoader.getPlatformClassLoader());
    }

    public IntSupplier load(String name) throws ReflectiveOperationException {
        return (IntSupplier) loader.loadClass(name).getDeclaredConstructor().newInstance();
    }

    @Override
    public void close() throws IOException {
        loader.close();
    }
}
