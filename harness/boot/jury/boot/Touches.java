package jury.boot;

import java.io.File;
import java.net.JarURLConnection;
import java.net.URISyntaxException;
import java.net.URL;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.ResourceBundle;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the program touches outside its classes, seen where the JDK touches it: the agent hooks the
 * JDK's methods ({@code choke_points.rs}) by the actions below.
 *
 * <p>What a class loader reads to load a class does not count, since classes are known anyway; nor
 * what a build tool's booter or a test framework looks up to find the tests. No hooked method is
 * called from here, so there is no way back in.
 */
final class Touches {
    static final int LOOK = 100;
    static final int READ = 101;
    static final int WRITE = 102;
    static final int CREATE = 103;
    static final int LIST = 104;
    static final int OPEN_CHANNEL = 105;
    static final int COPY = 106;
    static final int FIND_RESOURCE = 107;
    static final int FIND_CLASS = 108;
    static final int LIST_MEMBERS = 109;
    static final int READ_VARIABLE = 110;
    static final int START_PROCESS = 112;
    static final int USE_NETWORK = 113;
    static final int LOAD_LIBRARY = 114;
    static final int BIND = 115;
    static final int CONNECT = 116;
    static final int FIND_BUNDLE = 117;
    static final int OPEN_JAR = 118;
    static final int TRANSFER = 119;
    static final int LOAD_CLASS = 120;
    static final int FIND_PROVIDERS = 121;
    static final int FIND_PACKAGE = 122;
    static final int DELETE = 123;
    static final int MOVE = 124;
    static final int CALL_NATIVE = 125;

    private static final int PATH_QUESTION = 2;
    private static final int CLASS_QUESTION = 6;
    private static final int FIRST = LOOK;
    /** A file came into being in a directory, or went; no method is hooked by this. */
    private static final int CHANGE_DIRECTORY = 126;

    private static final int LAST = CHANGE_DIRECTORY;

    /** Whoever starts the tests, and tools beside them. */
    private static final String[] BOOTERS = {
        "org.apache.maven.surefire.",
        "worker.org.gradle.",
        "com.gradle.",
        "org.jacoco.",
        "net.bytebuddy.agent.",
    };

    /** Build tools start tests, but tests may use them as well, through their libraries. */
    private static final String[] BUILD_TOOLS = {"org.gradle.", "org.apache.tools.ant."};

    private static final String[] FRAMEWORKS = {"org.junit.", "junit.", "org.testng."};

    private static final String[] JDK_NAMES = {"java.", "jdk.", "sun."};

    /** Files that change with the JDK or with the machine, not with the project. */
    private static final String[] FOREIGN = {
        "/proc/", "/sys/", "/dev/", System.getProperty("java.home") + "/",
    };

    /** No file can be asked for by a name of this length or more (PATH_MAX). */
    private static final int TOO_LONG = 4096;

    private static final String WORKING_DIRECTORY = System.getProperty("user.dir");

    /** By action, what has been dealt with since the last {@link #takeInto}, as it was named. */
    private static final Set<?>[] HANDLED = new Set<?>[LAST - FIRST + 1];

    static {
        for (int action = 0; action < HANDLED.length; action++) {
            HANDLED[action] = ConcurrentHashMap.<String>newKeySet();
        }
    }

    /** Files and directories that came into being by the hand of the test class at work. */
    private static final Set<String> OWN = ConcurrentHashMap.newKeySet();

    private static Uses pending = new Uses();

    /**
     * Resources and variables that libraries have looked for: settings, most of all, which they read
     * once and keep for whoever comes next.
     */
    private static final Uses KEPT = new Uses();

    /** Libraries count as a whole, and frameworks look at their own classes all the time. */
    private static final ClassValue<Boolean> IS_OF_PROJECT =
            new ClassValue<Boolean>() {
                @Override
                protected Boolean computeValue(Class<?> type) {
                    return Channel.ask(classQuestion(type.getName().replace('.', '/'))) != null;
                }
            };

    private Touches() {}

    /** Touches something, so that all classes needed for it are there before the JDK is hooked. */
    static void prepare() {
        touched(LOOK, new File(WORKING_DIRECTORY), null, null);
        touched(READ_VARIABLE, null, "PATH", null);
        IS_OF_PROJECT.get(Touches.class);
        touched(OPEN_CHANNEL, null, new File(WORKING_DIRECTORY).toPath(), null);
        takeInto(new Uses());
    }

    static boolean isTouch(int hook) {
        return hook >= FIRST;
    }

    /** A hooked method of the JDK was entered; the arguments are those of {@link Hooks#entered}. */
    static void touched(int action, Object receiver, Object first, Object second) {
        switch (action) {
            case FIND_RESOURCE:
                // Where a module is named, its name comes first.
                lookedFor(
                        action,
                        TouchKind.RESOURCE_LOOKED_UP,
                        second instanceof String ? second : first);
                return;
            case FIND_CLASS:
                lookedUp(
                        action,
                        TouchKind.CLASS_LOOKED_UP,
                        first instanceof String ? first : second);
                return;
            case LOAD_CLASS:
                // The JVM asks in the same way for what code mentions.
                lookedUp(
                        action, TouchKind.CLASS_LOADED, first instanceof String ? first : second);
                return;
            case FIND_PACKAGE:
                // The JDK keeps what it has found, or that it found nothing.
                lookedUp(
                        action,
                        TouchKind.CLASS_LOOKED_UP,
                        ((Package) receiver).getName() + ".package-info");
                return;
            case FIND_PROVIDERS:
                lookedForProviders(receiver.toString());
                return;
            case LIST_MEMBERS:
                listed(action, (Class<?>) receiver);
                return;
            case FIND_BUNDLE:
                lookedForBundle(first, second);
                return;
            case OPEN_JAR:
                file(READ, jarBehind((JarURLConnection) receiver));
                return;
            case READ_VARIABLE:
                note(
                        action,
                        first == null ? TouchKind.ALL_VARIABLES_READ : TouchKind.VARIABLE_READ,
                        first == null ? "" : first);
                return;
            case START_PROCESS:
                startedProcess();
                return;
            case USE_NETWORK:
                usedNetwork(Sockets.isKnown());
                return;
            case BIND:
                usedNetwork(Sockets.bindsWithin(first));
                return;
            case CONNECT:
                if (usedNetwork(Sockets.connectsWithin(first))) {
                    Sockets.leadsOut(receiver);
                }
                return;
            case TRANSFER:
                // A connection that an earlier test has made may be pooled.
                if (Sockets.isKnownToLeadOut(receiver)) {
                    usedNetwork(false);
                }
                return;
            case LOAD_LIBRARY:
                // The first argument is the class that asks for it.
                if (first instanceof Class && !Caller.isJdk((Class<?>) first)) {
                    mark(Uses.NATIVE_LIBRARY);
                }
                return;
            case CALL_NATIVE:
                // Mocking libraries and build tools may bring native helpers of their own.
                if (!isBooting()) {
                    mark(Uses.NATIVE_LIBRARY);
                }
                return;
            default:
                touchedFile(action, receiver, first, second);
        }
    }

    private static void startedProcess() {
        // A mocking library may start a JVM to attach its agent to this one.
        if (!isBooting()) {
            mark(Uses.CHILD_PROCESS);
        }
    }

    /** True if it counts. */
    private static boolean usedNetwork(boolean withinJvm) {
        // A build tool may talk to the JVMs that it forks.
        if (withinJvm || isBooting()) {
            return false;
        }
        mark(Uses.NETWORK);
        return true;
    }

    private static boolean isBooting() {
        Class<?> caller = Caller.nearest();
        return caller != null && isBooter(caller);
    }

    private static boolean isBooter(Class<?> caller) {
        String name = caller.getName();
        boolean isTool =
                Caller.startsWithAny(name, BOOTERS)
                        || Caller.startsWithAny(name, BUILD_TOOLS) && !Collector.isTestRunning();
        // Their own tests are tests like others.
        return isTool && !IS_OF_PROJECT.get(caller);
    }

    private static void lookedUp(int action, TouchKind kind, Object className) {
        if (className instanceof String && !Caller.startsWithAny((String) className, JDK_NAMES)) {
            lookedFor(action, kind, className);
        }
    }

    /** A loader keeps the providers that it has found; its text names the service in brackets. */
    private static void lookedForProviders(String loader) {
        String service = loader.substring(loader.indexOf('[') + 1, loader.lastIndexOf(']'));
        lookedFor(
                FIND_RESOURCE, TouchKind.RESOURCE_LOOKED_UP, "META-INF/services/" + service);
    }

    /**
     * The JDK keeps bundles, so only the first test that asks for one makes it look for the files,
     * those of more special locales among them.
     */
    private static void lookedForBundle(Object baseName, Object locale) {
        String base = (String) baseName;
        if (base == null || Caller.startsWithAny(base, JDK_NAMES) || base.startsWith("com.sun.")) {
            return;
        }
        ResourceBundle.Control control =
                ResourceBundle.Control.getControl(ResourceBundle.Control.FORMAT_DEFAULT);
        Set<Locale> locales =
                new LinkedHashSet<>(control.getCandidateLocales(base, Locale.getDefault()));
        if (locale instanceof Locale) {
            locales.addAll(control.getCandidateLocales(base, (Locale) locale));
        }
        for (Locale candidate : locales) {
            String name = control.toBundleName(base, candidate);
            lookedUp(FIND_CLASS, TouchKind.CLASS_LOOKED_UP, name);
            lookedFor(
                    FIND_RESOURCE,
                    TouchKind.RESOURCE_LOOKED_UP,
                    control.toResourceName(name, "properties"));
        }
    }

    /** The JDK keeps jars that it has opened for a URL; null if this one is no local file. */
    private static String jarBehind(JarURLConnection connection) {
        URL jar = connection.getJarFileURL();
        if (!"file".equals(jar.getProtocol())) {
            return null;
        }
        try {
            return jar.toURI().getPath();
        } catch (URISyntaxException unescaped) {
            return jar.getPath();
        }
    }

    /** What only a library could hold does not count here: libraries count as a whole. */
    private static void lookedFor(int action, TouchKind kind, Object name) {
        if (name instanceof String && canBeFile((String) name)) {
            note(action, kind, name);
        }
    }

    /**
     * Tests that feed garbage to a parser may look for thousands of things by names that nothing can
     * have. Where nothing can be, nothing can change.
     */
    private static boolean canBeFile(String name) {
        return name.length() < TOO_LONG && name.indexOf('\0') < 0;
    }

    private static void listed(int action, Class<?> type) {
        // A slash is in the names of hidden classes only, which no file holds.
        String name = type.getName();
        if (name.indexOf('/') >= 0 || Caller.isJdk(type) || !IS_OF_PROJECT.get(type)) {
            return;
        }
        if (!Collector.isTestRunning()) {
            note(action, TouchKind.MEMBERS_LISTED, name);
        } else if (!handled(action).contains(name)) {
            // While a test runs, its framework asks for its sake, too, and far too often for a look
            // at the stack each time.
            record(action, name, TouchKind.MEMBERS_LISTED, name);
        }
    }

    private static void touchedFile(int action, Object receiver, Object first, Object second) {
        boolean onFile = receiver instanceof File || receiver instanceof Path;
        Object subject = onFile ? receiver : first;
        if (action == COPY || action == MOVE) {
            file(action == COPY ? READ : DELETE, pathOf(subject));
            file(WRITE, pathOf(onFile ? first : second));
        } else if (action == OPEN_CHANNEL) {
            file(isWriting(second) ? WRITE : READ, pathOf(subject));
        } else {
            file(action, pathOf(subject));
        }
    }

    private static boolean isWriting(Object options) {
        return options instanceof Set
                && (((Set<?>) options).contains(StandardOpenOption.WRITE)
                        || ((Set<?>) options).contains(StandardOpenOption.APPEND));
    }

    /** Null for what is no file of the machine, such as an entry of a file system in a jar. */
    private static String pathOf(Object file) {
        if (file instanceof File) {
            return ((File) file).getPath();
        }
        if (file instanceof String) {
            return (String) file;
        }
        boolean isLocal = file instanceof Path && file.getClass().getName().startsWith("sun.nio.fs.");
        return isLocal ? file.toString() : null;
    }

    private static void file(int action, String path) {
        if (path == null
                || path.isEmpty()
                || !canBeFile(path)
                || handled(action).contains(path)) {
            return;
        }
        String absolute = path.startsWith("/") ? path : WORKING_DIRECTORY + "/" + path;
        if (Caller.startsWithAny(absolute, FOREIGN)) {
            return;
        }
        tellTests(action, absolute);
        if (isOwn(absolute)) {
            return;
        }
        Class<?> caller = Caller.nearestBesidesLoaders();
        if (caller == null || isBooter(caller)) {
            return;
        }
        if (path.endsWith(".jar") && Caller.startsWithAny(caller.getName(), FRAMEWORKS)) {
            return; // Its own services, which are looked up as resources.
        }
        boolean isThere = isThere(absolute);
        if (!isThere && (action == WRITE || action == CREATE)) {
            // It can be made only where there is a directory for it.
            file(CHANGE_DIRECTORY, absolute.substring(0, absolute.lastIndexOf('/')));
            OWN.add(absolute);
            return;
        }
        record(action, path, isThere ? kindOf(action) : TouchKind.FILE_ABSENT, absolute);
    }

    private static void tellTests(int action, String path) {
        switch (action) {
            case WRITE:
            case CREATE:
                TestFiles.wrote(path);
                return;
            case DELETE:
                TestFiles.sawFile(path);
                TestFiles.wrote(path);
                return;
            case LIST:
                TestFiles.sawDirectory(path);
                return;
            default:
                TestFiles.sawFile(path);
        }
    }

    private static TouchKind kindOf(int action) {
        switch (action) {
            case READ:
                return TouchKind.FILE_READ;
            case WRITE:
            case DELETE:
            case CHANGE_DIRECTORY:
                return TouchKind.FILE_WRITTEN;
            case LIST:
                return TouchKind.DIRECTORY_LISTED;
            default:
                return TouchKind.FILE_LOOKED_AT;
        }
    }

    /** True if the file, or a directory around it, was made by the test class at work. */
    private static boolean isOwn(String path) {
        if (OWN.isEmpty()) {
            return false;
        }
        for (String at = path; !at.isEmpty(); at = at.substring(0, at.lastIndexOf('/'))) {
            if (OWN.contains(at)) {
                return true;
            }
        }
        return false;
    }

    /** Asks the agent, because the JDK's way to look at a file leads back here. */
    private static boolean isThere(String path) {
        return Channel.ask(pathQuestion(path)) != null;
    }

    static byte[] classQuestion(String vmName) {
        return new Encoder().u8(CLASS_QUESTION).text(vmName).toBytes();
    }

    static byte[] pathQuestion(String path) {
        return new Encoder().u8(PATH_QUESTION).text(path).toBytes();
    }

    private static void note(int action, TouchKind kind, Object name) {
        if (!(name instanceof String) || handled(action).contains(name)) {
            return;
        }
        Class<?> caller = Caller.nearest();
        if (caller == null || isBooter(caller)) {
            return;
        }
        boolean isCommonToAll =
                action == FIND_CLASS
                        || action == LOAD_CLASS
                        || action == LIST_MEMBERS
                        || ((String) name).isEmpty();
        boolean ofFramework = Caller.startsWithAny(caller.getName(), FRAMEWORKS);
        if (!isCommonToAll || !ofFramework) {
            record(action, (String) name, kind, (String) name);
        }
        boolean mayBeKept =
                kind == TouchKind.RESOURCE_LOOKED_UP || kind == TouchKind.VARIABLE_READ;
        if (mayBeKept && !ofFramework && !IS_OF_PROJECT.get(caller)) {
            keep(kind, (String) name);
        }
    }

    private static synchronized void record(int action, String as, TouchKind kind, String name) {
        handled(action).add(as);
        pending.touch(kind, name);
    }

    private static synchronized void keep(TouchKind kind, String name) {
        KEPT.touch(kind, name);
    }

    /** Adds what libraries may still have for a test class that begins now. */
    static synchronized void keptInto(Uses uses) {
        uses.absorb(KEPT);
    }

    private static synchronized void mark(int mark) {
        pending.marks |= mark;
    }

    @SuppressWarnings("unchecked") // The static initialiser puts nothing else in.
    private static Set<String> handled(int action) {
        return (Set<String>) HANDLED[action - FIRST];
    }

    /** Adds what was touched since the last call. */
    static synchronized void takeInto(Uses uses) {
        if (pending.isEmpty()) {
            return;
        }
        uses.absorb(pending);
        pending = new Uses();
        for (Set<?> names : HANDLED) {
            names.clear();
        }
    }

    /** Another test class begins: what others made is not its own. */
    static void forgetOwn() {
        OWN.clear();
        TestFiles.clear();
    }
}
