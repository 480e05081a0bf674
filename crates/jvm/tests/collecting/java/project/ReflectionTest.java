package project;

public class ReflectionTest {
    public void lists() {
        Listed.class.getDeclaredFields();
    }

    public void looksUp() {
        for (String name : new String[] {"project.Listed", "project.Missing"}) {
            try {
                Class.forName(name, false, ReflectionTest.class.getClassLoader());
            } catch (ClassNotFoundException missing) {
                // as it should be
            }
        }
        try {
            ReflectionTest.class.getClassLoader().loadClass("project.Unloaded");
        } catch (ClassNotFoundException missing) {
            // as it should be
        }
    }

    /** By names that no file can have. */
    public void looksForGarbage() {
        for (String name : new String[] {"garbage\0", new String(new char[5000]).replace('\0', 'x')}) {
            try {
                Class.forName(name);
            } catch (ClassNotFoundException missing) {
                // as it should be
            }
            ReflectionTest.class.getResource(name);
            new java.io.File(name).exists();
        }
    }

    public void loads() throws ClassNotFoundException {
        ReflectionTest.class.getClassLoader().loadClass("project.ReflectionTest$Loaded");
        ReflectionTest.class.getPackage().getAnnotations();
    }

    public void findsResources() {
        ReflectionTest.class.getResource("there.txt");
        ReflectionTest.class.getClassLoader().getResourceAsStream("absent.txt");
    }

    static class Loaded {}

    static class Listed {
        int field;
    }
}
