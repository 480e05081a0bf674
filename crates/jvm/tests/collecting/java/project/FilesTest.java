package project;

import java.io.File;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;

public class FilesTest {
    public void oldWay() throws IOException {
        new FileInputStream("files/old.txt").close();
        new File("files/absent-old.txt").exists();
        new File("files/listed-old").list();
        try (FileOutputStream out = new FileOutputStream("files/written.txt")) {
            out.write(1);
        }
    }

    public void newWay() throws IOException {
        Files.readAllBytes(Paths.get("files/new.txt"));
        Files.exists(Paths.get("files/absent-new.txt"));
        Files.newDirectoryStream(Paths.get("files/listed-new")).close();
    }

    public void links() throws IOException {
        new File("files/absent-canonical.txt").getCanonicalPath();
        try {
            Paths.get("files/absent-real.txt").toRealPath();
        } catch (IOException missing) {
            // as it should be
        }
    }

    public void nowhereToWrite() {
        try {
            new FileOutputStream("files/absent-directory/x").close();
        } catch (IOException missing) {
            // as it should be
        }
    }

    public void ownFiles() throws IOException {
        Path directory = Files.createTempDirectory(Paths.get("files"), "own");
        Path file = directory.resolve("mine.txt");
        Files.write(file, new byte[1]);
        Files.readAllBytes(file);
        new FileInputStream(file.toFile()).close();
        Files.delete(file);
        Files.delete(directory);
    }
}
