package plugins;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.file.Path;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;

class RegistryTests {
    private static final Path CLASSES = Path.of("target", "classes");
    private static final String COUNTER = "plugins.Counter";

    @Test
    void loadsAPluginOfItsOwn() throws Exception {
        try (Registry registry = new Registry(CLASSES)) {
            IntSupplier counter = registry.load(COUNTER);
            assertEquals("plugins", counter.getClass().getClassLoader().getName());
            assertFalse(counter instanceof Counter);
        }
    }

    @Test
    void sharesStateWithinOneRegistry() throws Exception {
        try (Registry registry = new Registry(CLASSES)) {
            assertEquals(1, registry.load(COUNTER).getAsInt());
            assertEquals(2, registry.load(COUNTER).getAsInt());
            assertSame(registry.load(COUNTER).getClass(), registry.load(COUNTER).getClass());
        }
    }

    @Test
    void definesTheSameClassTwiceInTwoRegistries() throws Exception {
        try (Registry one = new Registry(CLASSES); Registry other = new Registry(CLASSES)) {
            IntSupplier first = one.load(COUNTER);
            IntSupplier second = other.load(COUNTER);
            assertNotSame(first.getClass(), second.getClass());
            assertEquals(first.getClass().getName(), second.getClass().getName());
            assertEquals(1, first.getAsInt());
            assertEquals(1, second.getAsInt());
        }
    }

    @Test
    void pluginsDoNotSeeTheTests() throws Exception {
        try (Registry registry = new Registry(CLASSES)) {
            assertThrows(
                    ClassNotFoundException.class, () -> registry.load(RegistryTests.class.getName()));
        }
    }
}
