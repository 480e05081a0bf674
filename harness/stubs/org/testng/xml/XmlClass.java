package org.testng.xml;

import java.util.List;

public class XmlClass {
    public XmlClass(Class<?> testClass) {}

    public native void setIncludedMethods(List<XmlInclude> methods);
}
