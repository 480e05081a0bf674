package jury.boot;

/**
 * Ways to look at something outside the classes. Mirror of {@code TouchKind} in the Rust crate
 * {@code protocol}; the order is part of the byte format.
 */
enum TouchKind {
    FILE_LOOKED_AT,
    FILE_READ,
    FILE_WRITTEN,
    FILE_ABSENT,
    DIRECTORY_LISTED,
    RESOURCE_LOOKED_UP,
    CLASS_LOOKED_UP,
    MEMBERS_LISTED,
    VARIABLE_READ,
    ALL_VARIABLES_READ,
    CLASS_LOADED;

    /** Copied once: every call of {@code values()} makes a new array. */
    static final TouchKind[] ALL = values();
}
