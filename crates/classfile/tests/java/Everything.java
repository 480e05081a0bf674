package sample;

import java.io.IOException;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

/** A little of every construct that leaves a trace in class files. */
@Everything.Marked(numbers = {1, 2}, kind = Everything.Kind.ONE, type = String.class, inner = @Deprecated(since = "1"))
public abstract class Everything<T extends Comparable<T>> implements Supplier<T> {
    static final long BIG = 1L << 40;
    static final String GREETING = "größe";
    volatile int[][] grid;

    enum Kind { ONE, TWO }

    @Retention(RetentionPolicy.RUNTIME)
    @interface Marked {
        int[] numbers() default {};

        Kind kind();

        Class<?> type();

        Deprecated inner();
    }

    @Target({ElementType.TYPE_USE, ElementType.PARAMETER})
    @Retention(RetentionPolicy.RUNTIME)
    @interface Checked {}

    record Point(@Checked int x, List<String> names) {}

    sealed interface Shape permits Circle, Square {}

    record Circle(double radius) implements Shape {}

    record Square(float side) implements Shape {}

    @Deprecated
    int table(int key) {
        return switch (key) {
            case 1 -> 10;
            case 2 -> 20;
            case 3 -> 30;
            default -> 0;
        };
    }

    static int lookup(String key, long wide, @Checked String checked) throws IOException {
        for (int i = 0; i < 300; i += 150) {
            if (key.isEmpty()) {
                throw new IOException(key + wide);
            }
        }
        return switch (key.length()) {
            case -5 -> 1;
            case 1000 -> 2;
            default -> 3;
        };
    }

    synchronized <E extends Exception> Object guarded(List<? super T> list) throws E {
        try {
            @Checked Object made = new ArrayList<>(list);
            synchronized (this) {
                return made instanceof List<?> all ? all.get(0) : new int[2][3][];
            }
        } catch (IllegalStateException | ClassCastException e) {
            Supplier<String> lambda = () -> GREETING + e + BIG;
            return new Object() {
                @Override
                public String toString() {
                    return lambda.get();
                }
            };
        } finally {
            grid = null;
        }
    }

    native void outside();
}
