package teashop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class BasketTests {
    private final Tea assam = new Tea("Assam", Money.cents(620), 250);
    private final Tea sencha = new Tea("Sencha", Money.cents(700), 125);
    private final Basket basket = new Basket();

    @Test
    void startsEmpty() {
        assertTrue(basket.isEmpty());
    }

    @Test
    void countsTins() {
        basket.add(assam, 2);
        basket.add(sencha, 1);
        assertFalse(basket.isEmpty());
        assertEquals(3, basket.tinCount());
    }

    @Test
    void addsUpPrices() {
        basket.add(assam, 2);
        basket.add(sencha, 1);
        assertEquals(1940, basket.total().toCents());
    }

    @Test
    void addsUpWeight() {
        basket.add(assam, 3);
        assertEquals(750, basket.grams());
    }

    @Test
    void givesOneTinBack() {
        basket.add(assam, 2);
        basket.remove(assam);
        assertEquals(1, basket.tinCount());
    }

    @Test
    void forgetsTheLastTin() {
        basket.add(assam, 1);
        basket.remove(assam);
        assertTrue(basket.isEmpty());
    }

    @Test
    void refusesNoTins() {
        assertThrows(IllegalArgumentException.class, () -> basket.add(assam, 0));
    }
}
