package project;

import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;

public class NetworkTest {
    public void connectsToSomebodyElse() throws Exception {
        try {
            new Socket(InetAddress.getLoopbackAddress(), 1).close();
        } catch (ConnectException expected) {
            // Nobody is there, but somebody might have been.
        }
    }
}
