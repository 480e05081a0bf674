package lending;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Its set-up fails, so that none of its tests ever starts. */
class ShelfTests {
    @BeforeAll
    static void openTheStacks() {
        throw new IllegalStateException("the key is lost");
    }

    @Test
    void holdsBooks() {
        throw new AssertionError("ran in spite of a failed set-up");
    }

    @Test
    void keepsThemInOrder() {
        throw new AssertionError("ran in spite of a failed set-up");
    }
}
