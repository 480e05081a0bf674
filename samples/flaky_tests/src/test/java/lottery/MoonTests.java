package lottery;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** Unsteady: fails every second time, counted by a file in the build's output. */
class MoonTests {
    @Test
    void luckIsOnOurSide() throws IOException {
        Path file = Path.of("target", "moon.txt");
        String known = Files.exists(file) ? Files.readString(file) : "";
        Files.writeString(file, known + "x");
        assertEquals(0, known.length() % 2, "a bad moon");
    }

    @Test
    void moonsAreRound() {
        assertEquals(4, Math.round(3.6));
    }
}
