package org.junit.platform.launcher.core;

import java.util.List;
import java.util.Map;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.LauncherDiscoveryRequest;

public final class LauncherDiscoveryRequestBuilder {
    public static native LauncherDiscoveryRequestBuilder request();

    public native LauncherDiscoveryRequestBuilder selectors(
            List<? extends DiscoverySelector> selectors);

    public native LauncherDiscoveryRequestBuilder configurationParameter(String key, String value);

    public native LauncherDiscoveryRequestBuilder configurationParameters(
            Map<String, String> parameters);

    public native LauncherDiscoveryRequest build();
}
