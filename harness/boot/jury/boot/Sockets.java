package jury.boot;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.Map;
import java.util.WeakHashMap;

/**
 * Tells sockets that stay within this JVM from those that lead out of it, before the JDK binds or
 * connects them. A server at a port that the machine chose can be known to nobody else, and a
 * connection to a port at which this very process listens comes back to it. All else is the network.
 */
final class Sockets {
    private static final int PORT_QUESTION = 4;

    /** What binds and connects for classes that are asked about the address. */
    private static final String[] BETWEEN = {"jury.boot.", "sun.nio.ch.Net"};

    /** Classes that are asked about the address first. */
    private static final String[] ASKED = {
        "sun.nio.ch.NioSocketImpl",
        "sun.nio.ch.SocketChannelImpl",
        "sun.nio.ch.ServerSocketChannelImpl",
        "sun.nio.ch.UnixAsynchronousSocketChannelImpl",
        "sun.nio.ch.AsynchronousSocketChannelImpl",
        "sun.nio.ch.AsynchronousServerSocketChannelImpl",
    };

    /** Connections out of this JVM, as long as they are in use. */
    private static final Map<Object, Boolean> LEADING_OUT =
            Collections.synchronizedMap(new WeakHashMap<>());

    /** So that the many sockets of JVMs that never lead out cost nothing. */
    private static volatile boolean anyLeadsOut;

    private Sockets() {}

    static void leadsOut(Object socket) {
        LEADING_OUT.put(socket, true);
        anyLeadsOut = true;
    }

    static boolean isKnownToLeadOut(Object socket) {
        return anyLeadsOut && LEADING_OUT.containsKey(socket);
    }

    /** True if the address of what is being bound or connected has been looked at already. */
    static boolean isKnown() {
        Class<?> user = Caller.nearestBeyond(BETWEEN);
        return user != null && Caller.startsWithAny(user.getName(), ASKED);
    }

    static boolean bindsWithin(Object address) {
        return address == null
                || address instanceof InetSocketAddress
                        && ((InetSocketAddress) address).getPort() == 0;
    }

    static boolean connectsWithin(Object address) {
        if (!(address instanceof InetSocketAddress)) {
            return false;
        }
        InetSocketAddress remote = (InetSocketAddress) address;
        InetAddress host = remote.getAddress();
        boolean isThisMachine =
                host != null && (host.isLoopbackAddress() || host.isAnyLocalAddress());
        return isThisMachine && Channel.ask(portQuestion(remote.getPort())) != null;
    }

    static byte[] portQuestion(int port) {
        return new Encoder().u8(PORT_QUESTION).u32(port).toBytes();
    }
}
