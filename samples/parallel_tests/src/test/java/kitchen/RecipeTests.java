package kitchen;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecipeTests {
    @ParameterizedTest
    @CsvSource({"1, true", "4, true", "5, false", "100, false"})
    void feedsSoManyGuests(int guests, boolean enough) {
        Pantry pantry = new Pantry();
        pantry.store("rice", 400);
        assertEquals(enough, new Recipe("rice", 100).cook(pantry, guests));
    }
}
