package radio;

import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Dots and dashes, for the few letters an emergency needs. */
public final class Morse {
    private static final Map<Character, String> CODE =
            Map.of('S', "...", 'O', "---", 'H', "....", 'E', ".", 'L', ".-..", 'P', ".--.");

    private Morse() {}

    public static String send(String text) {
        return text.toUpperCase(Locale.ROOT)
                .chars()
                .mapToObj(letter -> code((char) letter))
                .collect(Collectors.joining(" "));
    }

    private static String code(char letter) {
        String code = CODE.get(letter);
        if (code == null) {
            throw new IllegalArgumentException("no time to send " + letter);
        }
        return code;
    }
}
