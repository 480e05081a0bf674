package siege;

import org.junit.jupiter.api.Test;

class PowderTests {
    @Test
    void isStruckAndDampened() {
        if (Powder.sparks() > 0) {
            Runtime.getRuntime().halt(5);
        }
        Powder.strike(2);
        Powder.dampen();
    }
}
