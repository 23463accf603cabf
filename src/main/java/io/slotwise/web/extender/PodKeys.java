package io.slotwise.web.extender;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;

/**
 * The keys of Slotwise and the kube-scheduler of one pod. Each has its own and trusts only the other's certificate.
 * They are made for every pod, in memory that these two containers share with the one that makes them, and end with the
 * pod. The client's key is renewed meanwhile ({@link KeyRenewal}).
 */
public final class PodKeys {
    /** The address that the pod's kube-scheduler calls, and the only one in the certificates. */
    static final String LOOPBACK = "127.0.0.1";

    private static final String SLOTWISE = "slotwise";
    private static final String KUBE_SCHEDULER = "kube-scheduler";
    private static final List<String> FILES = List.of(KeyFolder.CERTIFICATE, KeyFolder.KEY, KeyFolder.TRUSTED);

    private PodKeys() {}

    /**
     * Writes {@code tls.crt}, {@code tls.key} and {@code ca.crt} into each folder, readable by their owner only.
     * Complete files are kept, because a running program may have read them.
     *
     * @param slotwise the server's folder
     * @param kubeScheduler the client's folder
     * @return whether they were made
     */
    public static boolean write(Path slotwise, Path kubeScheduler) {
        boolean whole = Stream.of(slotwise, kubeScheduler)
                .allMatch(folder -> FILES.stream().map(folder::resolve).allMatch(Files::isRegularFile));
        if (whole) {
            return false;
        }
        InetAddress address = InetAddress.ofLiteral(LOOPBACK);
        SelfSigned server = SelfSigned.of(SLOTWISE, address, SelfSigned.End.SERVER);
        SelfSigned client = client();
        try {
            put(slotwise, server, client);
            put(kubeScheduler, client, server);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return true;
    }

    static SelfSigned client() {
        return SelfSigned.of(KUBE_SCHEDULER, InetAddress.ofLiteral(LOOPBACK), SelfSigned.End.CLIENT);
    }

    /** Writes the last file at the end: if one is missing, all are made again. */
    private static void put(Path folder, SelfSigned own, SelfSigned other) throws IOException {
        Files.createDirectories(folder);
        put(folder.resolve(KeyFolder.CERTIFICATE), own.certificate());
        put(folder.resolve(KeyFolder.KEY), own.key());
        put(folder.resolve(KeyFolder.TRUSTED), other.certificate());
    }

    /** Writes a file atomically, readable by its owner only. */
    static void put(Path file, String text) throws IOException {
        // A temporary file is only readable by its owner.
        Path aside = Files.createTempFile(file.getParent(), "new", ".pem");
        Files.writeString(aside, text);
        Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
