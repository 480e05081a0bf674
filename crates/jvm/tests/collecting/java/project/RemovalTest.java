package project;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Paths;

public class RemovalTest {
    public void removes() throws IOException {
        new File("files/doomed-old.txt").delete();
        Files.delete(Paths.get("files/doomed-new.txt"));
        new File("files/moved-old.txt").renameTo(new File("files/listed-old/moved.txt"));
        Files.move(Paths.get("files/moved-new.txt"), Paths.get("files/listed-new/moved.txt"));
    }

    public void makes() throws IOException {
        new FileOutputStream("files/filled/mine.txt").close();
    }
}
