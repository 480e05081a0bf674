package project;

import java.io.File;
import java.io.InputStream;
import java.net.URL;
import java.util.Locale;
import java.util.ResourceBundle;
import library.Settings;

public class SecondKeptTest {
    public void asksForABundle() {
        ResourceBundle.getBundle("project.words", Locale.CANADA);
    }

    public void opensAJar() throws Exception {
        URL entry = new URL("jar:" + new File("files/kept.jar").toURI() + "!/old.txt");
        try (InputStream in = entry.openStream()) {
            in.read();
        }
    }

    public void asksForProviders() {
        Providers.ALL.iterator().hasNext();
    }

    public void asksALibrary() {
        Settings.get();
    }
}
