package io.slotwise.kubernetes;

import java.io.IOException;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.stream.Stream;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jboss.logging.Logger;

/**
 * Trusts the certificates that a file has during each handshake, so that a rotated authority is used from the next
 * connection on. An unreadable file changes nothing.
 */
final class AuthorityFile extends X509ExtendedTrustManager {
    private static final Logger LOG = Logger.getLogger(AuthorityFile.class);

    private final Path file;
    private final Reader reader;
    private volatile Known known;

    @FunctionalInterface
    interface Reader {
        /** Returns the trust managers of a file, including an extended one. */
        TrustManager[] read(Path file) throws GeneralSecurityException, IOException;
    }

    private record Known(ByteBuffer content, X509ExtendedTrustManager trust) {}

    AuthorityFile(Path file, Reader reader) throws GeneralSecurityException, IOException {
        this.file = file;
        this.reader = reader;
        this.known = read(content());
    }

    private ByteBuffer content() throws IOException {
        return ByteBuffer.wrap(Files.readAllBytes(file));
    }

    private Known read(ByteBuffer content) throws GeneralSecurityException, IOException {
        return Stream.of(reader.read(file))
                .filter(X509ExtendedTrustManager.class::isInstance)
                .map(trust -> new Known(content, (X509ExtendedTrustManager) trust))
                .findFirst()
                .orElseThrow(() -> new CertificateException("There are no trusted certificates in " + file + "."));
    }

    /** Reads the current file; O(its length). */
    private X509ExtendedTrustManager now() {
        Known last = known;
        try {
            ByteBuffer content = content();
            if (!content.equals(last.content())) {
                last = read(content);
                known = last;
                LOG.infof("The CA file of the API server (%s) was reloaded.", file);
            }
        } catch (GeneralSecurityException | IOException e) {
            LOG.warnf(
                    "The CA file of the API server (%s) cannot be reloaded, and the previous one stays in use: %s",
                    file, e.getMessage());
        }
        return last.trust();
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        now().checkServerTrusted(chain, type, engine);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        now().checkServerTrusted(chain, type, socket);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        now().checkServerTrusted(chain, type);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        now().checkClientTrusted(chain, type, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        now().checkClientTrusted(chain, type, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        now().checkClientTrusted(chain, type);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return known.trust().getAcceptedIssuers();
    }
}
