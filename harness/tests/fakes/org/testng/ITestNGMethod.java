package org.testng;

import org.testng.internal.ConstructorOrMethod;

public interface ITestNGMethod {
    String getMethodName();

    ConstructorOrMethod getConstructorOrMethod();
}
