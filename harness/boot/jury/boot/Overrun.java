package jury.boot;

/**
 * Thrown into code that has done more work than its limit allows. An error, so that ordinary
 * handlers let it through; without a stack trace, since it may be thrown millions of times by code
 * that catches it and goes on.
 */
final class Overrun extends Error {
    private static final long serialVersionUID = 1;

    Overrun() {
        super("the test did more work than its limit allows", null, false, false);
    }
}
