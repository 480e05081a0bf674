package project;

import java.net.BindException;
import java.net.ServerSocket;

public class FixedPortTest {
    public void listensWhereItCanBeFound() throws Exception {
        try {
            new ServerSocket(1).close();
        } catch (BindException expected) {
            // Only administrators may have this port; that it was asked for counts.
        }
    }
}
