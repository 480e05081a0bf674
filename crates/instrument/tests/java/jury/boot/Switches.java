package jury.boot;

public final class Switches {
    public static int active;
}
