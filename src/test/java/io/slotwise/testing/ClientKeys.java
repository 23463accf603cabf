package io.slotwise.testing;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * The TLS contexts of an extender's client, from a folder with {@code tls.crt}, {@code tls.key} (an EC key in PKCS #8)
 * and {@code ca.crt}.
 */
public final class ClientKeys {
    private static final char[] PASSWORD = "changeit".toCharArray();

    private ClientKeys() {}

    public static SSLContext in(Path folder) {
        try {
            KeyStore own = empty();
            own.setKeyEntry("own", key(folder), PASSWORD, new Certificate[] {certificate(folder.resolve("tls.crt"))});
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(own, PASSWORD);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), trust(folder).getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same trust without a client certificate, as any process on the host has it. */
    public static SSLContext without(Path folder) {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust(folder).getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static TrustManagerFactory trust(Path folder) throws GeneralSecurityException, IOException {
        KeyStore trusted = empty();
        trusted.setCertificateEntry("other", certificate(folder.resolve("ca.crt")));
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(trusted);
        return trust;
    }

    private static PrivateKey key(Path folder) throws GeneralSecurityException, IOException {
        byte[] encoded = Base64.getMimeDecoder()
                .decode(Files.readString(folder.resolve("tls.key")).replaceAll("-----.*-----", ""));
        return KeyFactory.getInstance("EC").generatePrivate(new PKCS8EncodedKeySpec(encoded));
    }

    public static Certificate certificate(Path file) throws GeneralSecurityException, IOException {
        try (InputStream in = new ByteArrayInputStream(Files.readString(file).getBytes(StandardCharsets.US_ASCII))) {
            return CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        return store;
    }
}
