package teashop;

/** What was paid, and for what. */
public record Receipt(Money goods, Money discount, Money postage) {
    public Money total() {
        return goods.minus(discount).plus(postage);
    }

    /** The slip that goes into the parcel. */
    public String print() {
        StringBuilder slip = new StringBuilder();
        line(slip, "tea", goods);
        if (!discount.equals(Money.ZERO)) {
            line(slip, "discount", discount);
        }
        line(slip, "postage", postage);
        line(slip, "total", total());
        return slip.toString();
    }

    private static void line(StringBuilder slip, String what, Money amount) {
        slip.append("%-10s%8s%n".formatted(what, amount));
    }
}
