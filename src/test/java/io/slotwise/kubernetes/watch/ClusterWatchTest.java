package io.slotwise.kubernetes.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.crd.v1alpha1.Reservations;
import io.slotwise.kubernetes.manifest.Candidates;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.PriceCatalogue;
import io.slotwise.live.Settings;
import io.slotwise.live.Standing;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

class ClusterWatchTest {
    private static final int GANGS = 300;

    private final KubernetesMockServer server = new KubernetesMockServer(
            new Context(), new MockWebServer(), new HashMap<>(), new KubernetesCrudDispatcher(), false);

    @BeforeEach
    void start() {
        server.init();
    }

    @AfterEach
    void stop() {
        server.destroy();
    }

    /** A watch from the moment it is ready. */
    private static ClusterWatch ready(KubernetesClient client) {
        Intake intake = new Intake(Settings.DEFAULT, PriceCatalogue.EMPTY, new Candidates("slotwise", false));
        ClusterWatch watch = new ClusterWatch(client, intake, new ReservationIndex(), new LedgerIndex(), () -> {});
        watch.start();
        while (!watch.ready()) {
            Thread.onSpinWait();
        }
        return watch;
    }

    @RepeatedTest(5)
    void knowsEveryReservationFromTheMomentItIsReady() {
        try (KubernetesClient client = server.createClient()) {
            for (int i = 0; i < GANGS; i++) {
                client.resource(Reservations.withSpec(Standing.first(new GangId("user", "g" + i), 1000)))
                        .create();
            }
            try (ClusterWatch watch = ready(client)) {
                assertThat(watch.standings()).hasSize(GANGS);
            }
        }
    }

    /** All pods of a large cluster in one answer would not fit into the memory that their stripped forms need. */
    @Test
    void listsAreAskedForInPages() throws InterruptedException {
        try (KubernetesClient client = server.createClient()) {
            ready(client).close();
        }
        List<String> lists = new ArrayList<>();
        while (server.getRequestCount() > lists.size()) {
            lists.add(String.valueOf(server.takeRequest().getPath()));
        }
        lists.removeIf(path -> path.contains("watch=true") || !path.contains("/pods"));
        assertThat(lists)
                .isNotEmpty()
                .allSatisfy(path -> assertThat(path).contains("limit=500").doesNotContain("resourceVersion=0"));
    }
}
