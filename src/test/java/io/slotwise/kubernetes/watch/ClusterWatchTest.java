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
import java.util.HashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;

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

    @RepeatedTest(5)
    void knowsEveryReservationFromTheMomentItIsReady() {
        try (KubernetesClient client = server.createClient()) {
            for (int i = 0; i < GANGS; i++) {
                client.resource(Reservations.withSpec(Standing.first(new GangId("user", "g" + i), 1000)))
                        .create();
            }
            Intake intake = new Intake(Settings.DEFAULT, PriceCatalogue.EMPTY, new Candidates("slotwise", false));
            try (ClusterWatch watch =
                    new ClusterWatch(client, intake, new ReservationIndex(), new LedgerIndex(), () -> {})) {
                watch.start();
                while (!watch.ready()) {
                    Thread.onSpinWait();
                }
                assertThat(watch.standings()).hasSize(GANGS);
            }
        }
    }
}
