package org.junit.runner;

import java.util.ArrayList;
import java.util.List;

public class Description {
    private final String displayName;

    Description(String displayName) {
        this.displayName = displayName;
    }

    public String getDisplayName() {
        return displayName;
    }

    public List<Description> getChildren() {
        return new ArrayList<>();
    }
}
