import java.util.stream.Stream;

/** Each method without parameters shows what became of one instruction, here or in what it calls. */
class Subject implements Shape {
    static int two = 2;
    static int three = 3;
    int value;

    static int add() {
        return two + three;
    }

    static String less() {
        return two < three ? "less" : "not less";
    }

    static int count() {
        int count = two;
        count += 5;
        return count;
    }

    static String call() {
        StringBuilder text = new StringBuilder();
        mark(text, 1L, 2.0);
        return text.toString();
    }

    static void mark(StringBuilder text, long more, double evenMore) {
        text.append("marked");
    }

    static String made() {
        Object made = new Object[] {new StringBuilder("x")}[0];
        return made == null ? "null" : "made";
    }

    static String choose() {
        switch (two) {
            case 2:
                return "two";
            case 1000:
                return "thousand";
            default:
                return "other";
        }
    }

    static String pick() {
        switch (two) {
            case 2:
                return "two";
            case 3:
                return "three";
            case 4:
                return "four";
            case 5:
                return "five";
            default:
                return "other";
        }
    }

    static int constant() {
        return 7;
    }

    static Integer boxed() {
        return two;
    }

    static String text() {
        return "text";
    }

    static long streamed() {
        return stream().count();
    }

    static Stream<String> stream() {
        return Stream.of("a", "b");
    }

    static int assigned() {
        Subject subject = new Subject();
        subject.set(5);
        return subject.value;
    }

    synchronized void set(int newValue) {
        value = newValue;
    }

    static String forwarded() {
        return new Subject().mixed((byte) 1, 2L, 3f, 4.0, "five", new int[] {6});
    }

    private String mixed(byte a, long b, float c, double d, String e, int[] f) {
        return a + " " + b + " " + c + " " + d + " " + e + " " + (f[0] - a);
    }

    static int corners() {
        return new Subject().more();
    }

    static int faculty() {
        return faculty(5);
    }

    static int faculty(int n) {
        return n == 0 ? 1 : n * faculty(n - 1);
    }
}

interface Shape {
    default int more() {
        return Subject.two + Subject.three;
    }
}
