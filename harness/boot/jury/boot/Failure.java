package jury.boot;

import java.io.PrintWriter;
import java.io.Writer;

/**
 * What a test threw, as text. An exception class of the tests may override anything, so each
 * question to it is guarded; one that cannot be answered is left empty.
 */
final class Failure {
    private static final int LONGEST_MESSAGE = 4 << 10;
    private static final int LONGEST_TRACE = 16 << 10;

    /** For a failure whose framework has no exception to show. */
    static final Failure UNKNOWN = new Failure("", "", "");

    final String exception;
    final String message;
    final String trace;

    Failure(String exception, String message, String trace) {
        this.exception = exception;
        this.message = message;
        this.trace = trace;
    }

    static Failure of(Throwable thrown) {
        if (thrown == null) {
            return UNKNOWN;
        }
        return new Failure(thrown.getClass().getName(), messageOf(thrown), traceOf(thrown));
    }

    private static String messageOf(Throwable thrown) {
        try {
            String message = thrown.getMessage();
            if (message == null) {
                return "";
            }
            return message.length() <= LONGEST_MESSAGE
                    ? message
                    : message.substring(0, LONGEST_MESSAGE);
        } catch (Throwable hostile) {
            return "";
        }
    }

    private static String traceOf(Throwable thrown) {
        Excerpt excerpt = new Excerpt();
        try {
            thrown.printStackTrace(new PrintWriter(excerpt));
        } catch (Throwable hostile) {
            // What was printed until then is still worth showing.
        }
        return excerpt.text.toString();
    }

    /** Keeps the beginning and drops the rest, so that a huge trace costs no memory. */
    private static final class Excerpt extends Writer {
        final StringBuilder text = new StringBuilder();

        @Override
        public void write(char[] chars, int offset, int length) {
            text.append(chars, offset, Math.min(length, LONGEST_TRACE - text.length()));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
