package org.junit.runner;

public abstract class Request {
    public static native Request aClass(Class<?> testClass);

    public static native Request runner(Runner runner);

    public abstract Runner getRunner();
}
