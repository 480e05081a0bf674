package project;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;

/** Keeps a connection to whoever sends back what he gets. */
public class Pool {
    private static Socket socket;

    static void call() throws IOException {
        if (socket == null) {
            int port = Integer.parseInt(System.getenv("ECHO_PORT"));
            socket = new Socket(InetAddress.getLoopbackAddress(), port);
        }
        socket.getOutputStream().write(7);
        if (socket.getInputStream().read() != 7) {
            throw new IOException("no echo");
        }
    }
}
