package teashop;

/** Turns a basket into a receipt. */
public class Checkout {
    private final Discount discount;

    public Checkout(Discount discount) {
        this.discount = discount;
    }

    public Receipt pay(Basket basket, String country, LoyaltyCard card) {
        if (basket.isEmpty()) {
            throw new IllegalStateException("nothing to pay for");
        }
        card.stamp(basket.tinCount());
        Money goods = basket.total();
        return new Receipt(goods, discount.on(goods), Postage.to(country, basket.grams()));
    }
}
