package io.slotwise.it;

import io.slotwise.testing.Loopback;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A relay on loopback in front of a server: {@link #cut()} breaks every connection and refuses new ones, {@link
 * #restore()} listens again on the same port. The relay copies bytes, so that TLS passes through.
 */
public final class LossyProxy implements AutoCloseable {
    private final int target;
    private final int port;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private @Nullable ServerSocket server;

    /** Starts a relay to the port {@code target} on 127.0.0.1. */
    public LossyProxy(int target) {
        this.target = target;
        this.port = Loopback.freePort();
        restore();
    }

    public int port() {
        return port;
    }

    public synchronized void cut() {
        closeQuietly(server);
        server = null;
        open.forEach(LossyProxy::closeQuietly);
        open.clear();
    }

    public synchronized void restore() {
        if (server != null) {
            return;
        }
        try {
            ServerSocket listening = new ServerSocket();
            listening.setReuseAddress(true);
            listening.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 256);
            server = listening;
            Thread.ofVirtual().start(() -> accept(listening));
        } catch (IOException e) {
            throw new UncheckedIOException("The proxy cannot listen on port " + port + ".", e);
        }
    }

    @Override
    public void close() {
        cut();
    }

    private void accept(ServerSocket listening) {
        try {
            while (!listening.isClosed()) {
                Socket client = listening.accept();
                Socket upstream = new Socket(InetAddress.getLoopbackAddress(), target);
                client.setTcpNoDelay(true);
                upstream.setTcpNoDelay(true);
                open.add(client);
                open.add(upstream);
                Thread.ofVirtual().start(() -> relay(client, upstream));
                Thread.ofVirtual().start(() -> relay(upstream, client));
            }
        } catch (IOException e) {
            // cut() has closed the listening socket.
            closeQuietly(listening);
        }
    }

    private void relay(Socket from, Socket to) {
        try (from;
                to) {
            from.getInputStream().transferTo(to.getOutputStream());
        } catch (IOException e) {
            // If one end is closed, the other one is closed, too.
            closeQuietly(to);
        } finally {
            open.remove(from);
        }
    }

    private static void closeQuietly(java.io.@Nullable Closeable socket) {
        try {
            if (socket != null) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
