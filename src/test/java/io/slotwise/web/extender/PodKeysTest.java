package io.slotwise.web.extender;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.testing.ClientKeys;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PodKeysTest {
    private final Path folder;

    PodKeysTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private boolean write() {
        return PodKeys.write(folder.resolve("slotwise"), folder.resolve("kube-scheduler"));
    }

    private X509Certificate certificate(String file) throws Exception {
        return (X509Certificate) ClientKeys.certificate(folder.resolve(file));
    }

    @Test
    void eachTrustsTheOthersCertificateAndNoOther() throws Exception {
        write();

        assertTheyTrustEachOther();
    }

    private void assertTheyTrustEachOther() throws Exception {
        assertThat(certificate("slotwise/ca.crt")).isEqualTo(certificate("kube-scheduler/tls.crt"));
        assertThat(certificate("kube-scheduler/ca.crt")).isEqualTo(certificate("slotwise/tls.crt"));
        assertThat(certificate("slotwise/tls.crt")).isNotEqualTo(certificate("kube-scheduler/tls.crt"));
    }

    @Test
    void aCertificateIsForOneEndOfConnectionsToLoopbackAndIssuesNoOthers() throws Exception {
        write();

        X509Certificate server = certificate("slotwise/tls.crt");
        X509Certificate client = certificate("kube-scheduler/tls.crt");

        server.verify(server.getPublicKey());
        client.verify(client.getPublicKey());
        assertThat(server.getVersion()).isEqualTo(3);
        assertThat(server.getSubjectX500Principal().getName()).isEqualTo("CN=slotwise");
        assertThat(client.getSubjectX500Principal().getName()).isEqualTo("CN=kube-scheduler");
        assertThat(server.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
        assertThat(client.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.2");
        assertThat(server.getSubjectAlternativeNames()).containsExactly(List.of(7, "127.0.0.1"));
        for (X509Certificate each : List.of(server, client)) {
            assertThat(each.getBasicConstraints()).isEqualTo(-1);
            assertThat(each.getKeyUsage()).startsWith(true, false);
            assertThat(each.getSerialNumber()).isPositive();
            each.checkValidity(Date.from(Instant.EPOCH));
            each.checkValidity(Date.from(Instant.parse("9999-12-31T23:59:59Z")));
        }
    }

    @Test
    void onlyTheOwnerMayReadThem() throws IOException {
        write();

        try (Stream<Path> files = Files.walk(folder).filter(Files::isRegularFile)) {
            assertThat(files)
                    .hasSize(6)
                    .allSatisfy(file -> assertThat(Files.getPosixFilePermissions(file))
                            .isEqualTo(Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE)));
        }
    }

    @Test
    void keysThatAProgramMayHaveReadStay() throws IOException {
        assertThat(write()).isTrue();
        String before = Files.readString(folder.resolve("slotwise/tls.key"));

        assertThat(write()).isFalse();
        assertThat(Files.readString(folder.resolve("slotwise/tls.key"))).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(strings = {"slotwise/tls.crt", "kube-scheduler/ca.crt"})
    void incompleteKeysAreReplaced(String missing) throws Exception {
        write();
        Files.delete(folder.resolve(missing));

        assertThat(write()).isTrue();
        assertTheyTrustEachOther();
    }
}
