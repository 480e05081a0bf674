package jury.boot;

public final class Observations {
    public static void entered(int number) {}

    public static void receiver(Object value, int number) {}

    public static void returned(int number) {}

    public static void threw(Throwable thrown, int number) {}

    public static void argument(boolean value, int number) {}

    public static void returned(boolean value, int number) {}

    public static void seen(boolean value, long place) {}

    public static void argument(byte value, int number) {}

    public static void returned(byte value, int number) {}

    public static void seen(byte value, long place) {}

    public static void argument(char value, int number) {}

    public static void returned(char value, int number) {}

    public static void seen(char value, long place) {}

    public static void argument(short value, int number) {}

    public static void returned(short value, int number) {}

    public static void seen(short value, long place) {}

    public static void argument(int value, int number) {}

    public static void returned(int value, int number) {}

    public static void seen(int value, long place) {}

    public static void argument(long value, int number) {}

    public static void returned(long value, int number) {}

    public static void seen(long value, long place) {}

    public static void argument(float value, int number) {}

    public static void returned(float value, int number) {}

    public static void seen(float value, long place) {}

    public static void argument(double value, int number) {}

    public static void returned(double value, int number) {}

    public static void seen(double value, long place) {}

    public static void argument(Object value, int number) {}

    public static void returned(Object value, int number) {}

    public static void seen(Object value, long place) {}
}
