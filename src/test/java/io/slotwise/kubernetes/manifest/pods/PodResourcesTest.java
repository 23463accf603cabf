package io.slotwise.kubernetes.manifest.pods;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.slotwise.core.resource.Resources;
import io.slotwise.kubernetes.manifest.field.QuantityAmounts;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PodResourcesTest {
    @Test
    void containersAddUp() {
        assertThat(resources("""
                        containers:
                        - {name: a, resources: {requests: {cpu: 500m, memory: 1Gi}}}
                        - {name: b, resources: {requests: {cpu: "1", nvidia.com/gpu: 2}}}
                        - {name: c}
                        """)).isEqualTo(of("cpu", 1500L, "memory", 1L << 30, "nvidia.com/gpu", 2L));
    }

    @Test
    void theLargestInitContainerCountsIfItIsMore() {
        assertThat(resources("""
                        initContainers:
                        - {name: i, resources: {requests: {cpu: 3}}}
                        - {name: j, resources: {requests: {cpu: 2, memory: 2Gi}}}
                        containers:
                        - {name: a, resources: {requests: {cpu: 1, memory: 1Gi}}}
                        """)).isEqualTo(of("cpu", 3000L, "memory", 2L << 30));
    }

    @Test
    void sidecarsCountFromTheirStartOn() {
        // A sidecar of 1 core comes between init containers of 3 and 2.5 cores, and 2 cores follow: 3 alone, then 1 +
        // 2.5, then 1 + 2.
        assertThat(resources("""
                        initContainers:
                        - {name: i, resources: {requests: {cpu: 3}}}
                        - {name: s, restartPolicy: Always, resources: {requests: {cpu: 1}}}
                        - {name: j, resources: {requests: {cpu: 2500m}}}
                        containers:
                        - {name: a, resources: {requests: {cpu: 2}}}
                        """)).isEqualTo(of("cpu", 3500L));
    }

    @Test
    void sidecarsAddToTheContainers() {
        assertThat(resources("""
                        initContainers:
                        - {name: s, restartPolicy: Always, resources: {requests: {cpu: 1}}}
                        - {name: t, restartPolicy: Always, resources: {requests: {cpu: 200m, memory: 1Mi}}}
                        containers:
                        - {name: a, resources: {requests: {cpu: 2}}}
                        """)).isEqualTo(of("cpu", 3200L, "memory", 1L << 20));
    }

    @Test
    void theOverheadComesOnTop() {
        assertThat(resources("""
                        overhead: {cpu: 250m, memory: 120Mi}
                        containers: [{name: a, resources: {requests: {cpu: 1}}}]
                        """)).isEqualTo(of("cpu", 1250L, "memory", 120L << 20));
    }

    @Test
    void aLimitStandsInForARequestThatIsNotStated() {
        assertThat(resources("""
                        containers: [{name: a, resources: {limits: {cpu: 2, memory: 1Gi}, requests: {cpu: 1}}}]
                        """)).isEqualTo(of("cpu", 1000L, "memory", 1L << 30));
    }

    @Test
    void thePodsOwnFigureReplacesTheContainers() {
        assertThat(resources("""
                        resources: {requests: {cpu: 3}, limits: {memory: 2Gi, cpu: 4}}
                        overhead: {cpu: 100m}
                        containers: [{name: a, resources: {requests: {cpu: 1, nvidia.com/gpu: 1}}}]
                        """)).isEqualTo(of("cpu", 3100L, "memory", 2L << 30, "nvidia.com/gpu", 1L));
    }

    @Test
    void aPodWithoutRequestsStillIsAPod() {
        assertThat(resources("containers: [{name: a}]")).isEqualTo(Resources.of(Map.of(Resources.PODS, 1L)));
    }

    @ParameterizedTest
    @CsvSource({"100m, 100", "0.1, 100", "1, 1000", "1500u, 2", "1n, 1", "2e0, 2000", "0, 0", "1k, 1000000"})
    void milliCoresAreRoundedUp(String cpu, long milli) {
        assertThat(resources("containers: [{name: a, resources: {requests: {cpu: '%s'}}}]".formatted(cpu))
                        .get(Resources.CPU))
                .isEqualTo(milli);
    }

    @ParameterizedTest
    @CsvSource({"1Ki, 1024", "1M, 1000000", "128974848, 128974848", "129e6, 129000000", "1500m, 2", "1Ti, 1099511627776"
    })
    void bytesAreRoundedUp(String memory, long bytes) {
        assertThat(resources("containers: [{name: a, resources: {requests: {memory: '%s'}}}]".formatted(memory))
                        .get(Resources.MEMORY))
                .isEqualTo(bytes);
    }

    @ParameterizedTest
    @ValueSource(strings = {"many", "-1", "1Zi", "10E"})
    void refusesAnInvalidQuantity(String memory) {
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        resources("containers: [{name: a, resources: {requests: {memory: '%s'}}}]".formatted(memory)))
                .withMessageContaining("of memory is not valid: expected");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // Granted, done or not.
                "4 | {allocatedResources: {cpu: 4}, resources: {requests: {cpu: 2}}} | {} | 4000",
                "1 | {allocatedResources: {cpu: 1}, resources: {requests: {cpu: 3}}} | {} | 1000",
                // Requested and not granted.
                "4 | {allocatedResources: {cpu: 2}, resources: {requests: {cpu: 2}}} | {} | 2000",
                "4 | {allocatedResources: {cpu: 2}} | {type: PodResizePending, reason: Deferred, "
                        + "status: 'True'} | 2000",
                "64 | {allocatedResources: {cpu: 2}} | {type: PodResizePending, reason: Infeasible, "
                        + "status: 'True'} | 2000",
                // A kubelet that does not report the allocation.
                "4 | {resources: {requests: {cpu: 2}}} | {type: PodResizePending, reason: Deferred, "
                        + "status: 'True'} | 2000",
                "4 | {resources: {requests: {cpu: 3999m}}} | {} | 4000",
                "4 | {} | {} | 4000",
            },
            quoteCharacter = '`')
    void theAllocationOfANodeIsTheGrantedAmount(String asked, String status, String condition, long milli) {
        assertThat(PodResources.allocated(resized(asked, status, condition), new QuantityAmounts())
                        .get(Resources.CPU))
                .isEqualTo(milli);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // Grown and not granted yet: the request counts.
                "4 | {allocatedResources: {cpu: 2}, resources: {requests: {cpu: 2}}} | {} | 4000",
                // Shrunk and not released yet: the allocation counts.
                "1 | {allocatedResources: {cpu: 1}, resources: {requests: {cpu: 3}}} | {} | 3000",
                "1 | {allocatedResources: {cpu: 2}} | {} | 2000",
                // More than the node has.
                "64 | {allocatedResources: {cpu: 2}, resources: {requests: {cpu: 2}}} | {type: "
                        + "PodResizePending, reason: Infeasible, status: 'True'} | 2000",
                "64 | {allocatedResources: {cpu: 2}} | {type: PodResizePending, reason: Deferred, "
                        + "status: 'True'} | 64000",
                "4 | {} | {} | 4000",
            },
            quoteCharacter = '`')
    void aContainerInResizeUsesTheLargerOfRequestAndAllocation(
            String asked, String status, String condition, long milli) {
        assertThat(PodResources.of(resized(asked, status, condition), new QuantityAmounts())
                        .get(Resources.CPU))
                .isEqualTo(milli);
    }

    private static Pod resized(String asked, String status, String condition) {
        String pod =
                """
                apiVersion: v1
                kind: Pod
                metadata: {name: p}
                spec: {nodeName: n, containers: [{name: a, resources: {requests: {cpu: %s}}}, {name: b, resources: {requests: {cpu: 0}}}]}
                status: {containerStatuses: [%s], conditions: [%s]}
                """.formatted(asked, status.replaceFirst("[{]", "{name: a, ").replace(", }", "}"), condition);
        return Serialization.unmarshal(pod, Pod.class);
    }

    private static Resources resources(String spec) {
        String pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n" + spec.indent(2);
        return PodResources.of(Serialization.unmarshal(pod, Pod.class).getSpec(), new QuantityAmounts());
    }

    private static Resources of(Object... pairs) {
        Map<String, Long> amounts = new java.util.HashMap<>(Map.of(Resources.PODS, 1L));
        for (int i = 0; i < pairs.length; i += 2) {
            amounts.put((String) pairs[i], (Long) pairs[i + 1]);
        }
        return Resources.of(amounts);
    }
}
