package jury.boot;

/**
 * The wire to Jury. The agent registers these methods when the JVM has started; without an agent
 * they fail to link, which {@link Hooks} treats as any other trouble.
 */
final class Channel {
    private Channel() {}

    /** Sends one encoded record. Safe from any thread; does nothing once the agent is off. */
    static native void emit(byte[] record);

    /** Waits for the next encoded command; null when Jury has gone. */
    static native byte[] receive();

    /** Asks Jury, or the agent, something while a build runs; null if there is no answer. */
    static native byte[] ask(byte[] question);
}
