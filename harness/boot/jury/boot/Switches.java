package jury.boot;

/**
 * Which switched body is on. Methods of the code under test that carry other bodies compare {@link
 * #active} with their numbers at every entry.
 */
public final class Switches {
    /**
     * A plain field: it changes only between tests, and a volatile one would slow down every call.
     */
    public static int active = -1;

    private Switches() {}
}
