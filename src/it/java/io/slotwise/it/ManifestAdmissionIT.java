package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.Toleration;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.slotwise.kubernetes.manifest.ClusterObjects;
import io.slotwise.kubernetes.manifest.field.QuantityAmounts;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.pods.PodResources;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Proves that files are read as the API server reads them: how pods are changed and refused, which fields are known.
 */
@RealControlPlane
class ManifestAdmissionIT {
    /** The objects of a file that take part in the admission of pods. */
    private static final String OBJECTS = """
            apiVersion: v1
            kind: Namespace
            metadata: {name: team}
            ---
            apiVersion: v1
            kind: Namespace
            metadata: {name: limited}
            ---
            apiVersion: node.k8s.io/v1
            kind: RuntimeClass
            metadata: {name: kata}
            handler: kata
            overhead: {podFixed: {cpu: 250m, memory: 1Gi}}
            scheduling:
              nodeSelector: {kata: "yes"}
              tolerations: [{key: kata, operator: Exists, effect: NoSchedule}]
            ---
            apiVersion: node.k8s.io/v1
            kind: RuntimeClass
            metadata: {name: bare}
            handler: bare
            ---
            apiVersion: scheduling.k8s.io/v1
            kind: PriorityClass
            metadata: {name: high}
            value: 1000
            preemptionPolicy: Never
            ---
            apiVersion: scheduling.k8s.io/v1
            kind: PriorityClass
            metadata: {name: usual}
            value: 10
            globalDefault: true
            ---
            apiVersion: v1
            kind: LimitRange
            metadata: {name: limits, namespace: limited}
            spec:
              limits:
              - {type: Container, default: {cpu: "2", memory: 4Gi}, defaultRequest: {cpu: 500m}, max: {cpu: "8"}, min: {cpu: 100m}, maxLimitRequestRatio: {cpu: "4"}}
              - {type: Pod, max: {cpu: "10"}}
            ---
            apiVersion: v1
            kind: ResourceQuota
            metadata: {name: quota, namespace: limited}
            spec: {hard: {requests.cpu: "6", limits.memory: 9Gi, pods: "3"}}
            ---
            apiVersion: v1
            kind: ResourceQuota
            metadata: {name: high, namespace: team}
            spec:
              hard: {pods: "0"}
              scopeSelector: {matchExpressions: [{scopeName: PriorityClass, operator: In, values: [high]}]}
            ---
            apiVersion: v1
            kind: ResourceQuota
            metadata: {name: short, namespace: team}
            spec: {hard: {requests.memory: 1Gi}, scopes: [Terminating]}
            """;

    private static final String ONE = "containers: [{name: c, image: i}]";

    /** Namespaces and pod specifications, of which the API server refuses some. */
    private static final List<String> PODS = List.of(
            "team {%s}".formatted(ONE),
            "team {%s, runtimeClassName: kata, nodeSelector: {zone: a}, tolerations: [{key: x, operator: Exists}]}"
                    .formatted(ONE),
            "team {%s, runtimeClassName: bare}".formatted(ONE),
            "team {%s, runtimeClassName: none}".formatted(ONE),
            "team {%s, runtimeClassName: kata, nodeSelector: {kata: 'no'}}".formatted(ONE),
            "team {%s, runtimeClassName: kata, overhead: {cpu: 250m, memory: 1Gi}}".formatted(ONE),
            "team {%s, runtimeClassName: kata, overhead: {cpu: 1}}".formatted(ONE),
            "team {%s, priorityClassName: system-node-critical}".formatted(ONE),
            "team {%s, priorityClassName: none}".formatted(ONE),
            "team {%s, priorityClassName: usual, priority: 10}".formatted(ONE),
            "team {%s, priorityClassName: usual, priority: 11}".formatted(ONE),
            "team {%s, preemptionPolicy: Never}".formatted(ONE),
            "team {%s, priorityClassName: high}".formatted(ONE),
            "team {%s, activeDeadlineSeconds: 60}".formatted(ONE),
            "team {activeDeadlineSeconds: 60, containers: [{name: c, image: i, resources: {limits: {memory: 2Gi}}}]}",
            "team {activeDeadlineSeconds: 60, containers: [{name: c, image: i, resources: {limits: {memory: 1Gi}}}]}",
            "limited {%s}".formatted(ONE),
            "limited {containers: [{name: c, image: i, resources: {limits: {cpu: 1}}}]}",
            "limited {containers: [{name: c, image: i, resources: {requests: {cpu: 3, memory: 1Gi}, "
                    + "limits: {cpu: 4}}}]}",
            "limited {containers: [{name: c, image: i, resources: {requests: {cpu: 50m}, limits: {cpu: 100m}}}]}",
            "limited {containers: [{name: c, image: i, resources: {requests: {cpu: 1}, limits: {cpu: 5}}}]}",
            "limited {containers: [{name: c, image: i, resources: {requests: {cpu: 3}, limits: {cpu: 9}}}]}",
            "limited {containers: [{name: c, image: i, resources: {limits: {cpu: 7}}}]}",
            "limited {containers: [{name: c, image: i, resources: {limits: {memory: 10Gi}}}]}",
            "limited {containers: [{name: c, image: i}, {name: d, image: i}, {name: e, image: i}]}",
            "limited {containers: [{name: c, image: i}, {name: d, image: i}], initContainers: [{name: f, image: i}]}");

    private static ClusterObjects read(String text) {
        return ManifestFile.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "it.yaml");
    }

    @Test
    void podsAreChangedAndRefusedAsByTheApiServer(ControlPlane plane) {
        KubernetesClient client = plane.client();
        for (String object : OBJECTS.split("---\n", -1)) {
            client.resource((HasMetadata) client.getKubernetesSerialization().unmarshal(object))
                    .create();
        }
        List<String> refused = new ArrayList<>();

        for (String one : PODS) {
            int blank = one.indexOf(' ');
            String yaml = "apiVersion: v1\nkind: Pod\nmetadata: {name: p, namespace: %s}\nspec: %s\n"
                    .formatted(one.substring(0, blank), one.substring(blank + 1));
            Pod made = create(client, client.getKubernetesSerialization().unmarshal(yaml, Pod.class));
            ClusterObjects objects = read(OBJECTS + "---\n" + yaml);
            String refusal = objects.admissions().refused().get(one.substring(0, blank) + "/p");

            assertThat(refusal != null).as("%s: %s", yaml, refusal).isEqualTo(made == null);
            if (made == null) {
                refused.add(one);
            } else {
                assertThat(essence(objects.pods().getFirst().getSpec()))
                        .as(yaml)
                        .isEqualTo(essence(made.getSpec()));
            }
        }

        assertThat(refused).hasSizeBetween(10, PODS.size() - 10);
    }

    /** Returns the pod as the API server stores it, or null if it is refused. */
    private static @Nullable Pod create(KubernetesClient client, Pod pod) {
        try {
            return client.resource(pod).dryRun().create();
        } catch (KubernetesClientException e) {
            assertThat(e.getCode()).as(e.getMessage()).isIn(403, 422);
            return null;
        }
    }

    /** The fields that admission changes and the planner reads. */
    private static Map<String, Object> essence(PodSpec spec) {
        Map<String, Object> essence = new HashMap<>();
        essence.put("resources", PodResources.of(spec, new QuantityAmounts()));
        essence.put("limits", PodResources.limits(spec, new QuantityAmounts()));
        essence.put("priority", spec.getPriority());
        essence.put("priorityClassName", spec.getPriorityClassName());
        essence.put("preemptionPolicy", spec.getPreemptionPolicy());
        essence.put("nodeSelector", spec.getNodeSelector() == null ? Map.of() : spec.getNodeSelector());
        essence.put(
                "tolerations",
                spec.getTolerations().stream()
                        .filter(toleration -> toleration.getTolerationSeconds() == null)
                        .map(Toleration::getKey)
                        .toList());
        return essence;
    }
}
