package io.slotwise.web.extender;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * What one side of a TLS connection needs, PEM: its certificate, its key, and what it trusts. A folder holds them by
 * the names that cert-manager gives them.
 *
 * @param certificate this side's own
 * @param key of the certificate
 * @param trusted the other side's certificate, or its authority's
 */
record KeyFolder(Buffer certificate, Buffer key, Buffer trusted) {
    static final String CERTIFICATE = "tls.crt";
    static final String KEY = "tls.key";
    static final String TRUSTED = "ca.crt";

    /**
     * Reads a folder.
     *
     * @throws UncheckedIOException if a file cannot be read
     */
    static KeyFolder read(Path folder) {
        return new KeyFolder(
                bytes(folder.resolve(CERTIFICATE)), bytes(folder.resolve(KEY)), bytes(folder.resolve(TRUSTED)));
    }

    private static Buffer bytes(Path file) {
        try {
            return Buffer.buffer(Files.readAllBytes(file));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    PemKeyCertOptions keys() {
        return new PemKeyCertOptions().setCertValue(certificate).setKeyValue(key);
    }

    PemTrustOptions trust() {
        return new PemTrustOptions().addCertValue(trusted);
    }
}
