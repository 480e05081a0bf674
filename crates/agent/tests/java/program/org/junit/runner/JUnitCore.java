package org.junit.runner;

import java.util.Arrays;
import org.junit.runner.notification.RunNotifier;

/** A main class that the agent knows to run tests. With arguments, it first runs them as a command. */
public class JUnitCore {
    public static void main(String[] arguments) throws Exception {
        if (arguments.length > 0) {
            Process child = new ProcessBuilder(Arrays.asList(arguments)).inheritIO().start();
            if (child.waitFor() != 0) {
                throw new AssertionError("the child failed");
            }
        }
        run();
    }

    static void run() {
        RunNotifier notifier = new RunNotifier();
        notifier.fireTestStarted("adds");
        notifier.fireTestFinished("adds");
    }
}
