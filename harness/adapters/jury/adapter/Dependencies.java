package jury.adapter;

import java.lang.reflect.Method;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.testng.annotations.Test;

/**
 * Adds the methods of the same class that selected TestNG methods depend on, by method or by group.
 * Names are regular expressions, as TestNG reads them, and may be qualified by the class.
 */
final class Dependencies {
    private Dependencies() {}

    static void complete(Class<?> testClass, Map<String, Selected> selected) {
        Method[] methods = testClass.getMethods();
        Deque<String> open = new ArrayDeque<>(selected.keySet());
        while (!open.isEmpty()) {
            String dependent = open.remove();
            for (Method method : methods) {
                if (!method.getName().equals(dependent)) {
                    continue;
                }
                for (Method candidate : methods) {
                    if (isNeeded(testClass, method, candidate)
                            && selected.putIfAbsent(candidate.getName(), new Selected()) == null) {
                        open.add(candidate.getName());
                    }
                }
            }
        }
    }

    private static boolean isNeeded(Class<?> testClass, Method dependent, Method candidate) {
        Test needs = dependent.getAnnotation(Test.class);
        Test offers = candidate.getAnnotation(Test.class);
        Test ofClass = testClass.getAnnotation(Test.class);
        if (candidate.getDeclaringClass() == Object.class || (offers == null && ofClass == null)) {
            return false;
        }
        return needs != null
                && (namesMethod(needs.dependsOnMethods(), candidate)
                        || namesGroup(needs.dependsOnGroups(), offers)
                        || namesGroup(needs.dependsOnGroups(), ofClass));
    }

    private static boolean namesMethod(String[] patterns, Method candidate) {
        String qualified = candidate.getDeclaringClass().getName() + "." + candidate.getName();
        for (String pattern : patterns) {
            if (candidate.getName().matches(pattern) || qualified.matches(pattern)) {
                return true;
            }
        }
        return false;
    }

    private static boolean namesGroup(String[] patterns, Test offers) {
        if (offers == null) {
            return false;
        }
        for (String pattern : patterns) {
            for (String group : offers.groups()) {
                if (group.matches(pattern)) {
                    return true;
                }
            }
        }
        return false;
    }
}
