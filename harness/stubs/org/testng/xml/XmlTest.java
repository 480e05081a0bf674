package org.testng.xml;

import java.util.List;

public class XmlTest {
    public XmlTest(XmlSuite suite) {}

    public native void setName(String name);

    public native void setXmlClasses(List<XmlClass> classes);
}
