package printing;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/** Holds only in a JVM that no other class has used. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class NoonRunTests {
    @Test
    @Order(1)
    void startsAtZero() {
        assertEquals(20, Press.print(20));
    }

    @Test
    @Order(2)
    void goesOnWhereItStopped() {
        assertEquals(21, Press.print(1));
    }
}
