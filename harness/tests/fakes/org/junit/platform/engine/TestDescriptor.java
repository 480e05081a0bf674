package org.junit.platform.engine;

import java.util.Optional;
import java.util.Set;

public interface TestDescriptor {
    Object getUniqueId();

    String getDisplayName();

    Optional<TestDescriptor> getParent();

    Optional<Object> getSource();

    boolean isTest();

    Set<TestDescriptor> getDescendants();
}
