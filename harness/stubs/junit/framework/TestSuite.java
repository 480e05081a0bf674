package junit.framework;

import java.util.Enumeration;

public class TestSuite implements Test {
    public TestSuite() {}

    public TestSuite(Class<?> testClass) {}

    public native void addTest(Test test);

    public native Enumeration<Test> tests();

    @Override
    public native void run(TestResult result);
}
