package siege;

import java.util.function.Supplier;

/** Names as obfuscators give them, and as other alphabets have them. */
final class a implements Supplier<String> {
    private final int O0;

    a(int O0) {
        this.O0 = O0;
    }

    // expect: null killed, "" killed, "A" killed, stop bridge
    @Override
    public String get() {
        return O0 + "" + O0;
    }

    // expect: 0 killed, 1 killed
    int $(int l) {
        return l + O0;
    }

    // expect: 0 survived, 1 survived
    int $l1(int I) {
        return I * O0;
    }

    // expect: stop synthetic
    int l$1(int I) {
        return I * O0;
    }

    // expect: 0 killed, 1 killed
    int größe(int ß) {
        return ß - O0;
    }

    // expect: 0 killed, 1 killed
    int 𐌰(int 𐌱) {
        return 𐌱 * 3 - O0;
    }

    // expect: 0 killed, 1 killed
    int a(b a) {
        return a.a(O0) + O0;
    }

    // expect: 0 survived, 1 survived
    int a(a a) {
        return a.O0 + O0;
    }

    // expect: empty killed
    b[] b() {
        return new b[] {new b(), new b()};
    }
}
