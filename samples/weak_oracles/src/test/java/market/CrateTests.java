package market;

import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** Its type parameter stands for the fruit of classes that inherit it. */
class CrateTests<F> {
    @SuppressWarnings("unchecked")
    F fruit() {
        return (F) "apple";
    }

    @Test
    void takesFruit() {
        Crate<F> crate = new Crate<>();
        crate.put(fruit());
        Assertions.assertNotNull(crate);
    }

    @Nested
    class Full {
        @Test
        void isShut() {
            Crate<String> crate = new Crate<>();
            crate.put("pear");
            crate.shut();
            Assertions.assertNotNull(crate);
        }
    }
}
