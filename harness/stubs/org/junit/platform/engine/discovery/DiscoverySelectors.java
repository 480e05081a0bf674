package org.junit.platform.engine.discovery;

public final class DiscoverySelectors {
    private DiscoverySelectors() {}

    public static native UniqueIdSelector selectUniqueId(String uniqueId);
}
