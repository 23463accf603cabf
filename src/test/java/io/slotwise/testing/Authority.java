package io.slotwise.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.UUID;

/** A certificate authority for tests, made with the JDK's keytool. Its keys are in a temporary folder. */
public final class Authority {
    private static final String PASSWORD = "changeit";
    private static final String CA = "ca";

    private final Path store;

    private Authority(Path store) {
        this.store = store;
    }

    /** Returns the authority of this name in a folder. Creates the authority if there is none. */
    public static Authority in(Path folder, String name) {
        Authority authority = new Authority(folder.resolve(name + ".p12"));
        if (Files.exists(authority.store)) {
            return authority;
        }
        authority.keytool(
                "-genkeypair",
                "-alias",
                CA,
                "-dname",
                "CN=" + name,
                "-keyalg",
                "EC",
                "-ext",
                "bc:c",
                "-validity",
                "10");
        return authority;
    }

    /** A private key with its certificate in a key store. */
    public record Holder(KeyStore store) {
        /** The certificate in PEM. */
        public String certificate() {
            try {
                return pem(
                        "CERTIFICATE",
                        Objects.requireNonNull(store.getCertificate(entry())).getEncoded());
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }

        /** The private key in PEM. */
        public String key() {
            try {
                return pem(
                        "PRIVATE KEY",
                        store.getKey(entry(), PASSWORD.toCharArray()).getEncoded());
            } catch (GeneralSecurityException e) {
                throw new IllegalStateException(e);
            }
        }

        private String entry() throws GeneralSecurityException {
            return store.aliases().nextElement();
        }

        public char[] password() {
            return PASSWORD.toCharArray();
        }
    }

    /** Issues a certificate for this subject and the loopback address, valid for three days. */
    public Holder issue(String subject) {
        return issue(subject, "-1H");
    }

    public Holder issueExpired(String subject) {
        return issue(subject, "-4d");
    }

    private Holder issue(String subject, String start) {
        String alias = "holder-" + UUID.randomUUID();
        keytool(
                "-genkeypair",
                "-alias",
                alias,
                "-dname",
                subject,
                "-keyalg",
                "EC",
                "-signer",
                CA,
                "-startdate",
                start,
                "-validity",
                "3",
                "-ext",
                "san=ip:127.0.0.1,dns:localhost");
        try {
            KeyStore all = KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray());
            KeyStore own = KeyStore.getInstance("PKCS12");
            own.load(null, null);
            own.setKeyEntry(
                    alias,
                    all.getKey(alias, PASSWORD.toCharArray()),
                    PASSWORD.toCharArray(),
                    all.getCertificateChain(alias));
            return new Holder(own);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The authority's own certificate. */
    public Certificate own() {
        try {
            return Objects.requireNonNull(
                    KeyStore.getInstance(store.toFile(), PASSWORD.toCharArray()).getCertificate(CA));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes the files of a TLS server under the names that cert-manager uses in its Secrets. */
    public void write(Path folder, Holder server) {
        write(folder.resolve("tls.crt"), server.certificate());
        write(folder.resolve("tls.key"), server.key());
        write(folder.resolve("ca.crt"), pem(own()));
    }

    private static void write(Path file, String text) {
        try {
            Path aside = Files.writeString(Files.createTempFile(file.getParent(), "new", ".pem"), text);
            Files.move(aside, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String pem(Certificate certificate) {
        try {
            return pem("CERTIFICATE", certificate.getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String pem(String what, byte[] encoded) {
        return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
                .formatted(
                        what,
                        Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII))
                                .encodeToString(encoded),
                        what);
    }

    private void keytool(String... arguments) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin/keytool").toString());
        command.addAll(List.of(arguments));
        command.addAll(List.of("-keystore", store.toString(), "-storepass", PASSWORD, "-storetype", "PKCS12"));
        try {
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) {
                throw new IllegalStateException("keytool failed: " + output);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }
}
