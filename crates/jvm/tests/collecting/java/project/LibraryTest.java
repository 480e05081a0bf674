package project;

public class LibraryTest {
    public void loadsNone() {
        try {
            System.loadLibrary("nowhere-to-be-found");
        } catch (UnsatisfiedLinkError expected) {
            // as it should be
        }
    }
}
