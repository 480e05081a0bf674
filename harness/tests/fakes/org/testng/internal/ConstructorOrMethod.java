package org.testng.internal;

import java.lang.reflect.Method;

public class ConstructorOrMethod {
    private final Method method;

    public ConstructorOrMethod(Method method) {
        this.method = method;
    }

    public Method getMethod() {
        return method;
    }
}
