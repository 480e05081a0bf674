package kotlin.jvm.internal;

/** Stands for Kotlin's own class of this name. */
public class Intrinsics {
    public static void checkNotNullParameter(Object value, String parameter) {
        if (value == null) {
            throw new NullPointerException(parameter);
        }
    }
}
