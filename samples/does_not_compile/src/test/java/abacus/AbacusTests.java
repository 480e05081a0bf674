package abacus;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class AbacusTests {
    @Test
    void adds() {
        assertEquals(5, new Abacus().add(2, 3));
    }

    /** Does not compile: an abacus has no such method. */
    @Test
    void takesRoots() {
        assertEquals(3, new Abacus().squareRoot(9));
    }
}
