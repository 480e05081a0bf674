package library;

import java.net.URL;

/** Reads its settings once. */
public class Settings {
    private static URL settings;

    public static synchronized URL get() {
        if (settings == null) {
            settings = Settings.class.getClassLoader().getResource("settings.conf");
        }
        return settings;
    }
}
