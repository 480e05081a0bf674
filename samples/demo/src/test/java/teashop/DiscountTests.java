package teashop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DiscountTests {
    private final Discount discount = new Discount(Money.cents(2000), 5);

    @ParameterizedTest
    @CsvSource({"1999, 0", "2000, 100", "5000, 250"})
    void appliesFromItsAmountOn(long total, long off) {
        assertEquals(off, discount.on(Money.cents(total)).toCents());
    }

    @Test
    void noneTakesNothingOff() {
        assertEquals(0, Discount.NONE.on(Money.cents(9999)).toCents());
    }

    @ParameterizedTest
    @ValueSource(ints = {-1, 101})
    void refusesNonsense(int percent) {
        assertThrows(IllegalArgumentException.class, () -> new Discount(Money.ZERO, percent));
    }
}
