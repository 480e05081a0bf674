package org.testng.xml;

public class XmlSuite {
    public native void setName(String name);
}
