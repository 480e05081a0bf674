package org.gradle;

import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;

/** Stands in for a build tool's library by which tests run builds. */
public class Runner {
    public static void callsDaemon() throws Exception {
        try {
            new Socket(InetAddress.getLoopbackAddress(), 1).close();
        } catch (ConnectException expected) {
            // It has gone.
        }
    }
}
