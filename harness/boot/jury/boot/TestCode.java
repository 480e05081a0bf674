package jury.boot;

import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;

/** Which classes are code of tests. Only Jury knows; nothing is until it says so. */
final class TestCode {
    private static volatile Set<String> names = Collections.emptySet();

    private static final ClassValue<Boolean> KNOWN =
            new ClassValue<Boolean>() {
                @Override
                protected Boolean computeValue(Class<?> type) {
                    return names.contains(type.getName().replace('.', '/'));
                }
            };

    private TestCode() {}

    /** Says it once, before any class is asked about; names are those of the JVM. */
    static void is(Collection<String> classes) {
        names = new HashSet<>(classes);
    }

    static boolean contains(Class<?> type) {
        return KNOWN.get(type);
    }
}
