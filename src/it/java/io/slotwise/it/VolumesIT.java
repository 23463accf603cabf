package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/**
 * Gangs with volumes on a real cluster, where kube-controller-manager binds PersistentVolumeClaims. Proves that
 * kube-scheduler accepts every plan.
 */
@RealControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class VolumesIT {
    private final Cluster cluster;
    private final SlotwiseProcess slotwise;
    private final KubeScheduler scheduler;

    VolumesIT(ControlPlane plane) {
        cluster = new Cluster(plane);
        Installation chart = Installation.install(plane, Map.of("policy.running.turnover", "3s"));
        chart.awaitGate();
        slotwise = chart.startSlotwise();
        scheduler = chart.startScheduler(slotwise.extender());
    }

    @AfterAll
    void stop() {
        scheduler.close();
        slotwise.close();
    }

    @StoryTest
    void aGangStartsAtOnceInTheExpensiveZoneOfItsVolume() {
        Scenario scenario = zones("zoned");
        volume("zoned-pv", "topology.kubernetes.io/zone", "dear", "zoned", "ReadWriteMany", "zoned", "data");
        boundClaim("zoned", "data", "zoned", "zoned-pv", "ReadWriteMany");
        GangSpec gang = scenario.gang("zoned", 2, 1000, 20).with("criterion", "cost");

        cluster.submitAsPods(gang, pod -> with(pod, "data"));

        scenario.awaitWhole(gang, 40);
        assertThat(cluster.pods(gang))
                .extracting(pod -> pod.getSpec().getSchedulerName())
                .containsOnly("slotwise-extender");
        assertThat(cluster.pods(gang))
                .extracting(pod -> pod.getSpec().getNodeName())
                .containsOnly("zoned-b");
        assertStartedAtTheFirstTry(gang);
        assertThat(scenario.violations()).isEmpty();
    }

    @StoryTest
    void aMissingClaimIsToldByNameAndTheGangStartsOnceItIsThere() {
        Scenario scenario = zones("missing");
        GangSpec gang = scenario.gang("late", 1, 1000, 20).with("criterion", "cost");

        cluster.submitAsPods(gang, pod -> with(pod, "data"));

        String words = "waiting for the volume claim missing/data of pod missing/late-0: it does not exist";
        scenario.awaitPending(gang, "NoWindow", words, 20);
        assertThat(cluster.condition(gang, "Planned")).isEqualTo("False NoWindow: " + words);
        scenario.awaitEvent("NoWindow", event -> assertThat(event).contains(words));

        volume("missing-pv", "topology.kubernetes.io/zone", "dear", "missing", "ReadWriteOnce", "missing", "data");
        boundClaim("missing", "data", "missing", "missing-pv", "ReadWriteOnce");

        scenario.awaitWhole(gang, 40);
        assertThat(cluster.pods(gang))
                .extracting(pod -> pod.getSpec().getNodeName())
                .containsOnly("missing-b");
        assertStartedAtTheFirstTry(gang);
    }

    @StoryTest
    void aGangWithClaimsThatAreBoundAsItStartsGoesToTheNodesThatHaveFreeVolumes() {
        Scenario scenario = new Scenario(cluster, "local").withNodes(4);
        cluster.client()
                .resource(Serialization.unmarshal("""
                        apiVersion: storage.k8s.io/v1
                        kind: StorageClass
                        metadata: {name: local}
                        provisioner: kubernetes.io/no-provisioner
                        volumeBindingMode: WaitForFirstConsumer
                        """, StorageClass.class))
                .create();
        for (int node = 3; node <= 4; node++) {
            volume("local-pv-" + node, "kubernetes.io/hostname", scenario.node(node), "local", "ReadWriteOnce", "", "");
        }
        for (int pod = 0; pod < 2; pod++) {
            claim("local", "data-local-" + pod, "local", "", "ReadWriteOnce");
        }
        GangSpec gang = scenario.gang("local", 2, 1000, 20).with("criterion", "cost");
        Scenario.within("the volumes to be available", 20)
                .until(() -> cluster.client().persistentVolumes().list().getItems().stream()
                                .filter(volume ->
                                        "local".equals(volume.getSpec().getStorageClassName()))
                                .filter(volume ->
                                        "Available".equals(volume.getStatus().getPhase()))
                                .count()
                        == 2);

        cluster.submitAsPods(gang, pod -> with(pod, "data-" + pod.getMetadata().getName()));

        scenario.awaitWhole(gang, 40);
        assertThat(cluster.pods(gang))
                .extracting(pod -> pod.getSpec().getNodeName())
                .containsExactlyInAnyOrder(scenario.node(3), scenario.node(4));
        assertStartedAtTheFirstTry(gang);
        assertThat(scenario.violations()).isEmpty();
    }

    /** Creates a cheap node in one zone and an expensive one in the other, named NAME-a and NAME-b. */
    private Scenario zones(String name) {
        Scenario scenario = new Scenario(cluster, name);
        cluster.nodeIn("cheap", name + "-a", 4, "1", name);
        cluster.nodeIn("dear", name + "-b", 4, "9", name);
        return scenario;
    }

    private void assertStartedAtTheFirstTry(GangSpec gang) {
        Integer attempts = Objects.requireNonNull(cluster.reservation(gang)).get("status", "attempts");
        assertThat(attempts == null ? 0 : attempts).isZero();
    }

    private void boundClaim(String namespace, String name, String storageClass, String volume, String mode) {
        claim(namespace, name, storageClass, volume, mode);
        Scenario.within("the claim to be bound", 20)
                .until(() -> "Bound"
                        .equals(cluster.client()
                                .persistentVolumeClaims()
                                .inNamespace(namespace)
                                .withName(name)
                                .get()
                                .getStatus()
                                .getPhase()));
    }

    private void claim(String namespace, String name, String storageClass, String volume, String mode) {
        cluster.client()
                .resource(Serialization.unmarshal(
                        """
                        apiVersion: v1
                        kind: PersistentVolumeClaim
                        metadata: {namespace: "%s", name: "%s"}
                        spec:
                          accessModes: [%s]
                          resources: {requests: {storage: 1Gi}}
                          storageClassName: "%s"
                          volumeName: "%s"
                        """.formatted(namespace, name, mode, storageClass, volume), PersistentVolumeClaim.class))
                .create();
    }

    /** Creates a volume for the nodes with a label, reserved for a PersistentVolumeClaim if one is given. */
    private void volume(
            String name, String key, String value, String storageClass, String mode, String namespace, String claim) {
        PersistentVolume volume =
                Serialization.unmarshal("""
                apiVersion: v1
                kind: PersistentVolume
                metadata: {name: "%s"}
                spec:
                  accessModes: [%s]
                  capacity: {storage: 1Gi}
                  storageClassName: "%s"
                  hostPath: {path: /tmp/none}
                  nodeAffinity:
                    required:
                      nodeSelectorTerms:
                        - matchExpressions:
                            - {key: "%s", operator: In, values: ["%s"]}
                """.formatted(name, mode, storageClass, key, value), PersistentVolume.class);
        if (!claim.isEmpty()) {
            volume.getSpec()
                    .setClaimRef(new ObjectReferenceBuilder()
                            .withNamespace(namespace)
                            .withName(claim)
                            .build());
        }
        cluster.client().resource(volume).create();
    }

    private static Pod with(Pod pod, String claim) {
        return new PodBuilder(pod)
                .editSpec()
                .addNewVolume()
                .withName("data")
                .withNewPersistentVolumeClaim(claim, false)
                .endVolume()
                .endSpec()
                .build();
    }
}
