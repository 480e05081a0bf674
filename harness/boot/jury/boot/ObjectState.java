package jury.boot;

import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The state of a value: its own properties, and those of each of its fields, private and inherited
 * ones included, one level deep. A property is named {@code role.field#kind}; the value of a
 * {@code #value} begins with a letter for its type.
 *
 * <p>Fields are read, methods of the project are never called. The JDK's own objects show what they
 * stand for (text, number, size), not their fields.
 */
final class ObjectState {
    private static final int MOST_FIELDS = 100;
    private static final int MOST_CHARACTERS = 2_000;

    /** Classes of the JDK whose text says all there is to them, and runs no code of others. */
    private static final Set<String> SPEAKING =
            new HashSet<>(
                    Arrays.asList(
                            "java.lang.StringBuilder",
                            "java.math.BigDecimal",
                            "java.math.BigInteger",
                            "java.io.File",
                            "java.net.URI",
                            "java.nio.charset.Charset",
                            "java.util.Locale",
                            "java.util.UUID",
                            "java.util.regex.Pattern",
                            "java.util.concurrent.atomic.AtomicBoolean",
                            "java.util.concurrent.atomic.AtomicInteger",
                            "java.util.concurrent.atomic.AtomicLong"));

    /** Fields of a class and of those it extends, up to the JDK's. */
    private static final ClassValue<List<Field>> FIELDS =
            new ClassValue<List<Field>>() {
                @Override
                protected List<Field> computeValue(Class<?> type) {
                    return readableFields(type);
                }
            };

    private final Map<String, String> properties = new LinkedHashMap<>();
    private final List<String> unreadable = new ArrayList<>();

    Map<String, String> properties() {
        return properties;
    }

    List<String> unreadable() {
        return unreadable;
    }

    void add(String property, String value) {
        properties.putIfAbsent(property, value);
    }

    void look(String role, Object value) {
        basic(role, value);
        if (value == null || isValue(value) || value.getClass().isArray()) {
            return;
        }
        for (Field field : FIELDS.get(value.getClass())) {
            String name = role.isEmpty() ? "." + field.getName() : role + "." + field.getName();
            if (properties.containsKey(name + "#null") || properties.containsKey(name + "#value")) {
                name += "@" + field.getDeclaringClass().getName();
            }
            try {
                if (field.getType().isPrimitive()) {
                    add(name + "#value", valueText(field.get(value)));
                } else {
                    basic(name, field.get(value));
                }
            } catch (Throwable hidden) {
                unreadable.add(field.getDeclaringClass().getName() + "." + field.getName());
            }
        }
        for (Class<?> type = value.getClass(); !isOfJdk(type); type = type.getSuperclass()) {
            if (FIELDS.get(type).isEmpty() && declaredFields(type).length > 0) {
                noteHidden(type);
            }
        }
    }

    private void noteHidden(Class<?> type) {
        for (Field field : declaredFields(type)) {
            if (!Modifier.isStatic(field.getModifiers())) {
                unreadable.add(type.getName() + "." + field.getName());
            }
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
        } else if (isOfJdk(value.getClass())) {
            size(role, value);
        }
    }

    /** A message is asked for only where nobody but the JDK answers. */
    private void message(String role, Throwable thrown) {
        try {
            Class<?> declaring = thrown.getClass().getMethod("getMessage").getDeclaringClass();
            if (isOfJdk(declaring)) {
                basic(role + ".message", thrown.getMessage());
            }
        } catch (Throwable unknown) {
            unreadable.add(thrown.getClass().getName() + ".message");
        }
    }

    /**
     * The size of a collection of the JDK. Synchronized ones are not asked: another thread may hold
     * their lock and wait for this one.
     */
    private void size(String role, Object value) {
        String type = value.getClass().getName();
        if (type.contains("Synchronized")
                || type.equals("java.util.Vector")
                || type.equals("java.util.Stack")
                || type.equals("java.util.Hashtable")
                || type.equals("java.util.Properties")) {
            return;
        }
        try {
            if (value instanceof Collection) {
                add(role + "#size", String.valueOf(((Collection<?>) value).size()));
            } else if (value instanceof Map) {
                add(role + "#size", String.valueOf(((Map<?, ?>) value).size()));
            } else if (value instanceof Optional) {
                Object content = ((Optional<?>) value).orElse(null);
                add(role + ".value#null", content == null ? "true" : "false");
                if (content != null && isValue(content)) {
                    add(role + ".value#value", valueText(content));
                }
            }
        } catch (Throwable unknown) {
            unreadable.add(type + ".size()");
        }
    }

    private static boolean isValue(Object value) {
        return value instanceof String
                || value instanceof Boolean
                || value instanceof Character
                || value instanceof Enum
                || value instanceof Class
                || (value instanceof Number && value.getClass().getName().startsWith("java.lang."))
                || SPEAKING.contains(value.getClass().getName())
                || value.getClass().getName().startsWith("java.time.") && isOfJdk(value.getClass());
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

    private static List<Field> readableFields(Class<?> type) {
        List<Field> fields = new ArrayList<>();
        for (Class<?> each = type; !isOfJdk(each); each = each.getSuperclass()) {
            for (Field field : declaredFields(each)) {
                if (Modifier.isStatic(field.getModifiers()) || fields.size() == MOST_FIELDS) {
                    continue;
                }
                try {
                    field.setAccessible(true);
                    fields.add(field);
                } catch (RuntimeException encapsulated) {
                    // A module keeps it to itself; whoever looks says so.
                }
            }
        }
        return fields;
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
}
