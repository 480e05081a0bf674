package jury.boot;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Has Surefire and Failsafe fork one JVM for tests that a build would run inside Maven's own
 * ({@code forkCount} 0, {@code forkMode} never), where they could not be watched. The new JVM is
 * made as like Maven's as can be: its flags, properties, directory and environment instead of those
 * that a build file keeps for forks and that had no effect so far.
 *
 * <p>It is decided where Surefire itself decides, after its checks: a build that these fail without
 * Jury fails with it.
 */
final class SurefireFork {
    private static final int FLAGS_QUESTION = 7;

    private static final String VERSION =
            "META-INF/maven/org.apache.maven.surefire/maven-surefire-common/pom.properties";

    /** Mojos that fork because of us. */
    private static final Set<Object> FORKING =
            Collections.synchronizedSet(
                    Collections.newSetFromMap(new WeakHashMap<Object, Boolean>()));

    private SurefireFork() {}

    /** Tests are about to run, in this JVM or another one. */
    static void fork(Object mojo) throws Throwable {
        if (isForking(mojo)) {
            return;
        }
        if (!canFork(mojo)) {
            keep(mojo);
            return;
        }
        if (field(mojo, "forkCount") == null) {
            set(mojo, "forkMode", "once");
        } else {
            set(mojo, "forkCount", "1");
            set(mojo, "reuseForks", true);
        }
        if (!isForking(mojo)) {
            throw new IllegalStateException("tests stay inside Maven");
        }
        set(mojo, "jvm", ownJava());
        set(mojo, "useModulePath", false);
        set(mojo, "environmentVariables", new HashMap<String, String>());
        set(mojo, "excludedEnvironmentVariables", new String[0]);
        set(mojo, "debugForkedProcess", null);
        set(mojo, "forkedProcessTimeoutInSeconds", 0);
        Map<String, String> properties = texts(get(mojo, "systemProperties"));
        properties.putAll(texts(get(mojo, "systemPropertyVariables")));
        set(mojo, "argLine", argLine(flags(), properties.keySet()));
        set(mojo, "systemPropertyVariables", withOwn(properties, get(mojo, "workingDirectory")));
        FORKING.add(mojo);
        Channel.emit(Records.inProcess(SurefireScan.directory(), true));
    }

    /** Tests are about to run, and stay where they are. */
    static void keep(Object mojo) throws Throwable {
        if (!isForking(mojo)) {
            Channel.emit(Records.inProcess(SurefireScan.directory(), false));
        }
    }

    /**
     * Surefire 2.20 starts every JVM with a module that there is only in Java 9 and 10, so a project
     * that uses it on a later one has no choice but to stay inside.
     */
    private static boolean canFork(Object mojo) throws IOException {
        try (InputStream file = mojo.getClass().getClassLoader().getResourceAsStream(VERSION)) {
            Properties version = new Properties();
            if (file != null) {
                version.load(file);
            }
            return !version.getProperty("version", "").startsWith("2.20");
        }
    }

    /**
     * Newer versions look for the JVM early, to know what it can do. A toolchain that the build
     * names has no say in what runs inside Maven.
     */
    static void chooseJvm(Object mojo) throws Throwable {
        if (get(mojo, "forkMode") == null && !isForking(mojo)) {
            set(mojo, "jvm", ownJava());
        }
    }

    /** Surefire has told the tests where it thinks they work; in truth they work where Maven does. */
    static void chooseDirectory(Object mojo) throws Throwable {
        if (FORKING.contains(mojo)) {
            set(mojo, "workingDirectory", new File(SystemProperties.initial("user.dir")));
        }
    }

    static byte[] flagsQuestion() {
        return new Encoder().u8(FLAGS_QUESTION).toBytes();
    }

    private static List<String> flags() {
        byte[] answer = Channel.ask(flagsQuestion());
        return answer == null ? Collections.<String>emptyList() : new Decoder(answer).texts();
    }

    /**
     * One text, from which Surefire takes the flags again: it splits at blanks outside of quotes and
     * knows no escapes. A flag that cannot be written so is left out, and so is a property that the
     * build sets anyway.
     */
    static String argLine(List<String> flags, Set<String> properties) {
        StringBuilder line = new StringBuilder();
        for (String flag : flags) {
            String quote = flag.indexOf('"') < 0 ? "\"" : "'";
            int end = flag.indexOf('=');
            boolean isSet =
                    flag.startsWith("-D")
                            && properties.contains(flag.substring(2, end < 0 ? flag.length() : end));
            if (isSet || flag.contains(quote) || flag.indexOf('\n') >= 0) {
                continue;
            }
            line.append(line.length() == 0 ? "" : " ").append(quote).append(flag).append(quote);
        }
        return line.toString();
    }

    /** Beneath the properties that the build sets, those that this JVM has come to have. */
    private static Map<String, String> withOwn(Map<String, String> given, Object workingDirectory) {
        Map<String, String> all = new HashMap<>(SystemProperties.changes());
        // These go by the terminal, which is no matter of tests.
        all.keySet().removeIf(name -> name.startsWith("jansi."));
        if (workingDirectory instanceof File) {
            all.put("user.dir", ((File) workingDirectory).getAbsolutePath());
        }
        all.putAll(given);
        return all;
    }

    private static Map<String, String> texts(Object map) {
        Map<String, String> texts = new HashMap<>();
        if (map instanceof Map) {
            for (Map.Entry<?, ?> entry : ((Map<?, ?>) map).entrySet()) {
                // Surefire takes no value for an empty one.
                Object value = entry.getValue();
                texts.put(String.valueOf(entry.getKey()), value == null ? "" : value.toString());
            }
        }
        return texts;
    }

    private static String ownJava() {
        return System.getProperty("java.home") + "/bin/java";
    }

    private static boolean isForking(Object mojo) throws Throwable {
        // Asked here, it might remember a number that it has yet to work out.
        set(mojo, "effectiveForkCount", -1);
        Method asks = method(mojo, "isForking");
        boolean forking =
                asks != null
                        ? (Boolean) asks.invoke(mojo)
                        : !(Boolean) method(mojo, "isForkModeNever").invoke(mojo);
        set(mojo, "effectiveForkCount", -1);
        return forking;
    }

    private static Object get(Object mojo, String name) throws ReflectiveOperationException {
        Field field = field(mojo, name);
        return field == null ? null : field.get(mojo);
    }

    /** Does nothing in a version that has no such parameter. */
    private static void set(Object mojo, String name, Object value)
            throws ReflectiveOperationException {
        Field field = field(mojo, name);
        if (field != null) {
            field.set(mojo, value);
        }
    }

    private static Field field(Object mojo, String name) {
        for (Class<?> type = mojo.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (field.getName().equals(name)) {
                    field.setAccessible(true);
                    return field;
                }
            }
        }
        return null;
    }

    private static Method method(Object mojo, String name) {
        for (Class<?> type = mojo.getClass(); type != null; type = type.getSuperclass()) {
            for (Method method : type.getDeclaredMethods()) {
                if (method.getName().equals(name) && method.getParameterCount() == 0) {
                    method.setAccessible(true);
                    return method;
                }
            }
        }
        return null;
    }
}
