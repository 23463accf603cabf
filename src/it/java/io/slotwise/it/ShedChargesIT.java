package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.Reservations;
import io.slotwise.live.record.Phase;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Proves that tenants with the role edit pay even if they or others delete the records of their gangs. */
@RealControlPlane
class ShedChargesIT {
    private static final String NAMESPACE = "shedding";

    private final ControlPlane plane;
    private final Cluster cluster;

    ShedChargesIT(ControlPlane plane) {
        this.plane = plane;
        this.cluster = new Cluster(plane);
    }

    @Test
    void aRecordStaysUntilItsRunIsCharged() {
        Installation chart = Installation.install(plane, Map.of("policy.running.turnover", "3s"));
        try (SlotwiseProcess slotwise = chart.startSlotwise();
                KubeScheduler scheduler = chart.startScheduler(slotwise.extender())) {
            assertThat(scheduler).isNotNull();
            chart.awaitGate();
            Scenario scenario = new Scenario(cluster, NAMESPACE).withNodes(2);
            NamespaceLedger ledger = new NamespaceLedger(cluster, NAMESPACE);
            ledger.setBudget("10/month");
            Account person = Account.create(plane, NAMESPACE, "developer");
            person.may("slotwise-edit", NAMESPACE);
            person.may("slotwise-view", NAMESPACE);
            KubernetesClient tenant = plane.clientAs(NAMESPACE, "developer");
            GangSpec gang = scenario.gang("gang", 2, 3000, 120);
            ConfigMap owner = plane.client()
                    .resource(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withNamespace(NAMESPACE)
                            .withName("owner")
                            .endMetadata()
                            .build())
                    .create();
            String owned = """
                    {"apiVersion": "slotwise.io/v1alpha1", "kind": "Reservation",
                    "metadata": {"namespace": "%s", "name": "gang", "ownerReferences": [{"apiVersion": "v1",
                    "kind": "ConfigMap", "name": "owner", "uid": "%s"}]}, "spec": {"gang": "gang"}}""".formatted(NAMESPACE, owner.getMetadata().getUid());
            assertThatThrownBy(() -> create(tenant, owned)).hasMessageContaining("Slotwise alone");
            // The policy as in a cluster that had no such policy before.
            create(plane.client(), owned);

            cluster.submitAsPods(gang);
            scenario.awaitWhole(gang, 40);

            Reservation running = Objects.requireNonNull(record(gang));
            assertThat(running.getMetadata().getOwnerReferences()).isEmpty();
            assertThat(running.getMetadata().getFinalizers()).containsExactly(Reservations.FINALIZER);
            assertThatThrownBy(() -> tenant.resource(running).delete()).hasMessageContaining("charged");
            // Deletes as an account that may, such as the garbage collector after the owner.
            plane.client().resource(running).delete();
            assertThat(Objects.requireNonNull(record(gang)).getMetadata().getDeletionTimestamp())
                    .isNotNull();

            cluster.endPods(gang);
            Scenario.within("the tenant to have deleted the record, and it to go", 180)
                    .until(() -> isGone(gang, tenant));

            assertThat(ledger.charged()).isPositive();
            assertThat(ledger.held()).isZero();
            assertThat(ledger.entries())
                    .singleElement()
                    .satisfies(entry -> assertThat(entry)
                            .containsEntry("uid", running.getMetadata().getUid())
                            .containsKey("endedAt"));
        }
    }

    private boolean isGone(GangSpec gang, KubernetesClient tenant) {
        Reservation record = record(gang);
        if (record != null && record.phase() == Phase.COMPLETED) {
            try {
                tenant.resource(record).delete();
            } catch (KubernetesClientException e) {
                assertThat(e.getCode()).isEqualTo(404);
            }
        }
        return record == null;
    }

    private @Nullable Reservation record(GangSpec gang) {
        return plane.client()
                .resources(Reservation.class)
                .inNamespace(NAMESPACE)
                .withName(gang.name())
                .get();
    }

    private static void create(KubernetesClient client, String json) {
        client.raw(
                "/apis/slotwise.io/v1alpha1/namespaces/" + NAMESPACE + "/reservations",
                "POST",
                Serialization.unmarshal(json, JsonNode.class));
    }
}
