import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;
import org.junit.runner.notification.RunNotifier;

/**
 * Does what coverage and mocking agents do to a hooked class: transforms it anew, redefines it with
 * the bytes on disk, and redefines it with the bytes that a transformer was shown.
 */
public class Redefiner {
    private static Instrumentation instrumentation;
    private static volatile byte[] shown;

    public static void premain(String options, Instrumentation given) {
        instrumentation = given;
    }

    public static void main(String[] arguments) throws Exception {
        run();
        ClassFileTransformer identity = new ClassFileTransformer() {
            @Override
            public byte[] transform(
                    ClassLoader loader,
                    String name,
                    Class<?> redefined,
                    ProtectionDomain domain,
                    byte[] bytes) {
                if (redefined != RunNotifier.class) {
                    return null;
                }
                shown = bytes;
                return bytes;
            }
        };
        instrumentation.addTransformer(identity, true);
        instrumentation.retransformClasses(RunNotifier.class);
        run();
        instrumentation.redefineClasses(new ClassDefinition(RunNotifier.class, onDisk()));
        run();
        instrumentation.redefineClasses(new ClassDefinition(RunNotifier.class, shown));
        run();
        instrumentation.removeTransformer(identity);
        instrumentation.retransformClasses(RunNotifier.class);
        run();
    }

    private static void run() {
        new RunNotifier().fireTestStarted("adds");
    }

    private static byte[] onDisk() throws Exception {
        try (InputStream in = RunNotifier.class.getResourceAsStream("RunNotifier.class")) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            for (int next = in.read(); next >= 0; next = in.read()) {
                bytes.write(next);
            }
            return bytes.toByteArray();
        }
    }
}
