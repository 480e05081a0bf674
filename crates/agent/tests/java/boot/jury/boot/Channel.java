package jury.boot;

public class Channel {
    public static native void emit(byte[] record);

    public static native byte[] receive();

    public static native byte[] ask(byte[] question);
}
