import java.util.*;
import java.util.stream.*;

/** Each line with code says which mutants the whole set of operators makes of its method. */
class Operators extends AbstractList<String> implements Cloneable { // stop: bridge
    private int n = 2;
    private Object any = "";

    void voids() { n++; } // mutants: void
    boolean booleans() { return n > 1; } // mutants: true false
    byte bytes() { return (byte) (n + 1); } // mutants: (byte)0 (byte)1
    short shorts() { return (short) (n + 1); } // mutants: (short)0 (short)1
    int ints() { return n + 1; } // mutants: 0 1
    long longs() { return n + 1L; } // mutants: 0L 1L
    float floats() { return n + 1f; } // mutants: 0.0f 1.0f
    double doubles() { return n + 1d; } // mutants: 0.0 1.0
    char chars() { return (char) (n + 1); } // mutants: '\40' 'A'
    String strings() { return "a" + n; } // mutants: null "" "A"
    Integer boxed() { return n + 1; } // mutants: null
    Boolean boxedBoolean() { return n > 1; } // mutants: null
    int[] array() { return new int[n]; } // mutants: empty
    String[][] arrays() { return new String[n][]; } // mutants: empty
    Optional<String> optional() { return Optional.of("a" + n); } // mutants: null optional
    OptionalInt optionalInt() { return OptionalInt.of(n + 1); } // mutants: null optional
    OptionalLong optionalLong() { return OptionalLong.of(n + 1); } // mutants: null optional
    OptionalDouble optionalDouble() { return OptionalDouble.of(n + 1); } // mutants: null optional
    Object object() { return any == null ? this : any; } // mutants: null new
    StringBuilder builder() { return new StringBuilder("a" + n); } // mutants: null new
    Number number() { return n + 1; } // mutants: null
    Calendar calendar() { return n > 1 ? Calendar.getInstance() : null; } // mutants: null
    Operators own() { return n > 1 ? this : null; } // mutants: null this
    AbstractList<String> parent() { return n > 1 ? this : null; } // mutants: null this
    Cloneable iface() { return n > 1 ? this : null; } // mutants: null this
    static Operators made() { return new Operators(); } // mutants: null
    Iterable<String> iterable() { return n > 1 ? this : null; } // mutants: null new collections
    Collection<String> collection() { return n > 1 ? this : null; } // mutants: null new collections
    List<String> list() { return n > 1 ? this : null; } // mutants: null new collections
    Queue<String> queue() { return n > 1 ? new ArrayDeque<>() : null; } // mutants: null new
    Deque<String> deque() { return n > 1 ? new ArrayDeque<>() : null; } // mutants: null new
    Set<String> set() { return n > 1 ? new TreeSet<>() : null; } // mutants: null new collections
    SortedSet<String> sortedSet() { return n > 1 ? new TreeSet<>() : null; } // mutants: null new collections
    Map<String, String> map() { return n > 1 ? new TreeMap<>() : null; } // mutants: null new collections
    NavigableMap<String, String> navigable() { return n > 1 ? new TreeMap<>() : null; } // mutants: null new collections
    Iterator<String> elements() { return n > 1 ? iterator() : null; } // mutants: null collections
    Stream<String> objectStream() { return n > 1 ? stream() : null; } // mutants: null stream
    IntStream intStream() { return n > 1 ? IntStream.of(n) : null; } // mutants: null stream
    int second(String first, int value) { return value + n; } // mutants: 0 1 argument
    static double far(long first, String second, double value) { return value + 1; } // mutants: 0.0 1.0 argument
    Object vague(String value) { return value + n; } // mutants: null new
    int[] numbers(int[] values) { return n > 1 ? values : null; } // mutants: empty argument

    @interface NotNull { }
    @interface NonNull { }
    @java.lang.annotation.Target(java.lang.annotation.ElementType.TYPE_USE) @interface Nonnull { }

    @NotNull Object promised() { return any == null ? this : any; } // mutants: new
    @NonNull Object promisedToo() { return any == null ? this : any; } // mutants: new
    @Nonnull Object promisedByType() { return any == null ? this : any; } // mutants: new
    List<@Nonnull String> promisedElements() { return n > 1 ? this : null; } // mutants: null new collections

    @Override public String get(int index) { return "a" + n; } // mutants: null "" "A"
    @Override public int size() { return n * 2; } // mutants: 0 1
}
