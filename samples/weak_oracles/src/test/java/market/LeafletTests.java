package market;

import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class LeafletTests {
    @Test
    void isPrinted() {
        String text = Leaflet.print();
        Assertions.assertNotNull(text);
    }

    @Test
    void isReadSomewhereToday() {
        Assertions.assertNotNull(Leaflet.day());
        Assertions.assertNotNull(Leaflet.place());
        Assertions.assertNotEquals(-1, Leaflet.year());
        Assertions.assertNotEquals(-1, Leaflet.printers());
        Assertions.assertNotEquals(-1, Leaflet.depth());
    }

    @Test
    void isRefused() {
        Assertions.assertThrows(IllegalStateException.class, () -> Leaflet.take(0));
    }
}
