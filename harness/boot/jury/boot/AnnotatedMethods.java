package jury.boot;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Remembers which methods of a class have an annotation, as the JUnit Platform has found them. Called
 * by the rewritten {@code AnnotationUtils.findAnnotatedMethods}.
 */
public final class AnnotatedMethods {
    /** By annotation and order; kept with the class itself, so that it can be unloaded. */
    private static final ClassValue<Map<List<Object>, List<?>>> KNOWN =
            new ClassValue<Map<List<Object>, List<?>>>() {
                @Override
                protected Map<List<Object>, List<?>> computeValue(Class<?> type) {
                    return new ConcurrentHashMap<>();
                }
            };

    private AnnotatedMethods() {}

    public static boolean isNew(Object type, Object annotation, Object order) {
        return !(type instanceof Class) || found(type, annotation, order) == null;
    }

    /** A list of the caller's own: some versions turn it round. */
    public static List<?> recall(Object type, Object annotation, Object order) {
        return new ArrayList<>(found(type, annotation, order));
    }

    public static void keep(List<?> methods, Object type, Object annotation, Object order) {
        KNOWN.get((Class<?>) type).put(Arrays.asList(annotation, order), new ArrayList<>(methods));
    }

    private static List<?> found(Object type, Object annotation, Object order) {
        return KNOWN.get((Class<?>) type).get(Arrays.asList(annotation, order));
    }
}
