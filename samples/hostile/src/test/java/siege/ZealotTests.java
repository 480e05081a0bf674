package siege;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.OutputStream;
import java.io.PrintStream;
import java.security.Permission;
import java.util.Locale;
import java.util.TimeZone;
import org.junit.jupiter.api.Test;

/** Leaves nothing in the JVM as it was. */
class ZealotTests {
    @Test
    void changesLanguageAndClock() {
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        TimeZone.setDefault(TimeZone.getTimeZone("Pacific/Kiritimati"));
        assertEquals("12 MEN", Keep.banner(12));
    }

    @Test
    void changesStreams() {
        PrintStream closed = new PrintStream(OutputStream.nullOutputStream());
        closed.close();
        System.setOut(closed);
        System.setErr(closed);
        System.out.println(Keep.motto("hold"));
    }

    @Test
    void changesProperties() {
        for (String name : System.getProperties().stringPropertyNames()) {
            if (!name.startsWith("java.") && !name.startsWith("sun.")) {
                System.clearProperty(name);
            }
        }
        System.setProperty("java.io.tmpdir", "/nowhere");
        System.setProperty("line.separator", "\r");
        System.setProperty("user.dir", "/nowhere");
        Keep.motto("hold");
    }

    @Test
    @SuppressWarnings("removal")
    void forbidsMuch() {
        try {
            System.setSecurityManager(new Forbidding());
        } catch (UnsupportedOperationException newer) {
            // From JDK 18 on, nobody is given the chance.
        }
        Keep.guards(3);
    }

    @Test
    @SuppressWarnings({"deprecation", "removal"})
    void stopsThreads() throws Exception {
        Thread guard = new Thread(() -> {
            while (Keep.isSafe(9)) {
                try {
                    Thread.sleep(60_000);
                } catch (InterruptedException awake) {
                    return;
                }
            }
        });
        guard.setDaemon(true);
        guard.setUncaughtExceptionHandler((thread, thrown) -> {});
        guard.start();
        try {
            guard.stop();
        } catch (UnsupportedOperationException newer) {
            guard.interrupt();
        }
        guard.join();
        assertFalse(guard.isAlive());
        assertTrue(Keep.isSafe(4));
        Thread.currentThread().interrupt();
    }

    @SuppressWarnings("removal")
    private static final class Forbidding extends SecurityManager {
        @Override
        public void checkPermission(Permission permission) {
            if (permission.getName().equals("setContextClassLoader")) {
                throw new SecurityException("not here");
            }
        }
    }
}
