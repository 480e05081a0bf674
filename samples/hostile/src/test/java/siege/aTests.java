package siege;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class aTests {
    private final a a = new a(7);

    @Test
    void $() {
        Supplier<String> supplier = a;
        assertEquals("77", supplier.get());
        assertEquals(9, a.$(2));
        a.$l1(3);
        a.l$1(3);
    }

    @Test
    void größe_und_𐌰() {
        assertEquals(5, a.größe(12));
        assertEquals(8, a.𐌰(5));
    }

    @Test
    void b() {
        assertEquals(19, a.a(new b()));
        a.a(a);
        assertEquals(2, a.b().length);
    }
}
