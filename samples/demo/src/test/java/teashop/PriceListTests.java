package teashop;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Path;
import java.util.NoSuchElementException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PriceListTests {
    private PriceList prices;

    @BeforeEach
    void read() throws IOException {
        prices = PriceList.read(Path.of("src/test/resources/prices.txt"));
    }

    @Test
    void skipsBlankLinesAndComments() {
        assertEquals(3, prices.size());
    }

    @Test
    void knowsThePriceOfTea() {
        assertEquals("6.20", prices.find("Assam").getPrice().toString());
    }

    @Test
    void namesWhatItDoesNotSell() {
        var missing = assertThrows(NoSuchElementException.class, () -> prices.find("Coffee"));
        assertEquals("we do not sell Coffee", missing.getMessage());
    }

    @Test
    void refusesHalfALine() {
        assertThrows(IllegalArgumentException.class, () -> PriceList.parse("Assam;6.20"));
    }

    @Test
    void refusesAnEmptyTin() {
        assertThrows(IllegalArgumentException.class, () -> PriceList.parse("Assam;6.20;0"));
    }
}
