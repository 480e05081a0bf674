package siege;

/** Looked at only before the first and after the last test of a class. */
final class Walls {
    private Walls() {}

    // expect: null crashed
    static Object drawbridge() {
        return new StringBuilder("drawbridge");
    }

    // expect: null crashed
    static Object portcullis() {
        return new StringBuilder("portcullis");
    }

    // expect: null killed
    static Object moat() {
        return new StringBuilder("moat");
    }
}
