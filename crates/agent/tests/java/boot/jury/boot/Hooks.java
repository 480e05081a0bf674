package jury.boot;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;

/** Stands in for the real hooks: reports each call as the text of a {@code Trouble} record. */
public class Hooks {
    private static final int TROUBLE = 10;

    private static boolean begun;

    /** Says nothing yet, like the real one: whether tests will run is not known. */
    public static void begin() {
        begun = true;
    }

    public static void entered(int hook, Object receiver, Object first, Object second) {
        if (begun) {
            begun = false;
            say("begin");
        }
        String type = receiver == null ? "null" : receiver.getClass().getSimpleName();
        say(hook + " " + type + " " + first + " " + second);
    }

    static void say(String text) {
        try {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            DataOutputStream out = new DataOutputStream(bytes);
            byte[] encoded = text.getBytes("UTF-8");
            out.writeByte(TROUBLE);
            out.writeInt(encoded.length);
            out.write(encoded);
            Channel.emit(bytes.toByteArray());
        } catch (IOException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
