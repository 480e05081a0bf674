package teashop;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PostageTests {
    @Test
    void chargesEachKilogramBegun() {
        assertEquals(390, Postage.to("AT", 1000).toCents());
        assertEquals(780, Postage.to("AT", 1001).toCents());
    }

    @Test
    void dependsOnTheCountry() {
        assertEquals(650, Postage.to("FR", 250).toCents());
    }

    @Test
    void hasOnePriceForTheRestOfTheWorld() {
        assertEquals(1490, Postage.to("NZ", 250).toCents());
    }
}
