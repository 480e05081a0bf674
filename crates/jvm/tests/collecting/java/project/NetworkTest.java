package project;

import java.net.ServerSocket;

public class NetworkTest {
    public void listens() throws Exception {
        new ServerSocket(0).close();
    }
}
