import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;

/** Fails if a class listed in the given file cannot be made by {@code new C()} from anywhere. */
class Constructible {
    public static void main(String[] arguments) throws Exception {
        for (String name : Files.readAllLines(Path.of(arguments[0]))) {
            Class<?> listed;
            try {
                listed = Class.forName(name.replace('/', '.'), false, null);
            } catch (ClassNotFoundException otherRelease) {
                continue; // The list spans releases of Java.
            }
            listed.getConstructor();
            for (Class<?> each = listed; each != null; each = each.getEnclosingClass()) {
                if (!Modifier.isPublic(each.getModifiers())) {
                    throw new AssertionError(name + " is not accessible");
                }
            }
            if (Modifier.isAbstract(listed.getModifiers())) {
                throw new AssertionError(name + " is abstract");
            }
        }
    }
}
