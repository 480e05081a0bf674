package teashop;

/** A few percent off, from a certain amount on. */
public record Discount(Money from, int percent) {
    public static final Discount NONE = new Discount(Money.ZERO, 0);

    public Discount {
        if (percent < 0 || percent > 100) {
            throw new IllegalArgumentException("a discount of " + percent + " %");
        }
    }

    public Money on(Money total) {
        return appliesTo(total) ? total.percent(percent) : Money.ZERO;
    }

    boolean appliesTo(Money total) {
        return total.compareTo(from) >= 0;
    }
}
