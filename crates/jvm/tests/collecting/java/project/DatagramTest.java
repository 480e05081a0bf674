package project;

import java.net.DatagramSocket;

public class DatagramTest {
    public void binds() throws Exception {
        new DatagramSocket(0).close();
    }
}
