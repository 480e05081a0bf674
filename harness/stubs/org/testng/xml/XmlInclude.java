package org.testng.xml;

import java.util.List;

public class XmlInclude {
    public XmlInclude(String name, List<Integer> invocationNumbers, int index) {}
}
