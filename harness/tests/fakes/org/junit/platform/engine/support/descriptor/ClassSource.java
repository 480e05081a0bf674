package org.junit.platform.engine.support.descriptor;

public class ClassSource {
    private final String className;

    public ClassSource(String className) {
        this.className = className;
    }

    public String getClassName() {
        return className;
    }
}
