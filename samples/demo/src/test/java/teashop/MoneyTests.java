package teashop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MoneyTests {
    @ParameterizedTest
    @CsvSource({"4.50, 450", "12, 1200", "0.05, 5"})
    void parses(String text, long cents) {
        assertEquals(cents, Money.parse(text).toCents());
    }

    @Test
    void wantsTwoDigitsAfterThePoint() {
        assertThrows(IllegalArgumentException.class, () -> Money.parse("4.5"));
    }

    @Test
    void adds() {
        assertEquals(Money.cents(750), Money.cents(500).plus(Money.cents(250)));
    }

    @Test
    void takesShares() {
        assertEquals(33, Money.cents(333).percent(10).toCents());
    }

    @Test
    void ordersByAmount() {
        assertTrue(Money.cents(1).compareTo(Money.cents(2)) < 0);
        assertTrue(Money.cents(2).compareTo(Money.cents(1)) > 0);
    }

    @Test
    void equalAmountsAreEqual() {
        assertEquals(Money.cents(42), Money.cents(42));
        assertEquals(Money.cents(42).hashCode(), Money.cents(42).hashCode());
    }

    @Test
    void printsCentsWithTwoDigits() {
        assertEquals("3.05", Money.cents(305).toString());
    }
}
