package market;

import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TagTests {
    @ParameterizedTest
    @CsvSource({"apple, 50", "pear, 60"})
    void saysSomething(String fruit, int pence) {
        String text = Tag.of(fruit, pence);
        Assertions.assertNotNull(text);
    }
}
