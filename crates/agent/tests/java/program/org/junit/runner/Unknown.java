package org.junit.runner;

/** A main class that the agent does not know, which runs tests all the same. */
public class Unknown {
    public static void main(String[] arguments) {
        JUnitCore.run();
    }
}
