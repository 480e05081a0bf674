package plugins;

import java.util.function.IntSupplier;

/** Counts calls, once for every class loader that defines it. */
public class Counter implements IntSupplier {
    private static int calls;

    @Override
    public int getAsInt() {
        return ++calls;
    }
}
