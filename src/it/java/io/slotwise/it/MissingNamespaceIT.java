package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** {@code serve} outside a cluster, with a namespace for its Lease that does not exist. */
@RealControlPlane
class MissingNamespaceIT {
    private static final String NOWHERE = "nowhere";

    @Test
    void oneLineNamesTheMissingNamespaceAndItsCreationSuffices(ControlPlane plane) throws IOException {
        Installation.install(plane, Map.of());
        Path log = plane.logs().resolve("stranger.log");
        try (SlotwiseProcess stranger = new SlotwiseProcess(
                plane,
                "stranger",
                plane.adminKubeconfig(),
                List.of(),
                Map.of("SLOTWISE_NAMESPACE", NOWHERE, "SLOTWISE_IDENTITY", "stranger"),
                List.of())) {
            stranger.startWithoutWaiting();
            // Several attempts later.
            plane.await(
                    "it to have tried for the Lease three times",
                    () -> plane.audit()
                                    .entries(entry -> entry.resource().equals("leases")
                                            && entry.namespace().equals(NOWHERE)
                                            && entry.verb().equals("create")
                                            && !entry.succeeded())
                                    .size()
                            >= 3);
            assertThat(stranger.isReady()).isFalse();
            assertThat(Files.readAllLines(log))
                    .filteredOn(line -> line.contains(NOWHERE))
                    .singleElement()
                    .asString()
                    .contains("kubectl create namespace " + NOWHERE);
            assertThat(Files.readAllLines(log)).noneMatch(line -> line.startsWith("\tat "));

            new Cluster(plane).namespace(NOWHERE);

            stranger.awaitReady();
        }
    }
}
