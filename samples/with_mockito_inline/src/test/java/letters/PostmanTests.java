package letters;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.mockito.Mockito.mock;
import static org.mockito.Mockito.mockConstruction;
import static org.mockito.Mockito.mockStatic;
import static org.mockito.Mockito.never;
import static org.mockito.Mockito.verify;
import static org.mockito.Mockito.when;

import org.junit.jupiter.api.Test;

class PostmanTests {
    private final Postbox box = mock(Postbox.class);
    private final Postman postman = new Postman();

    @Test
    void emptiesAFullBox() {
        when(box.letters()).thenReturn(3);
        postman.visit(box);
        verify(box).empty();
        assertEquals(3, postman.bag());
    }

    @Test
    void leavesAnEmptyBoxAlone() {
        postman.visit(box);
        verify(box, never()).empty();
    }

    @Test
    void knowsWhatTheBagIsWorth() {
        when(box.letters()).thenReturn(2);
        postman.visit(box);
        try (var stamps = mockStatic(Stamps.class)) {
            stamps.when(Stamps::cents).thenReturn(100);
            assertEquals(200, postman.worth());
        }
        assertEquals(190, postman.worth());
    }

    @Test
    void newBoxesCanBeMockedToo() {
        try (var boxes = mockConstruction(Postbox.class, (made, context) -> when(made.letters()).thenReturn(5))) {
            postman.visit(new Postbox());
            verify(boxes.constructed().get(0)).empty();
        }
        assertEquals(5, postman.bag());
    }
}
