package jury.boot;

/** A number that stands for a property: two that differ have different ones, but for bad luck. */
final class Digest {
    private Digest() {}

    static long of(int ordinal, String property, String value) {
        return mixed(ordinal + spread(value, spread(property, 0x9e3779b97f4a7c15L)));
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
