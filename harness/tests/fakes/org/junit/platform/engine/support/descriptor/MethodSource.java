package org.junit.platform.engine.support.descriptor;

public class MethodSource {
    private final String className;
    private final String methodName;
    private final String parameterTypes;

    public MethodSource(String className, String methodName, String parameterTypes) {
        this.className = className;
        this.methodName = methodName;
        this.parameterTypes = parameterTypes;
    }

    public String getClassName() {
        return className;
    }

    public String getMethodName() {
        return methodName;
    }

    public String getMethodParameterTypes() {
        return parameterTypes;
    }
}
