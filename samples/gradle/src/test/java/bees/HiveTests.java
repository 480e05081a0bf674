package bees;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HiveTests {
    private final Hive hive = new Hive();

    @Test
    void noFlowersNoHoney() {
        hive.forage(50_000, false);
        assertEquals(0, hive.harvest());
    }

    @ParameterizedTest
    @CsvSource({"9000, 0", "10000, 0", "25000, 1500"})
    void leavesEnoughForTheWinter(int bees, int grams) {
        hive.forage(bees, true);
        assertEquals(grams, hive.harvest());
    }

    @Test
    @Disabled("bees do not work in winter")
    void harvestsInJanuary() {
        throw new AssertionError("a disabled test was run");
    }
}
