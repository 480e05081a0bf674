import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Loads and links the classes of a pack, with the pack's bytes, and lists those that fail.
 *
 * <p>Classes of JDK modules are given their bytes as an agent would do it: while they load, or by
 * retransformation if the JVM had loaded them before. Classes of a jar are defined by a loader of
 * their own. Linking, and with it verification, is forced by asking for a class's methods.
 *
 * <p>Plain code only: lambdas and string concatenation would make the JVM generate classes of its own
 * while its generators are being replaced.
 */
public final class Link {
    private static Instrumentation instrumentation;

    public static void premain(String options, Instrumentation jvm) {
        instrumentation = jvm;
    }

    public static void main(String[] args) throws Exception {
        List<Pack.Entry> entries = Pack.read(Path.of(args[0]));
        List<String> failures = new ArrayList<>();
        if (entries.isEmpty() || entries.get(0).module().isEmpty()) {
            linkJar(entries, failures);
        } else {
            linkModules(entries, failures);
        }
        Files.write(Path.of(args[1]), failures);
    }

    private static void linkModules(List<Pack.Entry> entries, List<String> failures)
            throws ClassNotFoundException {
        // Code that loads the helpers must not call them to do so.
        for (String helper : new String[] {"Calls", "Hooks", "Observations", "Probes", "Switches"}) {
            Class.forName("jury.boot.".concat(helper), true, null);
        }
        Map<String, byte[]> rewritten = new HashMap<>();
        for (Pack.Entry entry : entries) {
            rewritten.put(entry.name(), entry.bytes());
        }
        instrumentation.addTransformer(new Replacing(rewritten), true);
        for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
            if (rewritten.containsKey(loaded.getName().replace('.', '/'))) {
                try {
                    instrumentation.retransformClasses(loaded);
                } catch (UnsupportedOperationException refused) {
                    // A class that the JVM has already can be given no more methods.
                } catch (Throwable failure) {
                    note(loaded.getName(), failure, failures);
                }
            }
        }
        for (Pack.Entry entry : entries) {
            Module module = ModuleLayer.boot().findModule(entry.module()).orElse(null);
            String name = entry.name().replace('/', '.');
            try {
                Class.forName(module, name).getDeclaredMethods();
            } catch (Throwable failure) {
                note(name, failure, failures);
            }
        }
    }

    private static void linkJar(List<Pack.Entry> entries, List<String> failures) {
        JarLoader loader = new JarLoader();
        for (Pack.Entry entry : entries) {
            loader.classes.put(entry.name().replace('/', '.'), entry.bytes());
        }
        for (String name : loader.classes.keySet()) {
            try {
                Class.forName(name, false, loader).getDeclaredMethods();
            } catch (Throwable failure) {
                note(name, failure, failures);
            }
        }
    }

    private static void note(String name, Throwable failure, List<String> failures) {
        failures.add(name.concat("\t").concat(failure.toString().replace('\n', ' ')));
    }

    private static final class JarLoader extends ClassLoader {
        final Map<String, byte[]> classes = new TreeMap<>();

        JarLoader() {
            super(ClassLoader.getPlatformClassLoader());
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            byte[] bytes = classes.get(name);
            if (bytes == null) {
                throw new ClassNotFoundException(name);
            }
            return defineClass(name, bytes, 0, bytes.length);
        }
    }

    private record Replacing(Map<String, byte[]> rewritten) implements ClassFileTransformer {
        @Override
        public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
            return name == null ? null : rewritten.get(name);
        }
    }
}
