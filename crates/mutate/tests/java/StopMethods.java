import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import kotlin.jvm.internal.Intrinsics;

/** Each line with code says what the default rules make of its method. */
class StopMethods<T> {
    private int count;
    private long total;
    private String name = "";
    private static String shared = "";
    private static long sharedTotal;
    private final List<T> elements = new ArrayList<>();
    private StopMethods<T> next;

    void nothing() { } // stop: empty
    static void nothingStatic(int unused) { return; } // stop: empty
    void something() { count++; } // mutants: void

    int getCount() { return count; } // stop: getter
    long getTotal() { return total; } // stop: getter
    static String getShared() { return shared; } // stop: getter
    int otherCount(StopMethods<T> other) { return other.count; } // mutants: 0 1
    int countPlus() { return count + 1; } // mutants: 0 1
    int nextCount() { return next.count; } // mutants: 0 1

    void setCount(int value) { count = value; } // stop: setter
    void setTotal(long value) { total = value; } // stop: setter
    static void setShared(String value) { shared = value; } // stop: setter
    void setSharedFromInstance(String value) { shared = value; } // stop: setter
    StopMethods<T> withName(String value) { name = value; return this; } // stop: setter
    void setSecond(int first, int value) { count = value; } // mutants: void
    void setFirst(int value, int second) { count = value; } // mutants: void
    void setTwice(int value) { count = value; total = value; } // mutants: void
    void setChanged(int value) { count = value + 1; } // mutants: void

    int one() { return 1; } // stop: constant
    int zero() { return 0; } // stop: constant
    long million() { return 1_000_000L; } // stop: constant
    float half() { return 0.5f; } // stop: constant
    String text() { return "text"; } // stop: constant
    Object none() { return null; } // stop: constant
    Class<?> type() { return String.class; } // stop: constant
    int negated() { return -count; } // mutants: 0 1

    int[] noNumbers() { return new int[0]; } // stop: empty_array
    String[] noTexts() { return new String[] {}; } // stop: empty_array
    int[] oneNumber() { return new int[1]; } // mutants: empty

    StopMethods<T> self() { return this; } // stop: return_this
    int same(int value) { return value; } // stop: return_param
    static long sameLong(int first, long value) { return value; } // stop: return_param
    double sameSecond(long first, double value) { return value; } // stop: return_param
    static Object sameFirst(Object value) { return value; } // stop: return_param
    int local() { int value = count; return value; } // mutants: 0 1

    int size() { return elements.size(); } // stop: delegate
    boolean contains(T element) { return elements.contains(element); } // stop: delegate
    void add(T element) { elements.add(element); } // stop: delegate
    T get(int index) { return elements.get(index); } // stop: delegate
    String at(List<String> texts, int index) { return texts.get(index); } // stop: delegate
    int again(int value, long more) { return difference(value, more); } // stop: delegate
    int wide(long value) { return narrow(value); } // stop: delegate
    static int trimmed(String value) { return length(value); } // stop: delegate
    static int lengthOfShared() { return shared.length(); } // stop: delegate
    static int delegated(int value, StopMethods<?> to) { return register(value, to); } // stop: delegate
    int registered() { return register(this); } // stop: delegate
    int absolute() { return Math.abs(count); } // mutants: 0 1
    static int sharedLength() { return length(shared); } // mutants: 0 1
    long swapped(int value, int more) { return sum(more, value); } // mutants: 0L 1L
    long twice(int value) { return sum(value, value); } // mutants: 0L 1L
    long dropped(int value, int more) { return sum(value, 0); } // mutants: 0L 1L
    boolean negatedCall(T element) { return !elements.contains(element); } // mutants: true false
    String joined(String other) { return name + other; } // mutants: null "" "A"
    int chained() { return elements.get(0).hashCode(); } // mutants: 0 1
    Object made(String value) { return new StringBuilder(value); } // mutants: null

    int difference(int value, long more) { return (int) (value - more); } // mutants: 0 1
    static int register(StopMethods<?> one) { return one.count + 1; } // mutants: 0 1
    static int register(int value, StopMethods<?> one) { return one.count + value; } // mutants: 0 1
    int narrow(long value) { return (int) value; } // mutants: 0 1
    static int length(String value) { return value.length() + 1; } // mutants: 0 1
    long sum(int value, int more) { return value + more; } // mutants: 0L 1L

    @Override public String toString() { return name + count; } // stop: to_string
    @Override public int hashCode() { return 31 * count; } // stop: hash_code
    String toString(int radix) { return name + radix; } // mutants: null "" "A"
    int hashCode(int seed) { return seed * count; } // mutants: 0 1
    @Override public boolean equals(Object other) { return other instanceof StopMethods; } // mutants: true false

    @Deprecated int old(int value) { return value * 2; } // stop: deprecated
    /** @deprecated by its documentation alone */
    int older(int value) { return value * 3; } // stop: deprecated

    void setNameNotNull(String value) { Intrinsics.checkNotNullParameter(value, "<set-?>"); name = value; } // stop: kotlin_setter
    void ignoreNotNull(String value) { Intrinsics.checkNotNullParameter(value, "value"); } // stop: empty
    int weighNotNull(String one, String two) { Intrinsics.checkNotNullParameter(one, "one"); Intrinsics.checkNotNullParameter(two, "two"); return 42; } // stop: constant
    void setNameChecked(String value) { java.util.Objects.requireNonNull(value, "value"); name = value; } // mutants: void

    Supplier<String> lazily() {
        return () -> // mutants: null
            name.trim() + "!"; // mutants: null "" "A"
    }

    @Deprecated
    static class Old {
        int twice(int value) { return value * 2; } // stop: deprecated
    }

    @interface Generated { }
    @interface DoNotMutate { String[] operators() default {}; }

    static class Made {
        @Generated int made(int value) { return value * 2; } // stop: generated
        int written(int value) { return value * 2; } // mutants: 0 1
        @DoNotMutate int kept(int value) { return value * 2; } // stop: do_not_mutate
        @DoNotMutate(operators = "0x1") int partly(int value) { return value * 2; } // mutants: 0
    }

    @Generated
    static class AllMade {
        int made(int value) { return value * 2; } // stop: generated
    }

    @DoNotMutate
    static class Kept {
        int kept(int value) { return value * 2; } // stop: do_not_mutate
        @DoNotMutate(operators = {"0", "2"}) int partly(int value) { return value * 2; } // mutants: 1
    }

    enum Colour { // stop: enum synthetic
        RED, GREEN;
        Colour other() { return this == RED ? GREEN : RED; } // mutants: null
        static Colour valueOf(int index) { return values()[index]; } // mutants: null
    }

    record Point(int x, int y) { // stop: record_accessor
        int norm() { return x * x + y * y; } // mutants: 0 1
    }

    record Length(int value) { // stop: record_accessor
        public int value() { return Math.abs(value); } // mutants: 0 1
    }

    interface Shape<S> {
        S scaled(S by); // no code
        default int corners(int more) { return 4 + more; } // mutants: 0 1
    }

    static class Square implements Shape<Square> { // stop: bridge
        private int side;
        public Square scaled(Square by) { side *= by.side; return this; } // mutants: null
        synchronized int locked() { synchronized (this) { return side; } } // mutants: 0 1
        int apply$mcII$sp(int value) { return value * 2; } // stop: synthetic
        int $(int value) { return value * 2; } // mutants: 0 1
    }
}
