package jury.boot;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.Date;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The state of a value: its own properties, and those of each of its fields, private and inherited
 * ones included, as deep as is asked for. Beyond one level, elements of arrays and of the JDK's
 * containers count as well. A property is named {@code role.field#kind} or {@code role[2]#kind}; the
 * value of a {@code #value} begins with a letter for its type.
 *
 * <p>Fields are read, methods of the project are never called. The JDK's own objects show what they
 * stand for (text, number, size), not their fields.
 */
final class ObjectState {
    private static final int MOST_FIELDS = 100;
    private static final int MOST_CHARACTERS = 2_000;
    private static final int MOST_ELEMENTS = 20;

    /** Of one value, however deep it is looked at. */
    private static final int MOST_PROPERTIES = 2_000;

    /**
     * Classes of the JDK whose text says all there is to them, runs no code of others and takes no lock:
     * {@code StringBuffer}, {@code StringWriter} and {@code ByteArrayOutputStream} would wait for whoever
     * writes to them.
     */
    private static final Set<String> SPEAKING =
            new HashSet<>(
                    Arrays.asList(
                            "java.lang.StringBuilder",
                            "java.math.BigDecimal",
                            "java.math.BigInteger",
                            "java.io.File",
                            "java.net.URI",
                            "java.nio.charset.Charset",
                            "java.util.BitSet",
                            "java.util.Currency",
                            "java.util.Locale",
                            "java.util.OptionalDouble",
                            "java.util.OptionalInt",
                            "java.util.OptionalLong",
                            "java.util.StringJoiner",
                            "java.util.UUID",
                            "java.util.regex.Pattern",
                            "java.util.concurrent.atomic.AtomicBoolean",
                            "java.util.concurrent.atomic.AtomicInteger",
                            "java.util.concurrent.atomic.AtomicLong",
                            "java.util.concurrent.atomic.LongAdder"));

    // Tests evaluate the same few classes over and over: what reflection says of one is asked once.

    private static final ClassValue<Layout> LAYOUTS =
            new ClassValue<Layout>() {
                @Override
                protected Layout computeValue(Class<?> type) {
                    return new Layout(type);
                }
            };

    /** Whether the text of an object says all there is to it. */
    private static final ClassValue<Boolean> ARE_VALUES =
            new ClassValue<Boolean>() {
                @Override
                protected Boolean computeValue(Class<?> type) {
                    return isValueClass(type);
                }
            };

    private static final ClassValue<Map<String, Boolean>> ANSWERED_BY_JDK =
            new ClassValue<Map<String, Boolean>>() {
                @Override
                protected Map<String, Boolean> computeValue(Class<?> type) {
                    return new ConcurrentHashMap<>();
                }
            };

    private final Map<String, String> properties = new LinkedHashMap<>();
    private final List<String> unreadable = new ArrayList<>();
    private final int depth;

    /** Objects that were looked into, since they may hold one another. */
    private final Set<Object> seen = Collections.newSetFromMap(new IdentityHashMap<>());

    private boolean cut;

    ObjectState(int depth) {
        this.depth = depth;
    }

    Map<String, String> properties() {
        return properties;
    }

    List<String> unreadable() {
        return unreadable;
    }

    /** Whether there was more than is kept. */
    boolean isCut() {
        return cut;
    }

    void add(String property, String value) {
        if (properties.size() < MOST_PROPERTIES) {
            properties.putIfAbsent(property, value);
        } else {
            cut = true;
        }
    }

    void look(String role, Object value) {
        seen.clear();
        look(role, value, depth);
    }

    private void look(String role, Object value, int depth) {
        basic(role, value);
        if (depth <= 0 || cut || value == null || isValue(value) || !seen.add(value)) {
            return;
        }
        if (this.depth > 1) {
            elements(role, value, depth - 1);
        }
        if (value.getClass().isArray()) {
            return;
        }
        Layout layout = LAYOUTS.get(value.getClass());
        for (NamedField named : layout.fields) {
            String name = role + named.suffix;
            Field field = named.field;
            try {
                if (field.getType().isPrimitive()) {
                    add(name + "#value", valueText(field.get(value)));
                } else {
                    look(name, field.get(value), depth - 1);
                }
            } catch (Throwable hidden) {
                unreadable.add(field.getDeclaringClass().getName() + "." + field.getName());
            }
        }
        unreadable.addAll(layout.hidden);
    }

    private void elements(String role, Object value, int depth) {
        int index = 0;
        try {
            if (value.getClass().isArray()) {
                for (; index < Math.min(Array.getLength(value), MOST_ELEMENTS); index++) {
                    look(role + "[" + index + "]", Array.get(value, index), depth);
                }
                cut |= Array.getLength(value) > index;
            } else if (value instanceof Collection && isAnsweredByJdk(value, "iterator")) {
                for (Object element : (Collection<?>) value) {
                    if (index == MOST_ELEMENTS) {
                        cut = true;
                        break;
                    }
                    look(role + "[" + index++ + "]", element, depth);
                }
            } else if (value instanceof Map && isAnsweredByJdk(value, "entrySet")) {
                for (Map.Entry<?, ?> entry : ((Map<?, ?>) value).entrySet()) {
                    if (index == MOST_ELEMENTS) {
                        cut = true;
                        break;
                    }
                    look(role + "[" + index + "].key", entry.getKey(), depth);
                    look(role + "[" + index++ + "].value", entry.getValue(), depth);
                }
            }
        } catch (Throwable changing) {
            unreadable.add(value.getClass().getName() + "[" + index + "]");
        }
    }

    private void basic(String role, Object value) {
        // A primitive arrives in its wrapper; that it is not null says nothing then, nor does harm.
        add(role + "#null", value == null ? "true" : "false");
        if (value == null) {
            return;
        }
        if (isValue(value)) {
            add(role + "#value", valueText(value));
        } else if (value.getClass().isArray()) {
            add(role + "#length", String.valueOf(Array.getLength(value)));
        } else if (value instanceof Throwable) {
            add(role + "#class", value.getClass().getName());
            message(role, (Throwable) value);
        } else {
            size(role, value);
        }
    }

    /** A message is asked for only where nobody but the JDK answers. */
    private void message(String role, Throwable thrown) {
        try {
            if (isAnsweredByJdk(thrown, "getMessage")) {
                basic(role + ".message", thrown.getMessage());
            }
        } catch (Throwable unknown) {
            unreadable.add(thrown.getClass().getName() + ".message");
        }
    }

    /** The size of a collection, if nobody but the JDK has to be asked for it. */
    private void size(String role, Object value) {
        try {
            if (value instanceof Collection && isAnsweredByJdk(value, "size")) {
                add(role + "#size", String.valueOf(((Collection<?>) value).size()));
            } else if (value instanceof Map && isAnsweredByJdk(value, "size")) {
                add(role + "#size", String.valueOf(((Map<?, ?>) value).size()));
            } else if (value instanceof Optional) {
                content(role, ((Optional<?>) value).orElse(null));
            } else if (value instanceof AtomicReference) {
                content(role, ((AtomicReference<?>) value).get());
            } else if (value.getClass() == Date.class) {
                // Its text depends on the time zone, and knows no milliseconds.
                add(role + ".time#value", valueText(((Date) value).getTime()));
            }
        } catch (Throwable unknown) {
            unreadable.add(value.getClass().getName() + ".size()");
        }
    }

    private void content(String role, Object content) {
        add(role + ".value#null", content == null ? "true" : "false");
        if (content != null && isValue(content)) {
            add(role + ".value#value", valueText(content));
        }
    }

    /**
     * Whether a method without parameters is the JDK's own, and takes no lock: another thread may
     * hold it and wait for this one. What a wrapper of the JDK holds is not known.
     */
    private static boolean isAnsweredByJdk(Object value, String method) throws Exception {
        Class<?> type = value.getClass();
        Map<String, Boolean> known = ANSWERED_BY_JDK.get(type);
        Boolean answer = known.get(method);
        if (answer == null) {
            Method answering = type.getMethod(method);
            Class<?> declaring = answering.getDeclaringClass();
            // What an abstract class answers, it asks of the class that extends it.
            boolean asksOthers = !isOfJdk(type) && Modifier.isAbstract(declaring.getModifiers());
            answer =
                    isOfJdk(declaring)
                            && !asksOthers
                            && !Modifier.isSynchronized(answering.getModifiers())
                            && !declaring.getName().contains("Synchronized");
            known.put(method, answer);
        }
        return answer;
    }

    private static boolean isValue(Object value) {
        return ARE_VALUES.get(value.getClass());
    }

    private static boolean isValueClass(Class<?> type) {
        String name = type.getName();
        return type == String.class
                || type == Boolean.class
                || type == Character.class
                || type == Class.class
                || Enum.class.isAssignableFrom(type)
                || (Number.class.isAssignableFrom(type) && name.startsWith("java.lang."))
                || SPEAKING.contains(name)
                || ((name.startsWith("java.time.") || Path.class.isAssignableFrom(type))
                        && isOfJdk(type));
    }

    /** A letter for the type, then the text. */
    private static String valueText(Object value) {
        if (value instanceof String) {
            return cut("T", (String) value);
        } else if (value instanceof Boolean) {
            return "Z" + value;
        } else if (value instanceof Character) {
            return "C" + value;
        } else if (value instanceof Integer) {
            return "I" + value;
        } else if (value instanceof Long) {
            return "J" + value;
        } else if (value instanceof Double) {
            return "D" + value;
        } else if (value instanceof Float) {
            return "F" + value;
        } else if (value instanceof Byte) {
            return "B" + value;
        } else if (value instanceof Short) {
            return "S" + value;
        } else if (value instanceof Enum) {
            Enum<?> constant = (Enum<?>) value;
            return "E" + constant.getDeclaringClass().getName() + "." + constant.name();
        } else if (value instanceof Class) {
            return "K" + ((Class<?>) value).getName();
        }
        return cut("O", value.toString());
    }

    /** Long text is cut; its length and hash still tell it from another. */
    private static String cut(String letter, String text) {
        if (text.length() <= MOST_CHARACTERS) {
            return letter + text;
        }
        return "t" + text.substring(0, 200) + "… (" + text.length() + " characters, hash "
                + Integer.toHexString(text.hashCode()) + ")";
    }

    /** Nothing, if a field is of a class that is not there. */
    private static Field[] declaredFields(Class<?> type) {
        try {
            return type.getDeclaredFields();
        } catch (LinkageError incomplete) {
            return new Field[0];
        }
    }

    private static boolean isOfJdk(Class<?> type) {
        return type == null || type.getClassLoader() == null;
    }

    /** Fields of a class and of those it extends, up to the JDK's. */
    private static final class Layout {
        final List<NamedField> fields = new ArrayList<>();

        /** What modules keep to themselves. */
        final List<String> hidden = new ArrayList<>();

        Layout(Class<?> type) {
            Set<String> taken = new HashSet<>();
            if (Throwable.class.isAssignableFrom(type)) {
                taken.add("message");
            }
            for (Class<?> each = type; !isOfJdk(each); each = each.getSuperclass()) {
                for (Field field : declaredFields(each)) {
                    if (!Modifier.isStatic(field.getModifiers()) && fields.size() < MOST_FIELDS) {
                        add(field, taken);
                    }
                }
            }
        }

        private void add(Field field, Set<String> taken) {
            String declaring = field.getDeclaringClass().getName();
            try {
                field.setAccessible(true);
            } catch (RuntimeException encapsulated) {
                hidden.add(declaring + "." + field.getName());
                return;
            }
            boolean free = taken.add(field.getName());
            String name = "." + field.getName();
            fields.add(new NamedField(field, free ? name : name + "@" + declaring));
        }
    }

    private static final class NamedField {
        final Field field;

        /** What it adds to the name of its object. */
        final String suffix;

        NamedField(Field field, String suffix) {
            this.field = field;
            this.suffix = suffix;
        }
    }
}
