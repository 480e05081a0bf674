package org.testng;

import java.util.List;
import org.testng.xml.XmlSuite;

public class TestNG {
    public TestNG(boolean useDefaultListeners) {}

    public native void setVerbose(int level);

    public native void setXmlSuites(List<XmlSuite> suites);

    public native void run();
}
