package jury.boot;

/** Stands in for the agent's channel: prints each record as one readable line. */
final class Channel {
    private static final int PROPERTIES = 2;
    private static final int LAUNCHER_PARAMETERS = 3;
    private static final int TEST_STARTED = 4;
    private static final int TEST_FINISHED = 5;
    private static final int TEST_SKIPPED = 6;
    private static final int CONTAINER_FAILED = 7;
    private static final int TROUBLE = 10;
    private static final int IN_PROCESS = 20;

    private Channel() {}

    static void emit(byte[] record) {
        Decoder input = new Decoder(record);
        synchronized (System.out) {
            System.out.println(line(input.u8(), input));
        }
    }

    static byte[] receive() {
        return null;
    }

    static byte[] ask(byte[] question) {
        return null;
    }

    private static String line(int tag, Decoder input) {
        switch (tag) {
            case PROPERTIES:
                return "properties " + input.map();
            case LAUNCHER_PARAMETERS:
                return "parameters " + input.map();
            case TEST_STARTED:
                return "started " + label(input);
            case TEST_FINISHED:
                String id = input.text();
                return input.text() + " " + id;
            case TEST_SKIPPED:
                return "skipped " + label(input);
            case CONTAINER_FAILED:
                return "container failed " + input.text() + " in " + input.text();
            case IN_PROCESS:
                return "in process " + input.text() + " " + input.u8();
            case TROUBLE:
                return "trouble " + input.text().split("\n")[0];
            default:
                throw new AssertionError(tag);
        }
    }

    /** The id, and what people read if it is not the end of the id. */
    private static String label(Decoder input) {
        String id = input.text();
        input.text();
        String label = input.text() + "#" + input.text() + input.text();
        return id.endsWith(label) ? id : id + " = " + label;
    }
}
