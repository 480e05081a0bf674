package jury.adapter;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import jury.boot.Adapter;
import org.testng.TestNG;
import org.testng.xml.XmlClass;
import org.testng.xml.XmlInclude;
import org.testng.xml.XmlSuite;
import org.testng.xml.XmlTest;

/**
 * Runs tests with TestNG, all in one suite made for the batch. No default listener is added, so
 * nothing is printed and no report is written. Methods that a wanted one depends on run too;
 * without them TestNG would refuse the suite.
 */
public final class TestNgAdapter implements Adapter {
    @Override
    public void run(List<String> ids, Map<String, String> launcherParameters) {
        Troubled troubled = new Troubled();
        List<XmlClass> classes = new ArrayList<>();
        for (Map.Entry<String, Set<String>> entry : Classes.group(ids).entrySet()) {
            troubled.attempt(
                    () -> classes.add(select(Classes.load(entry.getKey()), entry.getValue())));
        }
        XmlSuite suite = new XmlSuite();
        suite.setName("Jury");
        XmlTest test = new XmlTest(suite);
        test.setName("Jury");
        test.setXmlClasses(classes);
        TestNG testNg = new TestNG(false);
        testNg.setVerbose(0);
        testNg.setXmlSuites(Collections.singletonList(suite));
        if (!classes.isEmpty()) {
            testNg.run();
        }
        troubled.rethrow();
    }

    private static XmlClass select(Class<?> testClass, Set<String> ids) {
        Map<String, Selected> methods = new LinkedHashMap<>();
        for (String id : ids) {
            // engine:class#method(types)[row]@instance, the last two only where there are several
            String method = id.substring(id.indexOf('#') + 1, id.indexOf('('));
            methods.computeIfAbsent(method, absent -> new Selected()).add(id);
        }
        Dependencies.complete(testClass, methods);
        List<XmlInclude> includes = new ArrayList<>();
        for (Map.Entry<String, Selected> method : methods.entrySet()) {
            List<Integer> indices = method.getValue().announceRows();
            includes.add(new XmlInclude(method.getKey(), indices, includes.size()));
        }
        XmlClass selected = new XmlClass(testClass);
        selected.setIncludedMethods(includes);
        return selected;
    }
}
