import jury.boot.Switches;

/** Calls methods of {@code Subject} with a number on, and prints what each returns. */
final class Run {
    public static void main(String[] calls) throws ReflectiveOperationException {
        for (int i = 0; i < calls.length; i += 2) {
            Switches.active = Integer.parseInt(calls[i]);
            System.out.println(Subject.class.getDeclaredMethod(calls[i + 1]).invoke(null));
        }
    }
}
