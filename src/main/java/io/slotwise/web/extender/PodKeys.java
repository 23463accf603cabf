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
 * The keys by which Slotwise and the kube-scheduler of one pod know each other: each has one of its own and trusts the
 * other's certificate, and no other in the world. They are made anew for every pod, in memory that only these two
 * containers share with the one that makes them, and end with it; the client's is renewed meanwhile ({@link
 * KeyRenewal}).
 */
public final class PodKeys {
    /** Where the pod's kube-scheduler asks; the certificates are for no other address. */
    static final String LOOPBACK = "127.0.0.1";

    private static final String SLOTWISE = "slotwise";
    private static final String KUBE_SCHEDULER = "kube-scheduler";
    private static final List<String> FILES = List.of(KeyFolder.CERTIFICATE, KeyFolder.KEY, KeyFolder.TRUSTED);

    private PodKeys() {}

    /**
     * Writes them: into each folder {@code tls.crt}, {@code tls.key} and {@code ca.crt}, which only their owner may
     * read. What is there already and whole stays, since a program that runs may have read it.
     *
     * @param slotwise the server's folder
     * @param kubeScheduler the client's folder
     * @return whether they were made
     * @throws UncheckedIOException if they cannot be written
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

    /** The last file is the last of all: as long as one is missing, all are made anew. */
    private static void put(Path folder, SelfSigned own, SelfSigned other) throws IOException {
        Files.createDirectories(folder);
        put(folder.resolve(KeyFolder.CERTIFICATE), own.certificate());
        put(folder.resolve(KeyFolder.KEY), own.key());
        put(folder.resolve(KeyFolder.TRUSTED), other.certificate());
    }

    /** Writes a file that only its owner may read, in one step. */
    static void put(Path file, String text) throws IOException {
        // A temporary file is its owner's alone.
        Path aside = Files.createTempFile(file.getParent(), "new", ".pem");
        Files.writeString(aside, text);
        Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }
}
