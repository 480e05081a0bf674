package market;

import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;

class LabelTests {
    @Test
    void labelsCanBeRead() {
        Label apples = new Label("apples");
        Label pears = new Label("pears");
        canBeRead(apples);
        canBeRead(pears);
    }

    private static void canBeRead(Label label) {
        Assertions.assertNotNull(label.toString());
    }
}
