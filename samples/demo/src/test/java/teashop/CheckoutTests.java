package teashop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CheckoutTests {
    private final Checkout checkout = new Checkout(new Discount(Money.cents(2000), 10));
    private final LoyaltyCard card = new LoyaltyCard();
    private final Basket basket = new Basket();

    @BeforeEach
    void fillBasket() {
        basket.add(new Tea("Darjeeling", Money.cents(980), 100), 3);
    }

    @Test
    void chargesGoodsAndPostageLessDiscount() {
        Receipt receipt = checkout.pay(basket, "CH", card);
        assertEquals(2940 - 294 + 890, receipt.total().toCents());
    }

    @Test
    void threeTinsDoNotEarnAPot() {
        checkout.pay(basket, "AT", card);
        assertFalse(card.earnsFreePot());
    }

    @Test
    void printsASlip() {
        Receipt receipt = checkout.pay(basket, "AT", card);
        assertFalse(receipt.print().isBlank());
    }

    @Test
    void refusesAnEmptyBasket() {
        assertThrows(IllegalStateException.class, () -> checkout.pay(new Basket(), "AT", card));
    }
}
