package jury.boot;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;

/**
 * Defines the adapters, which lie as resources in the boot jar, beneath the system class loader.
 * The boot loader itself could not link them, because it does not see the test frameworks.
 */
final class AdapterLoader extends ClassLoader {
    AdapterLoader() {
        super(ClassLoader.getSystemClassLoader());
    }

    /** The adapter for an engine, given what is on the class path. */
    Adapter adapterFor(String engine) throws ReflectiveOperationException {
        String name = "jury.adapter." + adapterName(engine);
        return (Adapter) loadClass(name).getDeclaredConstructor().newInstance();
    }

    static boolean isPlatform(String engine) {
        return !engine.equals(JUnitTest.ENGINE) && !engine.equals(TestNgEvents.ENGINE);
    }

    private String adapterName(String engine) {
        if (isPlatform(engine)) {
            return "PlatformAdapter";
        }
        if (engine.equals(TestNgEvents.ENGINE)) {
            return "TestNgAdapter";
        }
        return sees("org.junit.runner.JUnitCore") ? "JUnit4Adapter" : "JUnit3Adapter";
    }

    private boolean sees(String className) {
        try {
            Class.forName(className, false, this);
            return true;
        } catch (ClassNotFoundException absent) {
            return false;
        }
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        String resource = "adapters/" + name.replace('.', '/') + ".class";
        try (InputStream input = ClassLoader.getSystemResourceAsStream(resource)) {
            if (input == null) {
                throw new ClassNotFoundException(name);
            }
            byte[] bytes = readFully(input);
            return defineClass(name, bytes, 0, bytes.length);
        } catch (IOException unreadable) {
            throw new ClassNotFoundException(name, unreadable);
        }
    }

    private static byte[] readFully(InputStream input) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        byte[] buffer = new byte[8 << 10];
        for (int count = input.read(buffer); count >= 0; count = input.read(buffer)) {
            bytes.write(buffer, 0, count);
        }
        return bytes.toByteArray();
    }
}
