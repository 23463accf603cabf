package io.slotwise.testing;

import java.time.Instant;

/** Builds manifests of Kueue's objects and of gangs on one large node, for tests. */
public final class KueueManifest {
    public static final Instant NOW = Instant.parse("2030-01-01T00:00:00Z");

    private final StringBuilder text = new StringBuilder("""
            apiVersion: v1
            kind: Node
            metadata: {name: n1, labels: {slotwise.io/price: "1"}}
            status: {allocatable: {cpu: "1000", memory: 4Ti, pods: "500"}}
            ---
            {apiVersion: kueue.x-k8s.io/v1beta2, kind: ResourceFlavor, metadata: {name: any}}
            """);
    private int gangs;

    /**
     * Adds a ClusterQueue with the LocalQueue {@code lq} in a namespace of the same name.
     *
     * @param more further fields of the spec, each with a comma at its end
     * @param quotas such as {@code {name: cpu, nominalQuota: 9}}, for each resource of the flavor
     */
    public KueueManifest queue(String name, String more, String... quotas) {
        add("ClusterQueue", name, "namespaceSelector: {}, " + more + groups(quotas));
        text.append("""
                ---
                {apiVersion: kueue.x-k8s.io/v1beta2, kind: LocalQueue, metadata: {name: lq, namespace: %s},
                 spec: {clusterQueue: %s}}
                """.formatted(name, name));
        return this;
    }

    public KueueManifest cohort(String name, String more, String... quotas) {
        add("Cohort", name, more + groups(quotas));
        return this;
    }

    private static String groups(String... quotas) {
        return quotas.length == 0
                ? ""
                : "resourceGroups: [{flavors: [{name: any, resources: [%s]}]}]".formatted(String.join(", ", quotas));
    }

    private void add(String kind, String name, String spec) {
        text.append("""
                ---
                {apiVersion: kueue.x-k8s.io/v1beta2, kind: %s, metadata: {name: %s}, spec: {%s}}
                """.formatted(kind, name, spec));
    }

    /** Adds a document. */
    public KueueManifest document(String document) {
        text.append("---\n").append(document).append('\n');
        return this;
    }

    /** Adds a pod that waits for an hour on as many CPUs, created after all pods before it. */
    public KueueManifest waiting(String namespace, String name, int cpus) {
        return waiting(namespace, name, cpus, 0);
    }

    public KueueManifest waiting(String namespace, String name, int cpus, int priority) {
        return pod(namespace, name, cpus, "", "priority: " + priority + ", ");
    }

    /** Adds a pod that has run for ten minutes of ten hours. */
    public KueueManifest running(String namespace, String name, int cpus, boolean preemptible) {
        return pod(
                namespace,
                name,
                cpus,
                "slotwise.io/runtime: 10h" + (preemptible ? ", slotwise.io/preemptible: \"true\"" : ""),
                "nodeName: n1, ");
    }

    private KueueManifest pod(String namespace, String name, int cpus, String annotations, String spec) {
        boolean runs = spec.startsWith("nodeName");
        text.append("""
                ---
                apiVersion: v1
                kind: Pod
                metadata:
                  namespace: %s
                  name: %s
                  uid: %s
                  creationTimestamp: "%s"
                  labels: {slotwise.io/gang: %s, kueue.x-k8s.io/queue-name: lq}
                  annotations: {slotwise.io/gang-size: "1", slotwise.io/criterion: start, %s}
                  ownerReferences: [{apiVersion: batch/v1, kind: Job, name: %s, uid: job-%s, controller: true}]
                spec:
                  schedulerName: slotwise
                  %scontainers: [{name: main, image: registry.example/main, resources: {requests: {cpu: "%d"}}}]
                %s
                """.formatted(
                        namespace,
                        name,
                        name,
                        NOW.minusSeconds(runs ? 700 : 600 - ++gangs),
                        name,
                        annotations.isEmpty() ? "slotwise.io/runtime: 1h" : annotations,
                        name,
                        name,
                        spec.replace(", ", "\n  "),
                        cpus,
                        runs ? "status: {phase: Running, startTime: \"%s\"}".formatted(NOW.minusSeconds(600)) : ""));
        return this;
    }

    @Override
    public String toString() {
        return text.toString();
    }
}
