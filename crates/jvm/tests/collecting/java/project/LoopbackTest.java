package project;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

public class LoopbackTest {
    public void talksToItself() throws Exception {
        InetAddress here = InetAddress.getLoopbackAddress();
        try (ServerSocket server = new ServerSocket(0, 5, here)) {
            new Socket(here, server.getLocalPort()).close();
            SocketChannel.open(server.getLocalSocketAddress()).close();
        }
        try (ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(here, 0));
            SocketChannel.open(server.getLocalAddress()).close();
            try (Socket client = SocketChannel.open().socket()) {
                client.connect(server.getLocalAddress(), 1000);
            }
        }
        try (AsynchronousServerSocketChannel server = AsynchronousServerSocketChannel.open();
                AsynchronousSocketChannel client = AsynchronousSocketChannel.open()) {
            server.bind(new InetSocketAddress(here, 0));
            client.connect(server.getLocalAddress()).get();
        }
    }
}
