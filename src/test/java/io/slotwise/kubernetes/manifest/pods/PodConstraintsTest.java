package io.slotwise.kubernetes.manifest.pods;

import static io.slotwise.kubernetes.manifest.Samples.node;
import static io.slotwise.kubernetes.manifest.Samples.objects;
import static io.slotwise.kubernetes.manifest.Samples.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.NodeConstraint.Exclusion;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PodConstraintsTest {
    private static final Node TAINTED = node("n1")
            .editMetadata()
            .addToLabels("disk", "ssd")
            .addToLabels("cores", "8")
            .endMetadata()
            .withNewSpec()
            .addNewTaint("NoSchedule", "gpu", null, "yes")
            .endSpec()
            .build();
    private static final String TOLERANT = "tolerations: [{key: gpu, operator: Exists}]\n";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            value = {
                "tolerations: [] | TAINT",
                "tolerations: [{operator: Exists}] | none",
                "'tolerations: [{key: gpu, operator: Exists}]' | none",
                "'tolerations: [{key: gpu, value: \"yes\"}]' | none",
                "'tolerations: [{key: gpu, operator: Equal, value: \"yes\", effect: NoSchedule}]' | none",
                "'tolerations: [{key: gpu, operator: Equal, value: \"no\"}]' | TAINT",
                "'tolerations: [{key: gpu, operator: Exists, effect: NoExecute}]' | TAINT",
                "'tolerations: [{key: other, operator: Exists}]' | TAINT"
            })
    void tolerationsMeanWhatTheyMeanInKubernetes(String spec, @Nullable Exclusion exclusion) {
        assertThat(exclusion(spec, TAINTED)).isEqualTo(exclusion);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            value = {
                "nodeSelector: {disk: ssd} | none",
                "nodeSelector: {disk: hdd} | SELECTOR",
                "nodeSelector: {zone: a} | SELECTOR"
            })
    void nodeSelectorsMeanWhatTheyMeanInKubernetes(String spec, @Nullable Exclusion exclusion) {
        assertThat(exclusion(TOLERANT + spec, TAINTED)).isEqualTo(exclusion);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            nullValues = "none",
            value = {
                "[{matchExpressions: [{key: disk, operator: In, values: [ssd, nvme]}]}] | none",
                "[{matchExpressions: [{key: disk, operator: In, values: [hdd]}]}] | AFFINITY",
                "[{matchExpressions: [{key: disk, operator: NotIn, values: [hdd]}]}] | none",
                "[{matchExpressions: [{key: none, operator: NotIn, values: [hdd]}]}] | none",
                "[{matchExpressions: [{key: disk, operator: Exists}]}] | none",
                "[{matchExpressions: [{key: disk, operator: DoesNotExist}]}] | AFFINITY",
                "[{matchExpressions: [{key: cores, operator: Gt, values: ['7']}]}] | none",
                "[{matchExpressions: [{key: cores, operator: Lt, values: ['8']}]}] | AFFINITY",
                "[{matchFields: [{key: metadata.name, operator: In, values: [n1]}]}] | none",
                "[{matchFields: [{key: metadata.name, operator: NotIn, values: [n1]}]}] | AFFINITY",
                "[{matchExpressions: [{key: disk, operator: Exists}, {key: none, operator: Exists}]}] | AFFINITY",
                "[{matchExpressions: [{key: none, operator: Exists}]}, {matchExpressions: [{key: disk, "
                        + "operator: Exists}]}] | none",
                "[{}] | AFFINITY"
            })
    void requiredNodeAffinityMeansWhatItMeansInKubernetes(String terms, @Nullable Exclusion exclusion) {
        String spec = TOLERANT
                + "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: %s}}}"
                        .formatted(terms);

        assertThat(exclusion(spec, TAINTED)).isEqualTo(exclusion);
    }

    @Test
    void preferencesAreNoConstraint() {
        String spec =
                TOLERANT + "affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: 1, "
                        + "preference: {matchExpressions: [{key: none, operator: Exists}]}}]}}";

        assertThat(exclusion(spec, TAINTED)).isNull();
        assertThat(constraint(spec).affinity()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "'tolerations: [{key: n, operator: Gt, value: \"5\"}]' | pod user/p: the operator (Gt) "
                        + "of a toleration is not supported by this version: expected Equal or Exists",
                "'tolerations: [{key: n, effect: Never}]' | pod user/p: "
                        + "spec.tolerations[0].effect (Never) is not valid: "
                        + "expected NoSchedule or PreferNoSchedule or NoExecute",
                "'affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                        + "{nodeSelectorTerms: [{matchExpressions: [{key: a, operator: Near}]}]}}}' | pod user/p: "
                        + "spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution"
                        + ".nodeSelectorTerms[0]"
                        + ".matchExpressions[0].operator (Near) is not valid: expected In or NotIn or Exists or "
                        + "DoesNotExist or Gt or Lt"
            })
    void refusesWhatItDoesNotKnow(String spec, String message) {
        Snapshot snapshot = take(objects(List.of(TAINTED), pod(spec)), Map.of()).snapshot();

        assertThat(snapshot.held().getFirst().refusal().message()).isEqualTo(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: a}}} | 1",
                "{topologyKey: kubernetes.io/hostname, labelSelector: {}} | 1",
                "{topologyKey: kubernetes.io/hostname, labelSelector: {matchExpressions: [{key: app, "
                        + "operator: In, values: [a, b]}]}} | 1",
                "{topologyKey: kubernetes.io/hostname, labelSelector: {matchExpressions: [{key: app, "
                        + "operator: NotIn, values: [b]}]}} | 1",
                "{topologyKey: kubernetes.io/hostname, labelSelector: {matchExpressions: [{key: app, "
                        + "operator: Exists}]}} | 1",
                "{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: a}}, namespaces: [user]} | 1",
                "{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: a}}, "
                        + "namespaceSelector: {}} | 1",
                "{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: a}}, "
                        + "namespaces: [other]} | 2147483647",
                "{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: b}}} | 2147483647",
                "{topologyKey: kubernetes.io/hostname, labelSelector: {matchExpressions: [{key: app, "
                        + "operator: DoesNotExist}]}} | 2147483647",
                "{topologyKey: kubernetes.io/hostname} | 2147483647",
                "{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: a}}, "
                        + "mismatchLabelKeys: [app]} | 2147483647",
                "{topologyKey: topology.kubernetes.io/zone, labelSelector: {matchLabels: {app: a}}} | 2147483647"
            })
    void requiredAntiAffinityAgainstItselfMeansOnePodPerNode(String term, int maxPerNode) {
        String spec =
                "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [%s]}}".formatted(term);

        assertThat(gang(spec).maxPerNode()).isEqualTo(maxPerNode);
    }

    private static @Nullable Exclusion exclusion(String spec, Node node) {
        Snapshot snapshot = take(objects(List.of(node), pod(spec)), Map.of()).snapshot();
        return snapshot.requests()
                .getFirst()
                .gang()
                .request()
                .constraint()
                .exclusion(snapshot.cluster().inventory().getFirst());
    }

    private static NodeConstraint constraint(String spec) {
        return gang(spec).request().constraint();
    }

    private static Gang gang(String spec) {
        return take(pod(spec)).snapshot().requests().getFirst().gang();
    }

    private static Pod pod(String spec) {
        String yaml = """
                apiVersion: v1
                kind: Pod
                metadata: {name: p, namespace: user, labels: {app: a}}
                spec:
                  schedulerName: slotwise-extender
                  containers: [{name: c}]
                """ + spec.indent(2);
        return ManifestFile.read(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)), "pod")
                .pods()
                .getFirst();
    }
}
