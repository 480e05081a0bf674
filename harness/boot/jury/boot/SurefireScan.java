package jury.boot;

import java.lang.ref.WeakReference;
import java.util.Collections;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;

/**
 * Leaves test classes out of what Surefire or Failsafe has found, in Maven's own JVM, so that no
 * JVM is forked for nothing, and puts the others in order. Classes that Jury does not name stay, so a new test is never lost.
 */
final class SurefireScan {
    private static final PublicMethod BASE_DIRECTORY =
            new PublicMethod(
                    "org.apache.maven.plugin.surefire.SurefireExecutionParameters", "getBasedir");
    private static final PublicMethod FAIL_IF_NO_TESTS =
            new PublicMethod(
                    "org.apache.maven.plugin.surefire.SurefireReportParameters",
                    "setFailIfNoTests",
                    boolean.class);

    /** The module each thread of Maven is at; it may build several at a time. */
    private static final Map<Thread, String> DIRECTORIES =
            Collections.synchronizedMap(new WeakHashMap<Thread, String>());

    /** What runs its tests. */
    private static final Map<Thread, WeakReference<Object>> MOJOS =
            Collections.synchronizedMap(new WeakHashMap<Thread, WeakReference<Object>>());

    /** Where that has found some which may be left out. */
    private static final Set<Thread> FINDERS =
            Collections.synchronizedSet(
                    Collections.newSetFromMap(new WeakHashMap<Thread, Boolean>()));

    private SurefireScan() {}

    /** The tests of a module come next on this thread. */
    static void executing(Object mojo) throws Throwable {
        if (BASE_DIRECTORY.exists(mojo)) {
            DIRECTORIES.put(Thread.currentThread(), BASE_DIRECTORY.text(mojo));
            MOJOS.put(Thread.currentThread(), new WeakReference<>(mojo));
            FINDERS.remove(Thread.currentThread());
        }
    }

    /** Failsafe looks at what ran last on this thread. */
    static void verifying(Object mojo) throws Throwable {
        if (FINDERS.contains(Thread.currentThread())) {
            allowNoTests(mojo);
        }
    }

    /**
     * A build that breaks where it finds no test has found some. They may be left out here, or by the
     * JVM that would run them.
     */
    private static void allowNoTests(Object mojo) throws Throwable {
        if (FAIL_IF_NO_TESTS.exists(mojo)) {
            FAIL_IF_NO_TESTS.call(mojo, false);
        }
    }

    /** The base directory of the module that this thread is at. */
    static String directory() {
        String directory = DIRECTORIES.get(Thread.currentThread());
        return directory == null ? System.getProperty("user.dir") : directory;
    }

    /** Where a build asks for an order of its own, Surefire sees to that afterwards. */
    @SuppressWarnings("unchecked") // Surefire keeps nothing but names there.
    private static void order(List<?> found, Counsel counsel) {
        Collections.sort((List<String>) found, Comparator.comparingInt(counsel::rank));
    }

    /** Test classes were found; the list is not yet in use. */
    static void found(Object classNames) throws Throwable {
        List<?> found = (List<?>) classNames;
        if (found == null || found.isEmpty()) {
            return;
        }
        Set<String> names = new LinkedHashSet<>();
        for (Object name : found) {
            names.add(TestCase.outermost((String) name));
        }
        Counsel counsel = Counsel.on(directory(), names);
        if (counsel.mayLeaveOut()) {
            FINDERS.add(Thread.currentThread());
            WeakReference<Object> finder = MOJOS.get(Thread.currentThread());
            allowNoTests(finder == null ? null : finder.get());
        }
        for (Iterator<?> it = found.iterator(); it.hasNext(); ) {
            if (counsel.leaveOutClass((String) it.next())) {
                it.remove();
            }
        }
        order(found, counsel);
    }
}
