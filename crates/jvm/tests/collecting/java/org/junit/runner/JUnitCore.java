package org.junit.runner;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import org.junit.runner.notification.RunNotifier;

/**
 * A main class that the agent knows to run tests: every public method of each class named, one
 * after the other, or all classes at once if the first argument is {@code parallel}.
 */
public class JUnitCore {
    private static final RunNotifier NOTIFIER = new RunNotifier();

    public static void main(String[] arguments) throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (String name : arguments) {
            if (name.equals("parallel")) {
                continue;
            }
            Thread thread = new Thread(() -> run(name));
            threads.add(thread);
            thread.start();
            if (!arguments[0].equals("parallel")) {
                thread.join();
            }
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }

    private static void run(String name) {
        try {
            Class<?> type = Class.forName(name);
            for (Method method : type.getDeclaredMethods()) {
                if (java.lang.reflect.Modifier.isPublic(method.getModifiers())) {
                    Description test = new Description(method.getName() + "(" + name + ")");
                    Object instance = type.getConstructor().newInstance();
                    NOTIFIER.fireTestStarted(test);
                    method.invoke(instance);
                    NOTIFIER.fireTestFinished(test);
                }
            }
        } catch (ReflectiveOperationException failed) {
            throw new AssertionError(failed);
        }
    }
}
