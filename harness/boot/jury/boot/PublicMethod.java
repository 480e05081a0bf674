package jury.boot;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/**
 * A public method without parameters of a framework type that this package cannot name at compile
 * time. It is looked up in the type that the receiver itself inherits, because every class loader
 * may have its own copy of the framework, and only public types are used, so no module has to be
 * opened.
 */
final class PublicMethod {
    private final String type;
    private final String name;
    private final Class<?>[] parameters;

    /** Cached on the receiver's class, so that the cache goes when its class loader goes. */
    private final ClassValue<Method> methods =
            new ClassValue<Method>() {
                @Override
                protected Method computeValue(Class<?> receiver) {
                    Class<?> declaring = inherited(receiver);
                    if (declaring == null) {
                        return null;
                    }
                    try {
                        return declaring.getMethod(name, parameters);
                    } catch (NoSuchMethodException absent) {
                        return null;
                    }
                }
            };

    PublicMethod(String type, String name, Class<?>... parameters) {
        this.type = type;
        this.name = name;
        this.parameters = parameters;
    }

    /** True if the receiver is of the type and this version of the framework has the method. */
    boolean exists(Object receiver) {
        return receiver != null && methods.get(receiver.getClass()) != null;
    }

    Object call(Object receiver, Object... arguments) throws Throwable {
        Method method = methods.get(receiver.getClass());
        if (method == null) {
            throw new NoSuchMethodException(
                    type + "." + name + " on " + receiver.getClass().getName());
        }
        try {
            return method.invoke(receiver, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    String text(Object receiver) throws Throwable {
        return String.valueOf(call(receiver));
    }

    /** The type of that name which {@code candidate} is or inherits; null if there is none. */
    private Class<?> inherited(Class<?> candidate) {
        if (candidate == null || candidate.getName().equals(type)) {
            return candidate;
        }
        for (Class<?> face : candidate.getInterfaces()) {
            Class<?> found = inherited(face);
            if (found != null) {
                return found;
            }
        }
        return inherited(candidate.getSuperclass());
    }
}
