package hidden;

/** Of a module that opens itself to nobody, once it is loaded as part of one. */
public final class Secret {
    private final int number = 7;
}
