package pigeons;

import java.util.concurrent.ExecutorService;

/** Virtual threads where the JDK has them. Found by reflection, so that an older compiler will do. */
public final class Threads {
    private Threads() {}

    public static boolean haveVirtual() {
        return Runtime.version().feature() >= 21;
    }

    /** An executor that starts a virtual thread for each task. */
    public static ExecutorService perTask() {
        try {
            return (ExecutorService) Class.forName("java.util.concurrent.Executors")
                    .getMethod("newVirtualThreadPerTaskExecutor")
                    .invoke(null);
        } catch (ReflectiveOperationException e) {
            throw new UnsupportedOperationException("no virtual threads in this JDK", e);
        }
    }

    public static boolean isVirtual(Thread thread) {
        try {
            return (boolean) Thread.class.getMethod("isVirtual").invoke(thread);
        } catch (ReflectiveOperationException e) {
            return false;
        }
    }
}
