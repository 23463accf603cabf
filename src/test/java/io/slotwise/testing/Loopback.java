package io.slotwise.testing;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** Free ports on 127.0.0.1. */
public final class Loopback {
    /**
     * The ports are below the range that Linux uses for outgoing connections (32768 to 60999). A connection may take a
     * free port of that range before the program that is to use it listens.
     */
    private static final int FIRST = 12_000;

    private static final int COUNT = 20_000;

    private static final Set<Integer> GIVEN = ConcurrentHashMap.newKeySet();

    private Loopback() {}

    /**
     * Returns a port on which no process listens. This JVM gets no port twice.
     *
     * @throws IllegalStateException if no port from 12000 to 31999 is left
     */
    public static int freePort() {
        int start = ThreadLocalRandom.current().nextInt(COUNT);
        for (int i = 0; i < COUNT; i++) {
            int port = FIRST + (start + i) % COUNT;
            if (GIVEN.add(port) && isFree(port)) {
                return port;
            }
        }
        throw new IllegalStateException("No free port from " + FIRST + " to " + (FIRST + COUNT - 1) + " on 127.0.0.1.");
    }

    private static boolean isFree(int port) {
        try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return socket.isBound();
        } catch (IOException e) {
            return false;
        }
    }
}
