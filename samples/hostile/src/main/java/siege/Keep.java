package siege;

import java.util.Locale;

/** Run by tests that leave the JVM in another state than they found it in. */
final class Keep {
    private Keep() {}

    // expect: 0 survived, 1 survived
    static int guards(int towers) {
        return towers * 4 + 2;
    }

    // expect: null killed, "" killed, "A" killed
    static String banner(int men) {
        return String.format(Locale.ROOT, "%d MEN", men);
    }

    // expect: null survived, "" survived, "A" survived
    static String motto(String name) {
        return name.toUpperCase(Locale.ROOT) + "!";
    }

    // expect: true survived, false killed
    static boolean isSafe(int guards) {
        return guards > 3;
    }
}
