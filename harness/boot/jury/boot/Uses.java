package jury.boot;

import java.util.BitSet;
import java.util.Set;
import java.util.TreeSet;

/**
 * What code used in one stretch of time: methods by number, and what lies outside the classes.
 * Callers see to it that only one thread at a time is in here.
 */
final class Uses {
    static final int CHILD_PROCESS = 1;
    static final int NETWORK = 2;
    static final int NATIVE_LIBRARY = 4;

    final BitSet methods = new BitSet();
    int marks;

    /** By the kind's place; null where nothing of a kind was touched, which is the rule. */
    private final TreeSet<?>[] touched = new TreeSet<?>[TouchKind.ALL.length];

    void touch(TouchKind kind, String name) {
        namesToAddTo(kind).add(name);
    }

    /** Names of one kind in order; null if there are none. */
    @SuppressWarnings("unchecked") // Only namesToAddTo fills the array.
    Set<String> touched(TouchKind kind) {
        return (Set<String>) touched[kind.ordinal()];
    }

    private Set<String> namesToAddTo(TouchKind kind) {
        if (touched[kind.ordinal()] == null) {
            touched[kind.ordinal()] = new TreeSet<String>();
        }
        return touched(kind);
    }

    void absorb(Uses other) {
        methods.or(other.methods);
        marks |= other.marks;
        for (TouchKind kind : TouchKind.ALL) {
            Set<String> names = other.touched(kind);
            if (names != null) {
                namesToAddTo(kind).addAll(names);
            }
        }
    }

    /** Absorbs the other; true if that was news. */
    boolean learn(Uses other) {
        int known = methods.cardinality() + touchCount();
        int knownMarks = marks;
        absorb(other);
        return methods.cardinality() + touchCount() > known || marks != knownMarks;
    }

    boolean isEmpty() {
        return methods.isEmpty() && marks == 0 && touchCount() == 0;
    }

    int touchCount() {
        int count = 0;
        for (TreeSet<?> names : touched) {
            count += names == null ? 0 : names.size();
        }
        return count;
    }
}
