/** Runs no tests. Prints the named properties and exits with a status of its own. */
public class Plain {
    public static void main(String[] names) {
        for (String name : names) {
            System.out.println(System.getProperty(name));
        }
        System.exit(7);
    }
}
