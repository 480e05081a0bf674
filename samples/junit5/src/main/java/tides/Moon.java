package tides;

/** The phase of the moon, and the tide it brings. */
public enum Moon {
    NEW, WAXING, FULL, WANING;

    public boolean bringsSpringTide() {
        return this == NEW || this == FULL;
    }

    public Moon next() {
        return values()[(ordinal() + 1) % values().length];
    }
}
