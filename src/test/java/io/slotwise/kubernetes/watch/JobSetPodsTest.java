package io.slotwise.kubernetes.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.testing.CannedWatches;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The gangs of pods whose JobSet is not always known. */
class JobSetPodsTest {
    private static final GenericKubernetesResource JOB_SET =
            Serialization.unmarshal("""
                apiVersion: jobset.x-k8s.io/v1alpha2
                kind: JobSet
                metadata: {name: set, namespace: team, uid: s, resourceVersion: "1"}
                spec:
                  replicatedJobs:
                  - {name: load, template: {spec: {parallelism: 1, template: {spec: {containers: []}}}}}
                  - name: train
                    dependsOn: [{name: load, status: Complete}]
                    template: {spec: {parallelism: 1, template: {spec: {containers: []}}}}
                """, GenericKubernetesResource.class);

    private final CannedWatches api = new CannedWatches();

    @AutoClose
    private final ClusterWatch watch = new ClusterWatch(
            api.client(),
            new Intake(LoopSettings.EXACT, PriceCatalogue.EMPTY, PodFilter.CLUSTER),
            new ReservationIndex(),
            () -> {},
            WatchTiming.DEFAULT.withNanos(() -> 0));

    @BeforeEach
    void start() {
        watch.start();
        await().until(watch::ready);
    }

    private void show(String role, String uid, int version) {
        api.put(Serialization.unmarshal("""
            apiVersion: v1
            kind: Pod
            metadata:
              name: set-%1$s-0-0-x7k2p
              namespace: team
              uid: %2$s
              resourceVersion: "%3$d"
              labels: {jobset.sigs.k8s.io/jobset-name: set, jobset.sigs.k8s.io/replicatedjob-name: %1$s}
            spec: {schedulerName: slotwise, containers: [{name: c}]}
            """.formatted(role, uid, version), Pod.class));
    }

    private List<String> podsOf(String gang) {
        return watch.podsOf(new GangId("team", gang)).stream()
                .map(pod -> pod.getMetadata().getName())
                .toList();
    }

    @Test
    void aPodKeepsItsGangWhenItsJobSetIsNotKnownAnyMore() {
        api.put(JOB_SET);
        show("train", "a", 2);
        api.remove(JOB_SET);
        show("train", "a", 3);

        assertThat(podsOf("jobset-set.train")).containsExactly("set-train-0-0-x7k2p");
        assertThat(podsOf("jobset-set")).isEmpty();

        show("train", "b", 4);
        assertThat(podsOf("jobset-set.train")).isEmpty();
    }

    @Test
    void podsThatAreSeenBeforeTheirJobSetAreNamedWhenItIs() {
        show("load", "a", 2);
        show("train", "b", 3);
        api.put(JOB_SET);

        assertThat(podsOf("jobset-set.train")).containsExactly("set-train-0-0-x7k2p");
        assertThat(podsOf("jobset-set")).containsExactly("set-load-0-0-x7k2p");
    }
}
