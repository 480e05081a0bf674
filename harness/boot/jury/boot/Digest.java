package jury.boot;

/** A number that stands for a property: two that differ have different ones, but for bad luck. */
final class Digest {
    /** Shorter numbers in the names of temporary files may mean something. */
    private static final int RANDOM_DIGITS = 6;

    /** Each worker has its own. */
    private static final String TEMPORARY = System.getProperty("java.io.tmpdir", "/tmp");

    private Digest() {}

    static long of(int ordinal, String property, String value) {
        String told = withoutChance(value, TEMPORARY);
        return mixed(ordinal + spread(told, spread(property, 0x9e3779b97f4a7c15L)));
    }

    /**
     * A text without what is another in every JVM and every run: where a worker has its temporary
     * files, and the long numbers by which names below that directory are told apart.
     */
    static String withoutChance(String text, String temporary) {
        int at = text.indexOf(temporary);
        if (at < 0) {
            return text;
        }
        StringBuilder told = new StringBuilder(text.length());
        int copied = 0;
        for (; at >= 0; at = text.indexOf(temporary, copied)) {
            told.append(text, copied, at).append("/tmp");
            copied = at + temporary.length();
            int end = copied;
            while (end < text.length() && isOfPath(text.charAt(end))) {
                end++;
            }
            withoutLongNumbers(text, copied, end, told);
            copied = end;
        }
        return told.append(text, copied, text.length()).toString();
    }

    private static void withoutLongNumbers(String text, int from, int to, StringBuilder told) {
        int at = from;
        while (at < to) {
            int end = at;
            while (end < to && Character.isDigit(text.charAt(end))) {
                end++;
            }
            if (end - at >= RANDOM_DIGITS) {
                told.append('0');
            } else {
                told.append(text, at, Math.max(end, at + 1));
            }
            at = Math.max(end, at + 1);
        }
    }

    private static boolean isOfPath(char character) {
        return !Character.isWhitespace(character) && "\"'<>|;,".indexOf(character) < 0;
    }

    private static long spread(String text, long seed) {
        long hash = seed ^ text.length();
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
        }
        return mixed(hash);
    }

    /** The last step of SplitMix64: each bit depends on all. */
    static long mixed(long bits) {
        bits = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
        bits = (bits ^ (bits >>> 27)) * 0x94d049bb133111ebL;
        return bits ^ (bits >>> 31);
    }
}
