package jury.boot;

import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.lang.reflect.Field;
import java.net.URI;
import java.nio.file.Paths;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;

/** What is told of the state of an object, and how much of it. */
final class StateFacts {
    private StateFacts() {}

    private static void tell(Object value, int depth) {
        ObjectState state = new ObjectState(depth);
        state.look("x", value);
        for (Map.Entry<String, String> one : new TreeMap<>(state.properties()).entrySet()) {
            if (!one.getKey().endsWith("#null") || one.getValue().equals("true")) {
                System.out.println(one.getKey() + " " + one.getValue());
            }
        }
        if (!state.unreadable().isEmpty()) {
            System.out.println("unreadable " + state.unreadable());
        }
        if (state.isCut()) {
            System.out.println("cut");
        }
    }

    private static class Base {
        static int shared = 9;
        private final int count = 1;
        final String name = "base";
    }

    private static final class Derived extends Base {
        private final long count = 2;
        final int[] numbers = new int[3];
        final Object nothing = null;
    }

    static void fields() {
        tell(new Derived(), 1);
    }

    /** All of its methods say so when they are called. */
    private static final class Touchy extends AbstractList<String> {
        final int own = 4;

        @Override
        public String get(int index) {
            throw called();
        }

        @Override
        public int size() {
            throw called();
        }

        @Override
        public String toString() {
            throw called();
        }

        @Override
        public int hashCode() {
            throw called();
        }

        private static RuntimeException called() {
            System.out.println("code of the project ran");
            return new IllegalStateException();
        }
    }

    private static final class TouchyException extends RuntimeException {
        @Override
        public String getMessage() {
            throw Touchy.called();
        }
    }

    static void foreignCode() {
        tell(new Touchy(), 2);
        tell(new TouchyException(), 1);
        tell(Optional.of(new Touchy()), 2);
        tell(new AtomicReference<Object>(new Touchy()), 2);
    }

    /** The class is on the class path; here it is loaded as part of a module that opens nothing. */
    static void hiddenByModules() throws Exception {
        ModuleDescriptor descriptor =
                ModuleDescriptor.newModule("hidden").packages(Collections.singleton("hidden")).build();
        byte[] secret;
        try (InputStream in = StateFacts.class.getResourceAsStream("/hidden/Secret.class")) {
            secret = in.readAllBytes();
        }
        ModuleReader reader =
                new ModuleReader() {
                    @Override
                    public Optional<URI> find(String name) {
                        return Optional.empty();
                    }

                    @Override
                    public Optional<InputStream> open(String name) {
                        return Optional.of(new ByteArrayInputStream(secret));
                    }

                    @Override
                    public Stream<String> list() {
                        return Stream.of("hidden/Secret.class");
                    }

                    @Override
                    public void close() {}
                };
        ModuleReference reference =
                new ModuleReference(descriptor, URI.create("memory:hidden")) {
                    @Override
                    public ModuleReader open() {
                        return reader;
                    }
                };
        ModuleFinder finder =
                new ModuleFinder() {
                    @Override
                    public Optional<ModuleReference> find(String name) {
                        return name.equals("hidden") ? Optional.of(reference) : Optional.empty();
                    }

                    @Override
                    public Set<ModuleReference> findAll() {
                        return Collections.singleton(reference);
                    }
                };
        ModuleLayer boot = ModuleLayer.boot();
        Configuration configuration =
                boot.configuration()
                        .resolve(finder, ModuleFinder.of(), Collections.singleton("hidden"));
        ModuleLayer layer = boot.defineModulesWithOneLoader(configuration, null);
        Class<?> type = layer.findLoader("hidden").loadClass("hidden.Secret");
        tell(newInstance(type), 1);
        tell(new hidden.Secret(), 1);
    }

    /** Without a look at access, which the module would deny. */
    private static Object newInstance(Class<?> type) throws Exception {
        Class<?> unsafe = Class.forName("sun.misc.Unsafe");
        Field only = unsafe.getDeclaredField("theUnsafe");
        only.setAccessible(true);
        return unsafe.getMethod("allocateInstance", Class.class).invoke(only.get(null), type);
    }

    private static final class Node {
        final int number;
        Node next;

        Node(int number) {
            this.number = number;
        }
    }

    static void cycles() {
        Node one = new Node(1);
        one.next = new Node(2);
        one.next.next = one;
        tell(one, 9);
    }

    static void objectsOfTheJdk() {
        tell(new Date(7), 1);
        tell(new AtomicReference<>("a"), 1);
        tell(new AtomicReference<>(), 1);
        tell(Paths.get("a", "b"), 1);
        tell(new StringBuffer("a"), 1);
    }

    /** Thousands of properties of one value, and long text. */
    static void bounds() {
        List<Object> wide = new ArrayList<>();
        for (int row = 0; row < 20; row++) {
            List<Object> arrays = new ArrayList<>();
            for (int column = 0; column < 20; column++) {
                arrays.add(new Object[20]);
            }
            wide.add(arrays);
        }
        ObjectState state = new ObjectState(9);
        state.look("x", wide);
        System.out.println(state.properties().size() + " cut " + state.isCut());
        StringBuilder text = new StringBuilder();
        for (int length = 0; length <= 2_000; length++) {
            state = new ObjectState(1);
            state.look("x", text.toString());
            if (state.properties().get("x#value").startsWith("t")) {
                System.out.println("text cut at " + length);
            }
            text.append('a');
        }
        state = new ObjectState(1);
        state.look("x", text.toString());
        System.out.println("longer text cut " + state.properties().get("x#value").startsWith("t"));
        state = new ObjectState(2);
        state.look("x", new int[21]);
        System.out.println("21 elements cut " + state.isCut());
    }

    private static final long EXPRESSION = 1L << 32;

    /** How much is kept of one test. */
    static void boundsOfATest() {
        Observations.attend(7, true, -1, 1, false);
        kept("500 calls", 500, StateFacts::call);
        kept("501 calls", 501, StateFacts::call);
        kept("30 values", 30, turn -> Observations.seen(turn, EXPRESSION));
        kept("31 values", 31, turn -> Observations.seen(turn, EXPRESSION));
        // An int has two properties: that it is not null, and its value.
        kept("30,000 places", 30_000, turn -> Observations.seen(turn, EXPRESSION + turn));
        kept("30,001 places", 30_001, turn -> Observations.seen(turn, EXPRESSION + turn));
    }

    private static void call(int turn) {
        Observations.entered(7);
        Observations.returned(7);
    }

    private interface Turn {
        void take(int number);
    }

    private static void kept(String what, int turns, Turn turn) {
        for (int number = 0; number < turns; number++) {
            turn.take(number);
        }
        Decoder record = new Decoder(Sightings.take("test"));
        record.u8();
        record.text();
        record.texts();
        int sightings = record.u32();
        for (int left = sightings; left > 0; left--) {
            record.u64();
            record.u32();
            record.u32();
            record.u32();
        }
        record.u64();
        for (int left = record.u32(); left > 0; left--) {
            record.u32();
            record.u32();
            record.u64();
            record.u32();
        }
        System.out.println(what + " " + sightings + " cut " + (record.u8() != 0));
    }
}
