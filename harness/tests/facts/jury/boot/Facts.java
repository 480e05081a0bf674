package jury.boot;

/** Plays one scenario, {@code Class.method}, through the hooks; the fake channel prints it. */
public final class Facts {
    private Facts() {}

    public static void main(String[] scenario) throws ReflectiveOperationException {
        Hooks.begin();
        String[] name = scenario[0].split("\\.");
        Class.forName("jury.boot." + name[0]).getDeclaredMethod(name[1]).invoke(null);
    }
}
