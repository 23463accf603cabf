package io.slotwise.kubernetes.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.resource.Resources;
import io.slotwise.kubernetes.crd.v1alpha1.StartRecord;
import io.slotwise.kubernetes.extender.ReservationBuilder;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.record.Member;
import io.slotwise.live.record.Phase;
import io.slotwise.live.settings.LoopSettings;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ReadClusterTest {
    private static final String CLUSTER = """
            apiVersion: v1
            kind: Node
            metadata: {name: n}
            status: {allocatable: {cpu: 4, memory: 8Gi, pods: 110, example.com/disk: 8}}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: p, namespace: user}
            spec: {nodeName: n, containers: [{name: c, resources: {requests: {cpu: 1, memory: 1Gi}}}]}
            status: {containerStatuses: [{name: c, allocatedResources: ALLOCATED}]}
            """;

    /** A quarter of the CPU, an eighth of the memory and of the disk. */
    private static final Resources PROMISED =
            Resources.of(Map.of(Resources.CPU, 1000L, Resources.MEMORY, 1L << 30, "example.com/disk", 1L));

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {cpu: 1, memory: 1Gi}    | 1000000
            {cpu: 3, memory: 1Gi}    | 3000000
            {cpu: 1, memory: 4Gi}    | 2000000
            # The disk is the pod's whatever its size.
            {cpu: 100m, memory: 1Mi} | 500000
            """)
    void theAllocationOfAPodIsComparedWithItsPromise(String allocated, long part) {
        assertThat(part(allocated, "p", "n")).hasValue(part);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            {cpu: 1, memory: 9Ei} | p     | n
            {cpu: 2, memory: 1Gi} | other | n
            {cpu: 2, memory: 1Gi} | p     | other
            """)
    void anUnknownAllocationIsNotGuessed(String allocated, String pod, String node) {
        assertThat(part(allocated, pod, node)).isEmpty();
    }

    /** A user may write what a Binding of Slotwise writes on pods that other schedulers bind. */
    @ParameterizedTest
    @CsvSource({"slotwise, 1", "slotwise-extender, 1", "default-scheduler, 0"})
    void onlyAPodOfSlotwiseTellsTheStartOfItsGang(String schedulerName, int gangs) {
        String record = StartRecord.text(new ReservationBuilder()
                .phase(Phase.RUNNING)
                .startedAt(ReservationBuilder.START)
                .members("g-0", "g-1")
                .opened()
                .build());
        String text = """
                apiVersion: v1
                kind: Pod
                metadata:
                  {name: g-0, namespace: user, uid: uid-of-g-0, annotations: {slotwise.io/run: 1/t/g, slotwise.io/record: "%s"}}
                spec: {nodeName: n00, schedulerName: %s, containers: [{name: c}]}
                """.formatted(record, schedulerName);

        assertThat(read(text).reservations().records()).hasSize(gangs);
    }

    private static OptionalLong part(String allocated, String pod, String node) {
        String text = CLUSTER.replace("ALLOCATED", allocated);
        return read(text).part("user", new Member(pod, "u", Member.State.BOUND, false, node, ""), PROMISED);
    }

    private static ReadCluster read(String text) {
        return new ReadCluster(
                new Intake(LoopSettings.EXACT, PriceCatalogue.EMPTY, PodFilter.FILES),
                ManifestFile.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "cluster.yaml"));
    }
}
