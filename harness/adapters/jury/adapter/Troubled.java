package jury.adapter;

/** Lets the remaining classes of a batch run when one cannot, and tells the first trouble after. */
final class Troubled {
    private RuntimeException trouble;

    interface Attempt {
        void run() throws Throwable;
    }

    void attempt(Attempt attempt) {
        try {
            attempt.run();
        } catch (Throwable thrown) {
            if (trouble == null) {
                trouble = new IllegalStateException("some tests could not be run", thrown);
            } else {
                trouble.addSuppressed(thrown);
            }
        }
    }

    void rethrow() {
        if (trouble != null) {
            throw trouble;
        }
    }
}
