package jury.boot;

import java.util.List;
import java.util.Map;

/**
 * Decodes what Jury asks of a worker. Mirror of {@code Command} in the Rust crate {@code protocol}.
 */
final class Commands {
    private static final int PREPARE = 1;
    private static final int RUN = 2;
    private static final int STOP = 3;
    private static final int SWITCH = 4;
    private static final int LIMIT = 5;
    private static final int ATTEND = 6;

    private Commands() {}

    /** Whoever obeys commands. */
    interface Handler {
        /** {@code testCode} are the JVM's names of classes. */
        void prepare(
                Map<String, String> properties,
                Map<String, String> launcherParameters,
                int probes,
                List<String> testCode);

        /** -1 switches all bodies off. */
        void switchTo(int body);

        void limit(long work);

        /** -1 stands for no method and no call, -2 for all methods. */
        void attend(int calls, boolean values, int stackOf, int depth, boolean digestOnly);

        /** {@code untilRed} has the first red test be the last one. */
        void run(int batch, String engine, boolean untilRed, List<String> tests);

        void stop();
    }

    static void decode(byte[] command, Handler handler) {
        Decoder input = new Decoder(command);
        int tag = input.u8();
        switch (tag) {
            case PREPARE:
                handler.prepare(input.map(), input.map(), input.u32(), input.texts());
                break;
            case SWITCH:
                handler.switchTo(input.u32());
                break;
            case LIMIT:
                handler.limit(input.u64());
                break;
            case ATTEND:
                handler.attend(
                        input.u32(), input.u8() != 0, input.u32(), input.u32(), input.u8() != 0);
                break;
            case RUN:
                handler.run(input.u32(), input.text(), input.u8() != 0, input.texts());
                break;
            case STOP:
                handler.stop();
                break;
            default:
                throw new IllegalArgumentException("unknown command `" + tag + "`");
        }
    }
}
