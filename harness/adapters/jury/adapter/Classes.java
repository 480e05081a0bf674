package jury.adapter;

import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Finds the classes of tests whose ids read {@code engine:class#name}. */
final class Classes {
    private Classes() {}

    /**
     * Ids by the class they belong to, both in the order given. A class is loaded when its turn
     * comes, so that one that is gone does not keep the others from running.
     */
    static Map<String, Set<String>> group(List<String> ids) {
        Map<String, Set<String>> classes = new LinkedHashMap<>();
        for (String id : ids) {
            int hash = id.indexOf('#');
            String name = id.substring(id.indexOf(':') + 1, hash < 0 ? id.length() : hash);
            classes.computeIfAbsent(name, absent -> new LinkedHashSet<>()).add(id);
        }
        return classes;
    }

    /** Through the system class loader, as a build does; the framework initialises the class. */
    static Class<?> load(String name) throws ClassNotFoundException {
        return Class.forName(name, false, ClassLoader.getSystemClassLoader());
    }
}
