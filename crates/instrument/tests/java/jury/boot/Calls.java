package jury.boot;

import java.util.Iterator;
import java.util.List;
import java.util.Map;

/** Each method makes the call that it stands in for. */
public final class Calls {
    public static boolean hasNext(Iterator<?> receiver) {
        return receiver.hasNext();
    }

    public static Object next(Iterator<?> receiver) {
        return receiver.next();
    }

    public static int size(List<?> receiver) {
        return receiver.size();
    }

    public static Object put(Map<Object, Object> receiver, Object key, Object value) {
        return receiver.put(key, value);
    }

    public static StringBuilder append(StringBuilder receiver, String text) {
        return receiver.append(text);
    }

    public static boolean equals(Object receiver, Object other) {
        return receiver.equals(other);
    }

    public static long max(long left, long right) {
        return Math.max(left, right);
    }
}
