package org.junit.runner;

import java.util.ArrayList;
import java.util.Arrays;

public class Description {
    private final String displayName;
    private final ArrayList<Description> children;

    public Description(String displayName, Description... children) {
        this.displayName = displayName;
        this.children = new ArrayList<>(Arrays.asList(children));
    }

    public String getDisplayName() {
        return displayName;
    }

    public ArrayList<Description> getChildren() {
        return children;
    }
}
