package ferry.app;

import static org.junit.jupiter.api.Assertions.assertEquals;

import ferry.core.Fare;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The only tests of a method that lives in another module. */
class ReturnTripTests {
    @ParameterizedTest
    @CsvSource({"ADULT, 756", "CHILD, 378"})
    void isTenPercentOff(Fare fare, int cents) {
        assertEquals(cents, fare.returnTrip());
    }
}
