package io.slotwise.kubernetes.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.resource.Resources;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.record.Member;
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

    private static OptionalLong part(String allocated, String pod, String node) {
        String text = CLUSTER.replace("ALLOCATED", allocated);
        return new ReadCluster(
                        new Intake(LoopSettings.EXACT, PriceCatalogue.EMPTY, PodFilter.FILES),
                        ManifestFile.read(
                                new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "cluster.yaml"))
                .part("user", new Member(pod, "u", Member.State.BOUND, false, node, ""), PROMISED);
    }
}
