package jury.boot;

/** How a test ended, as far as a framework can tell. The order is from mild to severe. */
enum Outcome {
    PASSED("passed"),
    SKIPPED("skipped"),
    ABORTED("aborted"),
    FAILED("failed");

    final String word;

    Outcome(String word) {
        this.word = word;
    }
}
