package jury.boot;

import java.util.Collection;
import java.util.HashSet;
import java.util.Set;

/**
 * What Jury says may be left out. No answer, or one that cannot be read, means that everything
 * runs: this class only ever removes, and only what was named.
 */
final class Counsel {
    private static final int ASK = 1;

    private final Set<String> classes;
    private final Set<String> methods;

    private Counsel(Set<String> classes, Set<String> methods) {
        this.classes = classes;
        this.methods = methods;
    }

    /** Asks about the tests of a module; {@code units} is empty if they are not known yet. */
    static Counsel on(String directory, Collection<String> units) {
        byte[] answer = Channel.ask(question(directory, units));
        if (answer == null) {
            return new Counsel(new HashSet<String>(), new HashSet<String>());
        }
        Decoder input = new Decoder(answer);
        return new Counsel(new HashSet<>(input.texts()), new HashSet<>(input.texts()));
    }

    static byte[] question(String directory, Collection<String> units) {
        return new Encoder().u8(ASK).text(directory).texts(units).toBytes();
    }

    boolean isEmpty() {
        return classes.isEmpty() && methods.isEmpty();
    }

    boolean leavesOutClass(String className) {
        return classes.contains(TestCase.outermost(className));
    }

    /** {@code method} is what {@link TestCase#methodName} gives. */
    boolean leavesOutMethod(String method) {
        return methods.contains(method);
    }
}
