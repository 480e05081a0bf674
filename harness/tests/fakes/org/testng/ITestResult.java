package org.testng;

public interface ITestResult {
    int getStatus();

    Throwable getThrowable();

    Object[] getParameters();

    boolean wasRetried();

    Object getInstance();

    IClass getTestClass();

    ITestNGMethod getMethod();
}
