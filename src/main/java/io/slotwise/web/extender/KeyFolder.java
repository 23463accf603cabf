package io.slotwise.web.extender;

import io.vertx.core.buffer.Buffer;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The PEM files of one side of a TLS connection: its certificate, its key, and the trusted certificates. A folder has
 * them under cert-manager's names.
 *
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
