package abbey;

import java.util.ArrayList;
import java.util.List;

/** Copies books by hand, in the Java of 2014. */
public class Scribe {
    private final List<String> pages = new ArrayList<String>();

    public void copy(String page) {
        pages.add(page);
    }

    /** Joining strings is a chain of calls to a builder here, not one dynamic call. */
    public String colophon(String name) {
        return "written by " + name + " on " + pages.size() + " pages";
    }

    public Runnable dictation(final String page) {
        return () -> copy(page);
    }

    /** Reaches a private member of the outer class through a synthetic accessor: nests came later. */
    public class Apprentice {
        public int pagesToCome(int wanted) {
            return wanted - pages.size();
        }
    }
}
