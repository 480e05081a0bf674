package kitchen;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class PantryTests {
    private final Pantry pantry = new Pantry();

    @Test
    void startsEmpty() {
        assertEquals(0, pantry.left("flour"));
    }

    @Test
    void givesWhatItHas() {
        pantry.store("flour", 500);
        assertTrue(pantry.take("flour", 200));
        assertEquals(300, pantry.left("flour"));
    }

    @Test
    void givesNoMoreThanThat() {
        pantry.store("flour", 100);
        assertFalse(pantry.take("flour", 200));
        assertEquals(100, pantry.left("flour"));
    }

    /** Spreads over the common pool: not all of a test runs in the thread that started it. */
    @RepeatedTest(4)
    void manyCooksDoNotSpoilTheCount() {
        pantry.store("eggs", 1000);
        long taken = IntStream.range(0, 2000).parallel().filter(i -> pantry.take("eggs", 1)).count();
        assertEquals(1000, taken);
        assertEquals(0, pantry.left("eggs"));
    }
}
