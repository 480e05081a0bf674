package project;

public class SecondToolTest {
    private final StringBuilder made = new StringBuilder(Built.text());

    public void usesItToo() {
        Tool.name();
        Runnable run = () -> made.append(1);
        run.run();
    }

    static class Built {
        static String text() {
            return "";
        }
    }
}
