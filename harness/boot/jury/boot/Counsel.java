package jury.boot;

import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What Jury says may be left out. No answer, or one that cannot be read, means that everything
 * runs: this class only ever removes, and only what was named.
 */
final class Counsel {
    private static final int ASK = 1;
    private static final int RED = 3;

    /** One answer for the whole JVM: all who choose tests in it must agree. */
    private static Counsel ofThisJvm;

    private final Set<String> classes;
    private final Set<String> methods;
    private final Map<String, Integer> ranks = new HashMap<>();

    private final List<String> patterns;
    private final Set<String> suites;
    private final Set<String> reported = ConcurrentHashMap.newKeySet();

    private Counsel(
            Set<String> classes,
            Set<String> methods,
            List<String> order,
            List<String> patterns,
            Set<String> suites) {
        this.classes = classes;
        this.methods = methods;
        this.patterns = patterns;
        this.suites = suites;
        for (String className : order) {
            ranks.put(className, ranks.size());
        }
    }

    /** The answer to a JVM that runs tests. */
    static synchronized Counsel ofThisJvm() {
        if (ofThisJvm == null) {
            String directory = System.getProperty("basedir", System.getProperty("user.dir"));
            ofThisJvm = on(directory, Collections.<String>emptySet());
        }
        return ofThisJvm;
    }

    /** Asks about the tests of a module; {@code units} is empty if they are not known yet. */
    static Counsel on(String directory, Collection<String> units) {
        byte[] answer = Channel.ask(question(directory, units));
        if (answer == null) {
            return new Counsel(
                    new HashSet<String>(),
                    new HashSet<String>(),
                    Collections.<String>emptyList(),
                    Collections.<String>emptyList(),
                    new HashSet<String>());
        }
        Decoder input = new Decoder(answer);
        return new Counsel(
                new HashSet<>(input.texts()),
                new HashSet<>(input.texts()),
                input.texts(),
                input.texts(),
                new HashSet<>(input.texts()));
    }

    /** Tells Jury that a test is red, in case it is to stop the build. */
    static void red() {
        Channel.ask(redQuestion());
    }

    static byte[] redQuestion() {
        return new Encoder().u8(RED).toBytes();
    }

    static byte[] question(String directory, Collection<String> units) {
        return new Encoder().u8(ASK).text(directory).texts(units).toBytes();
    }

    /** True if tests may be left out here, or by a JVM that would run them. */
    boolean mayLeaveOut() {
        return !isEmpty() || !ranks.isEmpty();
    }

    boolean isEmpty() {
        return classes.isEmpty() && methods.isEmpty() && patterns.isEmpty();
    }

    /** True if the class was seen to run within the suite, so that what is known of it holds there. */
    boolean knowsIn(String suite, String className) {
        return suites.contains(TestCase.outermost(suite) + " " + TestCase.outermost(className));
    }

    /** The place of a class among those that are to run; the last one if it is not known. */
    int rank(String className) {
        Integer rank = ranks.get(TestCase.outermost(className));
        return rank == null ? Integer.MAX_VALUE : rank;
    }

    boolean leavesOutClass(String className) {
        return classes.contains(TestCase.outermost(className)) || isUnwanted(className);
    }

    /** True if the user does not want the class to run, wherever it stands. */
    boolean isUnwanted(String className) {
        String unit = TestCase.outermost(className);
        for (String pattern : patterns) {
            if (matches(pattern, unit)) {
                return true;
            }
        }
        return false;
    }

    /** True if the class is left out, which is then reported, once for each unit. */
    boolean leaveOutClass(String className) {
        boolean left = leavesOutClass(className);
        if (left && reported.add(TestCase.outermost(className))) {
            Channel.emit(Records.leftOutUnit(TestCase.outermost(className)));
        }
        return left;
    }

    /** A part of the name, or all of it with {@code *} for any text, as on the command line. */
    static boolean matches(String pattern, String name) {
        int star = pattern.indexOf('*');
        if (star < 0) {
            return name.contains(pattern);
        }
        if (!name.startsWith(pattern.substring(0, star))) {
            return false;
        }
        int from = star;
        for (int next; (next = pattern.indexOf('*', star + 1)) >= 0; star = next) {
            String piece = pattern.substring(star + 1, next);
            int found = name.indexOf(piece, from);
            if (found < 0) {
                return false;
            }
            from = found + piece.length();
        }
        String end = pattern.substring(star + 1);
        return name.length() - from >= end.length() && name.endsWith(end);
    }

    /** {@code method} is what {@link TestCase#methodName} gives. */
    boolean leavesOutMethod(String method) {
        return methods.contains(method);
    }
}
