package abbey;

import static org.junit.Assert.assertEquals;

import java.io.DataInputStream;
import java.io.IOException;
import org.junit.Test;

public class ScribeTest {
    private final Scribe scribe = new Scribe();

    @Test
    public void countsPages() {
        scribe.copy("In principio");
        assertEquals("written by Beda on 1 pages", scribe.colophon("Beda"));
    }

    @Test
    public void takesDictation() {
        scribe.dictation("Arma virumque").run();
        assertEquals("written by Beda on 1 pages", scribe.colophon("Beda"));
    }

    @Test
    public void apprenticesSeeTheDesk() {
        scribe.copy("In principio");
        assertEquals(2, scribe.new Apprentice().pagesToCome(3));
    }

    @Test
    public void classFilesAreOld() throws IOException {
        try (DataInputStream in =
                new DataInputStream(Scribe.class.getResourceAsStream("Scribe.class"))) {
            assertEquals(0xCAFEBABE, in.readInt());
            in.readUnsignedShort();
            assertEquals(52, in.readUnsignedShort());
        }
    }
}
