package orchard.internal;

/** Not exported from the module. */
public enum Season {
    WINTER, SPRING, SUMMER, AUTUMN;

    public static Season of(int month) {
        return values()[month % 12 / 3];
    }
}
