package jury.boot;

/**
 * Where watched methods show their calls, and watched classes the values of their expressions.
 * Nothing is looked at unless Jury attends to it, nothing thrown here reaches the code under test,
 * and no code of the project is called.
 *
 * <p>Values come first and numbers last in every signature, so that rewritten code can duplicate
 * what lies on its stack.
 */
public final class Observations {
    /** Stands for all watched methods. */
    private static final int ALL = -2;

    // Plain fields: they change only between tests.
    private static int watched = -1;
    private static boolean all;
    private static boolean values;

    private Observations() {}

    /**
     * Records from now on.
     *
     * @param calls number of the method whose calls are recorded; -1 for none, -2 for all, and how far
     *     they are from test code
     * @param expressions whether values of expressions are
     * @param stackOf the call of each test whose stack is recorded; -1 for none
     * @param depth how many fields deep objects are looked at
     * @param digestOnly whether a digest of what was seen will do
     */
    static void attend(
            int calls, boolean expressions, int stackOf, int depth, boolean digestOnly) {
        all = calls == ALL;
        Sightings.forget(stackOf, depth, digestOnly, all);
        watched = calls;
        values = expressions;
    }

    static boolean attending() {
        return watched >= 0 || all || values;
    }

    public static void entered(int number) {
        if (number == watched || all) {
            Sightings.enter(number);
        }
    }

    public static void receiver(Object value, int number) {
        if (number == watched || all) {
            Sightings.show("receiver", value);
        }
    }

    public static void argument(Object value, int number) {
        if (number == watched || all) {
            Sightings.showArgument(value);
        }
    }

    public static void argument(boolean value, int number) {
        if (number == watched || all) {
            Sightings.showArgument(value);
        }
    }

    public static void argument(byte value, int number) {
        if (number == watched || all) {
            Sightings.showArgument(value);
        }
    }

    public static void argument(char value, int number) {
        if (number == watched || all) {
            Sightings.showArgument(value);
        }
    }

    public static void argument(short value, int number) {
        if (number == watched || all) {
            Sightings.showArgument(value);
        }
    }

    public static void argument(int value, int number) {
        if (number == watched || all) {
            Sightings.showArgument(value);
        }
    }

    public static void argument(long value, int number) {
        if (number == watched || all) {
            Sightings.showArgument(value);
        }
    }

    public static void argument(float value, int number) {
        if (number == watched || all) {
            Sightings.showArgument(value);
        }
    }

    public static void argument(double value, int number) {
        if (number == watched || all) {
            Sightings.showArgument(value);
        }
    }

    public static void returned(int number) {
        if (number == watched || all) {
            Sightings.leave(number, null, null);
        }
    }

    public static void returned(Object value, int number) {
        if (number == watched || all) {
            Sightings.leave(number, new Object[] {value}, null);
        }
    }

    public static void returned(boolean value, int number) {
        if (number == watched || all) {
            returned((Object) value, number);
        }
    }

    public static void returned(byte value, int number) {
        if (number == watched || all) {
            returned((Object) value, number);
        }
    }

    public static void returned(char value, int number) {
        if (number == watched || all) {
            returned((Object) value, number);
        }
    }

    public static void returned(short value, int number) {
        if (number == watched || all) {
            returned((Object) value, number);
        }
    }

    public static void returned(int value, int number) {
        if (number == watched || all) {
            returned((Object) value, number);
        }
    }

    public static void returned(long value, int number) {
        if (number == watched || all) {
            returned((Object) value, number);
        }
    }

    public static void returned(float value, int number) {
        if (number == watched || all) {
            returned((Object) value, number);
        }
    }

    public static void returned(double value, int number) {
        if (number == watched || all) {
            returned((Object) value, number);
        }
    }

    public static void threw(Throwable thrown, int number) {
        if (number == watched || all) {
            Sightings.leave(number, null, thrown);
        }
    }

    public static void seen(Object value, long place) {
        if (values) {
            Sightings.see(place, value);
        }
    }

    public static void seen(boolean value, long place) {
        if (values) {
            Sightings.see(place, value);
        }
    }

    public static void seen(byte value, long place) {
        if (values) {
            Sightings.see(place, value);
        }
    }

    public static void seen(char value, long place) {
        if (values) {
            Sightings.see(place, value);
        }
    }

    public static void seen(short value, long place) {
        if (values) {
            Sightings.see(place, value);
        }
    }

    public static void seen(int value, long place) {
        if (values) {
            Sightings.see(place, value);
        }
    }

    public static void seen(long value, long place) {
        if (values) {
            Sightings.see(place, value);
        }
    }

    public static void seen(float value, long place) {
        if (values) {
            Sightings.see(place, value);
        }
    }

    public static void seen(double value, long place) {
        if (values) {
            Sightings.see(place, value);
        }
    }
}
