package org.junit.runner;

import java.util.ArrayList;

public class Description {
    public native String getDisplayName();

    public native ArrayList<Description> getChildren();
}
