package teashop;

/** An amount of money in cents; never changes. */
public final class Money implements Comparable<Money> {
    public static final Money ZERO = new Money(0);

    private final long cents;

    private Money(long cents) {
        this.cents = cents;
    }

    public static Money cents(long cents) {
        return new Money(cents);
    }

    /** Reads {@code 4.50} or {@code 4}. */
    public static Money parse(String text) {
        String[] parts = text.trim().split("\\.", 2);
        long whole = Long.parseLong(parts[0]);
        if (parts.length == 1) {
            return cents(whole * 100);
        }
        if (parts[1].length() != 2) {
            throw new IllegalArgumentException("two digits wanted after the point: " + text);
        }
        return cents(whole * 100 + Long.parseLong(parts[1]));
    }

    public Money plus(Money other) {
        return cents(cents + other.cents);
    }

    public Money minus(Money other) {
        return cents(cents - other.cents);
    }

    public Money times(int factor) {
        return cents(cents * factor);
    }

    /** A share of this amount, rounded down to whole cents. */
    public Money percent(int percent) {
        return cents(cents * percent / 100);
    }

    public long toCents() {
        return cents;
    }

    @Override
    public int compareTo(Money other) {
        return Long.compare(cents, other.cents);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Money money && money.cents == cents;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(cents);
    }

    @Override
    public String toString() {
        return "%d.%02d".formatted(cents / 100, cents % 100);
    }
}
