package io.slotwise.testing;

import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Objects that ask for as much work as a tenant can write into them, of random kinds and sizes: nested expressions,
 * regular expressions, repeating calendars, long lists, long texts and large counts.
 */
public final class CostlyObjects {
    private final Random random;

    public CostlyObjects(long seed) {
        this.random = new Random(seed);
    }

    public String next() {
        return switch (random.nextInt(12)) {
            case 0, 1 -> selected();
            case 2 -> calendar();
            case 3 -> pod("", ", \"affinity\": {%s}".formatted(affinity()));
            case 4 -> pods(", \"affinity\": {%s}".formatted(affinity()));
            case 5 -> pods(", \"topologySpreadConstraints\": [%s]".formatted(spreads()));
            case 6 -> claims();
            case 7 -> budgets();
            case 8 -> quota();
            case 9 ->
                pod(
                        ", \"slotwise.io/%s\": \"%s\""
                                .formatted(
                                        pick("after", "budget", "preferred-start", "deadline"),
                                        "g1,".repeat(size(20_000))),
                        "");
            case 10 -> random.nextBoolean() ? generations() : groups();
            default -> """
                {"apiVersion": "batch/v1", "kind": "Job", "metadata": {"name": "costly", "namespace": "costly"},
                 "spec": {"parallelism": %d, "completions": %d, "template": {"spec": {"schedulerName": "slotwise",
                  "restartPolicy": "Never", "containers": [{"name": "c", "image": "i"}]}}}}
                """.formatted(size(20_000), size(20_000));
        };
    }

    private String selected() {
        String devices = IntStream.range(0, size(128))
                .mapToObj(i -> "{\"name\": \"d%d\"}".formatted(i))
                .collect(Collectors.joining(", "));
        return """
            {"apiVersion": "resource.k8s.io/v1", "kind": "DeviceClass", "metadata": {"name": "gpu"}, "spec": {}}
            {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceSlice", "metadata": {"name": "s"}, "spec": {
              "driver": "gpu.example.com", "nodeName": "honest", "pool": {"name": "p", "generation": 1,
              "resourceSliceCount": 1}, "devices": [%s]}}
            {"apiVersion": "resource.k8s.io/v1", "kind": "ResourceClaimTemplate", "metadata": {"name": "t",
              "namespace": "costly"}, "spec": {"spec": {"devices": {"requests": [{"name": "r", "exactly":
              {"deviceClassName": "gpu", "selectors": [{"cel": {"expression": "%s"}}]}}]}}}}
            """.formatted(devices, expression(1 + random.nextInt(4)))
                + pod("", ", \"resourceClaims\": [{\"name\": \"c\", \"resourceClaimTemplateName\": \"t\"}]");
    }

    /** Returns an expression of some depth. The number is part of the names of its variables. */
    private String expression(int depth) {
        if (depth == 0) {
            return pick(
                    "device.driver.matches('(a|aa)+b$')",
                    "device.driver.matches('((x{%d}){%d})')".formatted(size(1000), size(1000)),
                    "'%s'.contains('%sb')".formatted("a".repeat(size(1000)), "a".repeat(size(500))),
                    "'aaaa'.replace('a', '%s').size() > 3".formatted("a".repeat(size(900))),
                    "lists.range(%d).size() > 1".formatted(size(100_000_000)),
                    "%s == %s".formatted(list(), list()),
                    "device.driver == 'gpu.example.com'");
        }
        String inner = expression(depth - 1);
        String name = "v" + depth;
        return switch (random.nextInt(5)) {
            case 0 -> "%s.all(%s, %s)".formatted(list(), name, inner);
            case 1 -> "%s.exists(%s, !(%s))".formatted(list(), name, inner);
            case 2 -> "%s.map(%s, %s).size() > 1".formatted(list(), name, inner);
            case 3 ->
                "cel.bind(%s, [%s], cel.bind(w%s, [%s], cel.bind(x%s, [%s], x%s == x%s) && %s))"
                        .formatted(
                                name,
                                list(),
                                name,
                                (name + ",").repeat(size(50)) + name,
                                name,
                                ("w" + name + ",").repeat(size(50)) + "w" + name,
                                name,
                                name,
                                inner);
            default -> "(%s) || true".formatted(inner);
        };
    }

    private String list() {
        return "[" + "0,".repeat(size(300)) + "0]";
    }

    private String calendar() {
        String items = IntStream.range(0, size(120))
                .mapToObj(_ -> "1@%s %s %s * %s/PT%dS"
                        .formatted(field(59), field(23), pick("*", "1", "*/2"), pick("*", "1-5"), size(90_000)))
                .collect(Collectors.joining(";"));
        return IntStream.range(0, 8).mapToObj(i -> """
                        {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n%d", "labels": {"slotwise.io/price":
                          "%d"}, "annotations": {"slotwise.io/price-calendar": "%s"}},
                          "status": {"allocatable": {"cpu": "4",
                          "pods": "110"}}}
                        """.formatted(i, i, items)).collect(Collectors.joining());
    }

    private String field(int most) {
        return pick("*", "*/2", "*/7", String.valueOf(random.nextInt(most)));
    }

    private String affinity() {
        String values = IntStream.range(0, size(5000))
                .mapToObj(i -> "\"v%d\"".formatted(i))
                .collect(Collectors.joining(", "));
        String terms = IntStream.range(0, size(1500))
                .mapToObj(i -> ("{\"topologyKey\": \"zone\", \"labelSelector\": {\"matchLabels\": {\"app\": "
                                + "\"a%d\"}}}")
                        .formatted(i))
                .collect(Collectors.joining(", "));
        return pick(
                ("\"nodeAffinity\": {\"requiredDuringSchedulingIgnoredDuringExecution\": {\"nodeSelectorTerms\": "
                                + "[{\"matchExpressions\": [{\"key\": \"zone\", \"operator\": \"In\", "
                                + "\"values\": [%s]}]}]}}")
                        .formatted(values),
                "\"podAntiAffinity\": {\"requiredDuringSchedulingIgnoredDuringExecution\": [%s]}".formatted(terms));
    }

    /** Many pods with the same request, each with a request for one more thing. */
    private String pods(String spec) {
        return IntStream.range(0, size(40))
                .mapToObj(i ->
                        pod("costly-" + i, "", spec.replace("\"a", "\"b" + i).replace("\"v", "\"w" + i)))
                .collect(Collectors.joining());
    }

    private String spreads() {
        return IntStream.range(0, size(900))
                .mapToObj(i -> ("{\"maxSkew\": 1, \"topologyKey\": \"zone\", \"whenUnsatisfiable\": \"DoNotSchedule\", "
                                + "\"labelSelector\": {\"matchExpressions\": [{\"key\": \"app\", "
                                + "\"operator\": \"NotIn\", \"values\": [\"v%d\"]}]}}")
                        .formatted(i))
                .collect(Collectors.joining(", "));
    }

    /** PersistentVolumeClaims of different sizes for free volumes. */
    private String claims() {
        int claims = size(300);
        String volumes =
                IntStream.range(0, size(300)).mapToObj(i -> """
                        {"apiVersion": "v1", "kind": "PersistentVolume", "metadata": {"name": "pv%d"}, "spec": {
                          "storageClassName": "local", "accessModes": ["ReadWriteOnce"], "capacity": {"storage": "10Gi"}},
                          "status": {"phase": "Available"}}
                        """.formatted(i)).collect(Collectors.joining());
        String asked = IntStream.range(0, claims)
                .mapToObj(i -> """
                        {"apiVersion": "v1", "kind": "PersistentVolumeClaim", "metadata": {"name": "c%d", "namespace":
                          "costly"}, "spec": {"storageClassName": "local", "accessModes": ["ReadWriteOnce"], "resources":
                          {"requests": {"storage": "%dMi"}}}}
                        """.formatted(i, 1 + i))
                .collect(Collectors.joining());
        String used = IntStream.range(0, claims)
                .mapToObj(
                        i -> "{\"name\": \"c%d\", \"persistentVolumeClaim\": {\"claimName\": \"c%d\"}}".formatted(i, i))
                .collect(Collectors.joining(", "));
        return """
            {"apiVersion": "storage.k8s.io/v1", "kind": "StorageClass", "metadata": {"name": "local"},
              "provisioner": "kubernetes.io/no-provisioner", "volumeBindingMode": "WaitForFirstConsumer"}
            """ + volumes + asked + pod("", ", \"volumes\": [%s]".formatted(used));
    }

    private String budgets() {
        String budgets =
                IntStream.range(0, size(500)).mapToObj(i -> """
                        {"apiVersion": "policy/v1", "kind": "PodDisruptionBudget", "metadata": {"name": "b%d", "namespace":
                          "costly"}, "spec": {"minAvailable": 1, "selector": {"matchExpressions": [{"key": "app",
                          "operator": "NotIn", "values": ["v%d"]}]}}, "status": {"disruptionsAllowed": 1}}
                        """.formatted(i, i)).collect(Collectors.joining());
        return budgets + pod("", ", \"nodeName\": \"honest\"").replace("slotwise-extender", "slotwise");
    }

    /** Pods of one gang, each of a later generation than the one before. */
    private String generations() {
        boolean attempts = random.nextBoolean();
        return IntStream.range(0, size(2000))
                .mapToObj(i -> pod("costly-%05d".formatted(i), "", "")
                        .replace(
                                "\"labels\": {",
                                ("\"creationTimestamp\": \"2020-01-01T%02d:%02d:%02dZ\", \"labels\": {"
                                                + "\"slotwise.io/gang\": \"g\", "
                                                + "\"jobset.sigs.k8s.io/jobset-name\": \"x\", "
                                                + "\"jobset.sigs.k8s.io/jobset-uid\": \"u%d\", "
                                                + "\"jobset.sigs.k8s.io/restart-attempt\": \"%d\", ")
                                        .formatted(i / 3600, i / 60 % 60, i % 60, attempts ? 0 : i, attempts ? i : 0)))
                .collect(Collectors.joining());
    }

    /** Leaders of one group that wait, and workers of many StatefulSets that run. */
    private String groups() {
        String group = "leaderworkerset.sigs.k8s.io/";
        return IntStream.range(0, size(2000))
                .mapToObj(i -> pod("costly-%05d".formatted(i), "", i % 2 == 0 ? ", \"nodeName\": \"honest\"" : "")
                        .replace(
                                "\"labels\": {",
                                ("\"ownerReferences\": [{\"apiVersion\": \"apps/v1\", \"kind\": \"StatefulSet\", "
                                                + "\"name\": \"s\", \"uid\": \"u%d\", \"controller\": true}], "
                                                + "\"labels\": {\"%sname\": \"s\", \"%sgroup-index\": \"0\", "
                                                + "\"%sworker-index\": \"%d\", ")
                                        .formatted(i, group, group, group, (i + 1) % 2)))
                .collect(Collectors.joining());
    }

    private String quota() {
        String hard = IntStream.range(0, size(2000))
                .mapToObj(i -> "\"requests.example.com/r%d\": \"1\"".formatted(i))
                .collect(Collectors.joining(", "));
        return """
            {"apiVersion": "v1", "kind": "ResourceQuota", "metadata": {"name": "q", "namespace": "costly"},
              "spec": {"hard": {%s}}, "status": {"hard": {%s}, "used": {}}}
            """.formatted(hard, hard) + pod("", "");
    }

    private static String pod(String annotations, String spec) {
        return pod("costly", annotations, spec);
    }

    private static String pod(String name, String annotations, String spec) {
        return """
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "namespace": "costly",
              "labels": {"app": "x"}, "annotations": {"slotwise.io/runtime": "1h"%s}},
             "spec": {"schedulerName": "slotwise-extender"%s, "containers": [{"name": "c", "image": "i",
              "resources": {"requests": {"cpu": "1"}}}]}}
            """.formatted(name, annotations, spec);
    }

    /** Mostly small, and the maximum one time in ten. */
    private int size(int most) {
        return random.nextInt(10) == 0 ? most : 1 + (int) (most * Math.pow(random.nextDouble(), 4));
    }

    private String pick(String... texts) {
        return List.of(texts).get(random.nextInt(texts.length));
    }
}
