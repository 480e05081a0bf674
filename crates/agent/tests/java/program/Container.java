import java.io.IOException;
import java.io.InputStream;
import java.io.ByteArrayOutputStream;

/** Runs tests as an OSGi container would: its loader lets its classes see {@code java.} and itself. */
public class Container extends ClassLoader {
    public static void main(String[] arguments) throws Exception {
        new Container()
                .loadClass("org.junit.runner.JUnitCore")
                .getMethod("main", String[].class)
                .invoke(null, (Object) arguments);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (name.startsWith("java.")) {
            return super.loadClass(name, resolve);
        }
        synchronized (getClassLoadingLock(name)) {
            Class<?> loaded = findLoadedClass(name);
            return loaded == null ? findClass(name) : loaded;
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        String file = name.replace('.', '/') + ".class";
        try (InputStream in = getSystemClassLoader().getResourceAsStream(file)) {
            if (in == null || name.startsWith("jury.")) {
                throw new ClassNotFoundException(name);
            }
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            for (int next = in.read(); next >= 0; next = in.read()) {
                bytes.write(next);
            }
            return defineClass(name, bytes.toByteArray(), 0, bytes.size());
        } catch (IOException unreadable) {
            throw new ClassNotFoundException(name, unreadable);
        }
    }
}
