package io.slotwise.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.IntNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.util.List;

/**
 * Random objects with fields that an API server would store and no user would write. Kinds: pods, nodes, reservations,
 * records of gangs, ledgers, past runs, PersistentVolumeClaims, volumes, devices, namespaces, groups and owners of
 * other projects, jobs, disruption budgets. They select nodes of the pool {@link #POOL}, live in namespaces of their
 * own and are bound only to their own nodes, so that they do not concern other gangs.
 */
public final class PoisonedObjects {
    /** The value of the label {@code pool} of every node made here, and of every node selector. */
    public static final String POOL = "poisoned";

    /** A price catalogue that lists some of the nodes made here, with the largest and smallest possible values. */
    public static final String CATALOGUE = """
            instance_type,region,capacity_type,price,performance,watts
            most,,,1000000,1000000,1000000
            least,,,0.000001,0.000001,1
            slow,,,1000000,0.000001,1000000
            free,,,0,,
            """;

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final List<String> QUANTITIES = List.of(
            "0",
            "1",
            "2",
            "100m",
            "1n",
            "0.5",
            "4Gi",
            "25Ti",
            "8Ei",
            "9E",
            "1e18",
            "9000000000000",
            "9200000000000",
            "4611686018427387904",
            "9223372036854775806",
            "9223372036854775807");
    private static final List<String> RESOURCES = List.of(
            "cpu",
            "memory",
            "pods",
            "ephemeral-storage",
            "hugepages-1Gi",
            "nvidia.com/gpu",
            "rdma/hca",
            "example.com/a-resource-that-nobody-has");
    private static final List<String> INSTANTS = List.of(
            "0001-01-01T00:00:00Z",
            "1970-01-01T00:00:00Z",
            "2030-01-01T00:00:00.123456Z",
            "2030-01-01T00:00:00+14:00",
            "2029-12-31T23:59:59Z",
            "2030-01-01T00:00:00Z",
            "2030-01-01T08:00:00Z",
            "2030-01-08T00:00:00Z",
            "9999-12-31T23:59:59Z");
    private static final List<Long> LONGS =
            List.of(0L, 1L, 2L, 60L, 3600L, -1L, 1L << 31, 1L << 62, Long.MAX_VALUE, Long.MIN_VALUE);
    private static final List<Integer> INTS = List.of(0, 1, 2, 3, 1000, -1, Integer.MAX_VALUE, Integer.MIN_VALUE);
    private static final List<Integer> SIZES =
            List.of(0, 1, 2, 3, -1, 6000, 10_000, 100_000, 100_001, Integer.MAX_VALUE, Integer.MIN_VALUE);
    private static final List<String> FIGURES = List.of(
            "0",
            "1",
            "1.5",
            "98",
            "0.000001",
            "1000000",
            "100000",
            "999999.999999",
            "1000000000",
            "2147483647",
            "9223372036854775807",
            "87600h",
            "1s",
            "1Ei",
            "1E",
            "true",
            "false",
            "slot",
            "total",
            "start",
            "finish",
            "runtime",
            "cost",
            "processor-time",
            "energy",
            "value",
            "emct",
            "emet",
            "pool",
            "2030-01-01T00:00:01Z",
            "9999-12-31T23:59:59Z",
            "1000000@0 22 * * */PT8H",
            "0.000001@2030-01-01T00:00:00Z/PT1S;1000000@* * * * */PT30S",
            "2030-01-01T00:00:00Z/PT87600H",
            "1000000000/day",
            "0/month",
            "0.000001/week");
    private static final List<String> POD_KEYS = List.of(
            "gang-size",
            "runtime",
            "budget",
            "max-price",
            "price-limit",
            "criterion",
            "earliest-start",
            "deadline",
            "data-size",
            "topology",
            "topology-preferred",
            "topology-patience",
            "distance-cost",
            "topology-slice",
            "max-per-node",
            "lockstep",
            "mode",
            "time-weight",
            "cost-weight",
            "migratable",
            "value-of-time",
            "preferred-start",
            "preferred-finish",
            "preferred-cost",
            "reservation");
    private static final List<String> NODE_LABELS = List.of("price", "performance", "owner", "watts");
    private static final List<String> NODE_ANNOTATIONS = List.of("domain-bandwidth", "price-calendar", "unavailable");
    /** The annotations of an offer except the number of nodes. */
    private static final List<String> OFFER_ANNOTATIONS = List.of(
            "offer",
            "offer-delay",
            "offer-least-billed",
            "offer-billed-step",
            "offer-shutdown",
            "offer-spend",
            "offer-hazard");

    private static final List<String> OFFERED = List.of(
            "0", "1", "5", "10000", "10001", "0s", "1s", "8784h", "8785h", "0.05", "1e-2147483647", "0e2147483647");
    /** Values of time in records that the schema accepts. */
    private static final List<String> WORTHS = List.of("0.000000", "0.000001", "100000.000000", "999999.999999");

    private static final List<String> OPERATORS = List.of("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt");
    private static final List<String> MODES =
            List.of("ReadWriteOnce", "ReadWriteOncePod", "ReadWriteMany", "ReadOnlyMany", "Never");
    private static final List<String> EFFECTS = List.of("NoSchedule", "NoExecute", "PreferNoSchedule");
    private static final List<String> GROUP_LABELS = List.of(
            "scheduling.x-k8s.io/pod-group",
            "pod-group.scheduling.sigs.k8s.io",
            "kueue.x-k8s.io/pod-group-name",
            "kueue.x-k8s.io/max-exec-time-seconds",
            "applicationId",
            "jobset.sigs.k8s.io/jobset-name",
            "leaderworkerset.sigs.k8s.io/name",
            "training.kubeflow.org/job-name",
            "ray.io/cluster");

    private static final List<String> GROUP_ANNOTATIONS = List.of(
            "gang.scheduling.koordinator.sh/name",
            "gang.scheduling.koordinator.sh/min-available",
            "scheduling.k8s.io/group-name",
            "scheduling.volcano.sh/group-min-member",
            "yunikorn.apache.org/task-groups",
            "slurmjob.slinky.slurm.net/timelimit",
            "kueue.x-k8s.io/pod-group-total-count",
            "batch.kubernetes.io/job-completion-index");
    private static final List<String> OPERATORS_OF_JOBS =
            List.of("pytorchjob-controller", "mpijob-controller", "tfjob-controller", "jaxjob-controller");
    private static final List<String> PHASES =
            List.of("Pending", "Promised", "Starting", "Running", "Completed", "Broken");
    /** Amounts in records that the schema accepts. */
    private static final List<Long> AMOUNTS =
            List.of(0L, 0L, 1L, 3600L, 3_600_000_000L, 1L << 60, Long.MAX_VALUE - 1, Long.MAX_VALUE);
    /** Runtimes in records, seconds. */
    private static final List<Long> SECONDS = List.of(1L, 60L, 3600L, (long) Integer.MAX_VALUE);

    private static final List<String> SECONDS_OF_WINDOWS = List.of(
            "0001-01-01T00:00:00Z",
            "2029-12-31T23:50:00Z",
            "2030-01-01T00:00:00Z",
            "2030-01-01T00:30:00Z",
            "2030-01-02T00:00:00Z",
            "9999-12-31T23:59:59Z");

    private static final List<String> EXPRESSIONS = List.of(
            "true",
            "true",
            "false",
            "",
            "1 +",
            "device.driver",
            "device.driver == 'driver'",
            "device.attributes['driver'].a == 'x'",
            "device.attributes['driver'].a.isGreaterThan(semver('1.0.0'))",
            "device.capacity['driver'].c.compareTo(quantity('1e99999999')) > 0",
            "device.capacity['driver'].c.asInteger() / 0 > 1",
            "quantity('x').add(9223372036854775807).asInteger() > 0",
            "[1, 2, 3].all(x, [1, 2, 3].all(y, [1, 2, 3].all(z, x + y + z > 0)))",
            "nothing.of(this)",
            "'a'.matches('(')");

    private static final int KINDS = 25;

    private final Nonsense nonsense;
    private final String id;
    private int number;
    private int spaces;
    private int remembered;

    /**
     * Creates objects that depend on the seed alone.
     *
     * @param id the suffix of all names
     */
    public PoisonedObjects(long seed, String id) {
        this.nonsense = new Nonsense(seed);
        this.id = id;
    }

    public ObjectNode next() {
        number++;
        return switch (nonsense.number(KINDS)) {
            case 0, 1, 2 -> node();
            case 3, 4 -> reservation();
            case 5 -> ledger();
            case 6 -> namespace();
            case 7 -> group();
            case 8 -> budget();
            case 9 -> job();
            case 10, 11 -> record();
            case 12 -> owner();
            case 13, 14 -> volume();
            case 15, 16 -> devices();
            case 17 -> history();
            default -> pod();
        };
    }

    private ObjectNode object(String apiVersion, String kind, String name) {
        ObjectNode object = MAPPER.createObjectNode();
        object.put("apiVersion", apiVersion);
        object.put("kind", kind);
        object.putObject("metadata").put("name", name);
        return object;
    }

    private ObjectNode namespaced(String apiVersion, String kind, String name) {
        ObjectNode object = object(apiVersion, kind, name);
        meta(object).put("namespace", space());
        if (maybe(2)) {
            meta(object).put("creationTimestamp", nonsense.pick(INSTANTS));
        }
        return object;
    }

    /** Returns one of few namespaces, so that objects interact. */
    private String space() {
        return "p" + nonsense.number(3) + "-" + id;
    }

    private String name(String of) {
        return of + number + "-" + id;
    }

    private static ObjectNode meta(ObjectNode object) {
        return (ObjectNode) object.get("metadata");
    }

    private boolean maybe(int oneOf) {
        return nonsense.number(oneOf) == 0;
    }

    private String figure() {
        return maybe(4) ? nonsense.text() : nonsense.pick(FIGURES);
    }

    private void quantities(ObjectNode into) {
        for (int i = 0; i < 1 + nonsense.number(3); i++) {
            into.put(nonsense.pick(RESOURCES), nonsense.pick(QUANTITIES));
        }
    }

    private ObjectNode node() {
        ObjectNode node = object("v1", "Node", name("n"));
        ObjectNode labels = meta(node).putObject("labels").put("pool", POOL);
        if (maybe(2)) {
            labels.put("slotwise.io/price", nonsense.pick(List.of("1", "98", "1.1", "1000000", "0.000001")));
        }
        if (maybe(3)) {
            labels.put("slotwise.io/" + nonsense.pick(NODE_LABELS), figure());
        }
        if (maybe(2)) {
            labels.put(
                    "node.kubernetes.io/instance-type", nonsense.pick(List.of("most", "least", "slow", "free", "?")));
        }
        ObjectNode annotations = meta(node).putObject("annotations");
        if (maybe(3)) {
            annotations.put("slotwise.io/" + nonsense.pick(NODE_ANNOTATIONS), figure());
        }
        if (maybe(4)) {
            offer(annotations);
        }
        if (maybe(4)) {
            ObjectNode taint = node.putObject("spec").putArray("taints").addObject();
            taint.put("key", nonsense.pick(List.of("a", "b/c"))).put("effect", nonsense.pick(EFFECTS));
        }
        ObjectNode allocatable = node.putObject("status").putObject("allocatable");
        if (!maybe(6)) {
            allocatable.put("cpu", "64").put("memory", "256Gi").put("pods", "110");
        }
        quantities(allocatable);
        return node;
    }

    private void offer(ObjectNode annotations) {
        annotations.put("slotwise.io/offer", nonsense.pick(List.of("1", "2", "10000")));
        for (int i = 0; i < nonsense.number(3); i++) {
            String value = maybe(3) ? figure() : nonsense.pick(OFFERED);
            annotations.put("slotwise.io/" + nonsense.pick(OFFER_ANNOTATIONS), value);
        }
    }

    private ObjectNode pod() {
        boolean bound = maybe(4);
        ObjectNode pod = namespaced("v1", "Pod", name("p"));
        if (maybe(2)) {
            meta(pod).putObject("labels").put("slotwise.io/gang", "g" + nonsense.number(3));
        }
        ObjectNode annotations = meta(pod).putObject("annotations");
        for (int i = 0; i < nonsense.number(4); i++) {
            annotations.put("slotwise.io/" + nonsense.pick(POD_KEYS), figure());
        }
        if (maybe(3)) {
            annotations.put("slotwise.io/gang-size", "1");
        }
        if (maybe(20)) {
            meta(pod).put("deletionTimestamp", nonsense.pick(INSTANTS));
        }
        meta(pod).put("uid", "uid-" + number);
        groups(pod, annotations);
        ObjectNode spec = pod.putObject("spec");
        podSpec(spec);
        if (maybe(4)) {
            volumes(spec);
        }
        if (maybe(4)) {
            deviceClaims(spec);
        }
        if (bound) {
            spec.put("nodeName", "n" + nonsense.number(12) + "-" + id);
            ObjectNode status = pod.putObject("status");
            status.put("phase", nonsense.pick(List.of("Pending", "Running", "Running", "Succeeded", "Failed")));
            if (maybe(2)) {
                status.put("startTime", nonsense.pick(INSTANTS));
            }
            statuses(status);
        }
        return pod;
    }

    private void groups(ObjectNode pod, ObjectNode annotations) {
        if (maybe(4)) {
            ObjectNode labels = meta(pod).withObject("/labels");
            labels.put(nonsense.pick(GROUP_LABELS), maybe(3) ? figure() : "g" + nonsense.number(30));
            labels.put("training.kubeflow.org/operator-name", nonsense.pick(OPERATORS_OF_JOBS));
            labels.put("ray.io/node-type", "worker");
        }
        if (maybe(6)) {
            annotations.put(nonsense.pick(GROUP_ANNOTATIONS), maybe(2) ? figure() : "1");
        }
        if (maybe(3)) {
            ObjectNode owner = meta(pod).putArray("ownerReferences").addObject();
            owner.put("apiVersion", nonsense.pick(List.of("batch/v1", "apps/v1", "jobset.x-k8s.io/v1alpha2")));
            owner.put("kind", nonsense.pick(List.of("Job", "ReplicaSet", "JobSet")));
            owner.put("name", "g" + nonsense.number(30))
                    .put("uid", "u" + number)
                    .put("controller", true);
        }
    }

    /** Adds what a kubelet and kube-scheduler write. A missing field is what the API server makes of a null. */
    private void statuses(ObjectNode status) {
        ArrayNode conditions = status.putArray("conditions");
        for (int i = 0; i < nonsense.number(3); i++) {
            ObjectNode condition = conditions.addObject();
            if (maybe(2)) {
                condition.put("type", nonsense.pick(List.of("PodScheduled", "Ready", "")));
                condition.put("status", nonsense.pick(List.of("True", "False", "Unknown")));
                condition.put("lastTransitionTime", nonsense.pick(INSTANTS)).put("message", nonsense.text());
            }
        }
        ArrayNode containers = status.putArray("containerStatuses");
        for (int i = 0; i < nonsense.number(3); i++) {
            ObjectNode state = containers.addObject().putObject("state");
            if (maybe(2)) {
                state.putObject("terminated").put("finishedAt", nonsense.pick(INSTANTS));
            }
        }
        if (maybe(3)) {
            status.put("reason", nonsense.text()).put("message", nonsense.text());
        }
    }

    private void podSpec(ObjectNode spec) {
        spec.put("schedulerName", maybe(5) ? "default-scheduler" : "slotwise");
        spec.putObject("nodeSelector").put("pool", POOL);
        ArrayNode containers = spec.putArray("containers");
        for (int i = 0; i < 1 + nonsense.number(2); i++) {
            container(containers, "c" + i);
        }
        if (maybe(4)) {
            ObjectNode init = container(spec.putArray("initContainers"), "i");
            if (maybe(2)) {
                init.put("restartPolicy", "Always");
            }
        }
        if (maybe(6)) {
            quantities(spec.putObject("overhead"));
        }
        if (maybe(6)) {
            quantities(spec.putObject("resources").putObject("requests"));
        }
        if (maybe(4)) {
            spec.put("activeDeadlineSeconds", nonsense.pick(LONGS));
        }
        if (maybe(4)) {
            spec.put("terminationGracePeriodSeconds", nonsense.pick(LONGS));
        }
        if (maybe(4)) {
            spec.put("priority", nonsense.pick(INTS));
        }
        if (maybe(6)) {
            spec.put("preemptionPolicy", nonsense.pick(List.of("Never", "PreemptLowerPriority")));
        }
        if (maybe(8)) {
            spec.putArray("schedulingGates")
                    .addObject()
                    .put("name", nonsense.pick(List.of("a/b", "slotwise.io/window")));
        }
        if (maybe(4)) {
            toleration(spec.putArray("tolerations"));
        }
        if (maybe(4)) {
            affinity(spec.putObject("affinity"));
        }
    }

    private ObjectNode container(ArrayNode containers, String name) {
        ObjectNode container = containers.addObject().put("name", name);
        ObjectNode resources = container.putObject("resources");
        quantities(resources.putObject("requests"));
        if (maybe(3)) {
            quantities(resources.putObject("limits"));
        }
        if (maybe(6)) {
            container.putArray("ports").addObject().put("containerPort", 80).put("hostPort", nonsense.pick(INTS));
        }
        return container;
    }

    private void toleration(ArrayNode tolerations) {
        ObjectNode toleration = tolerations.addObject();
        toleration.put("operator", nonsense.pick(List.of("Exists", "Equal", "Gt", "Lt")));
        if (maybe(2)) {
            toleration.put("key", nonsense.pick(List.of("a", "b/c")));
        }
        if (maybe(2)) {
            toleration.put("value", nonsense.text());
        }
        if (maybe(2)) {
            toleration.put("effect", nonsense.pick(EFFECTS));
        }
        if (maybe(2)) {
            toleration.put("tolerationSeconds", nonsense.pick(LONGS));
        }
    }

    private void affinity(ObjectNode affinity) {
        ObjectNode term = affinity.putObject("nodeAffinity")
                .putObject("requiredDuringSchedulingIgnoredDuringExecution")
                .putArray("nodeSelectorTerms")
                .addObject();
        ObjectNode expression = term.putArray("matchExpressions").addObject();
        expression.put("key", nonsense.pick(List.of("pool", "slotwise.io/price", "x")));
        expression.put("operator", nonsense.pick(OPERATORS));
        ArrayNode values = expression.putArray("values");
        for (int i = 0; i < nonsense.number(3); i++) {
            values.add(maybe(2) ? POOL : figure());
        }
        if (maybe(3)) {
            ObjectNode apart = affinity.putObject("podAntiAffinity")
                    .putArray("requiredDuringSchedulingIgnoredDuringExecution")
                    .addObject();
            apart.put("topologyKey", nonsense.pick(List.of("kubernetes.io/hostname", "pool", "x")));
            apart.putObject("labelSelector").putObject("matchLabels").put("slotwise.io/gang", "g0");
        }
    }

    private ObjectNode reservation() {
        ObjectNode reservation = namespaced("slotwise.io/v1alpha1", "Reservation", maybe(4) ? "g" + number : name("r"));
        hold(reservation.putObject("spec").putObject("hold"));
        return reservation;
    }

    private void hold(ObjectNode hold) {
        hold.put("size", nonsense.pick(SIZES));
        quantities(hold.putObject("resources"));
        hold.putObject("nodeSelector").put("pool", POOL);
        if (maybe(3)) {
            ObjectNode window = hold.putObject("window");
            window.put("start", nonsense.pick(INSTANTS)).put("end", nonsense.pick(INSTANTS));
        } else {
            hold.put("runtime", maybe(2) ? "1h" : figure());
        }
        for (String field : List.of("budget", "criterion", "topology")) {
            if (maybe(4)) {
                hold.put(field, figure());
            }
        }
        if (maybe(4)) {
            hold.put("maxPerNode", nonsense.pick(INTS));
        }
        if (maybe(4)) {
            hold.put("lockstep", maybe(2));
        }
        if (maybe(4)) {
            toleration(hold.putArray("tolerations"));
        }
    }

    /** A record as Slotwise would write it with figures that it would not. Its window is on nodes made here. */
    private ObjectNode record() {
        boolean held = maybe(6);
        String name = !held && maybe(2) ? "g" + nonsense.number(3) : name("r");
        ObjectNode record = namespaced("slotwise.io/v1alpha1", "Reservation", name);
        meta(record).put("uid", "record-" + number);
        ObjectNode spec = record.putObject("spec").put("gang", name);
        if (maybe(2)) {
            spec.put("runtimeSeconds", maybe(4) ? nonsense.pick(LONGS) : nonsense.pick(SECONDS));
            spec.put("criterion", nonsense.pick(List.of("start", "cost", "energy", "processor-time")));
        }
        if (maybe(4)) {
            spec.put("priority", nonsense.pick(INTS)).put("lockstep", maybe(2));
        }
        if (maybe(4)) {
            spec.put("budget", nonsense.pick(List.of("0.000000", "1000000000.000000", "9999999999.999999")));
        }
        if (maybe(6)) {
            spec.put("reservation", nonsense.pick(List.of("g1", "nobody")));
        }
        if (!maybe(4)) {
            window(spec.putObject("window"));
        }
        if (held) {
            hold(spec.putObject("hold"));
        }
        if (maybe(3)) {
            spec.put("valueOfTime", nonsense.pick(WORTHS)).put("submitted", nonsense.pick(INSTANTS));
            if (maybe(2)) {
                spec.put("valueUntil", nonsense.pick(INSTANTS));
            }
        }
        if (maybe(3)) {
            ObjectNode preferred = spec.putObject("preferred");
            preferred.putObject("start").put("value", nonsense.pick(INSTANTS)).put("weight", 1_000_000);
            preferred.putObject("finish").put("value", nonsense.pick(INSTANTS));
            preferred.putObject("cost").put("value", nonsense.pick(WORTHS)).put("weight", 1);
        }
        if (maybe(3)) {
            spec.put("promisedBy", nonsense.pick(INSTANTS)).put("promisedEnd", nonsense.pick(INSTANTS));
            spec.put("exactPromisedCost", amount());
        }
        if (maybe(4)) {
            runtimeSource(spec.putObject("runtimeSource"));
        }
        ObjectNode status = record.putObject("status").put("phase", nonsense.pick(PHASES));
        for (String field : List.of("promisedStart", "startedAt", "endedAt", "releasedAt")) {
            if (maybe(2)) {
                status.put(field, nonsense.pick(INSTANTS));
            }
        }
        status.put("attempts", nonsense.pick(INTS)).put("passed", nonsense.pick(INTS));
        if (maybe(2)) {
            ObjectNode condition = status.putArray("conditions").addObject();
            condition
                    .put("type", nonsense.pick(List.of("Planned", "Started")))
                    .put("status", maybe(2) ? "True" : "False");
            condition.put("reason", nonsense.pick(List.of("", "Promised", "GangStarted", "Unschedulable")));
            condition.put("message", nonsense.text()).put("lastTransitionTime", nonsense.pick(INSTANTS));
        }
        if (maybe(4)) {
            past(status.putObject("past"));
        }
        if (maybe(4)) {
            status.putArray("ends").addObject().put("pod", "p0").put("end", nonsense.pick(INSTANTS));
            status.putArray("avoided").addObject().put("node", "n0-" + id).put("until", nonsense.pick(INSTANTS));
            status.putArray("members").add("uid-0").add("");
            status.putArray("undone").addObject().put("uid", "uid-1").put("node", "n1-" + id);
        }
        if (maybe(4)) {
            ObjectNode refusal = status.putObject("lastRefusal");
            refusal.put("by", nonsense.pick(List.of("kube-scheduler", "kubelet", "nobody")));
            refusal.put("refused", nonsense.pick(INTS)).put("message", nonsense.text());
            if (maybe(2)) {
                refusal.putArray("pods").add("p0").add(nonsense.text());
            }
        }
        return record;
    }

    private void runtimeSource(ObjectNode source) {
        source.put("key", "1-1").put("name", nonsense.text()).put("stated", maybe(2));
        if (!maybe(3)) {
            ObjectNode prediction = source.putObject("prediction").put("runs", nonsense.pick(INTS));
            prediction.put("typicalSeconds", nonsense.pick(maybe(2) ? LONGS : SECONDS));
            prediction.put("quantileMillionths", maybe(2) ? Integer.valueOf(900_000) : nonsense.pick(INTS));
            prediction.put("withinSeconds", nonsense.pick(maybe(2) ? LONGS : SECONDS));
            prediction.put("basis", nonsense.pick(List.of("workload", "namespace", "nothing")));
        }
    }

    private long amount() {
        return maybe(12) ? nonsense.pick(LONGS) : nonsense.pick(AMOUNTS);
    }

    /** Adds an interval, which seldom ends before it starts. */
    private void span(ObjectNode object) {
        int first = nonsense.number(SECONDS_OF_WINDOWS.size() - 1);
        int second = first + 1 + nonsense.number(SECONDS_OF_WINDOWS.size() - 1 - first);
        boolean turned = maybe(20);
        object.put("start", SECONDS_OF_WINDOWS.get(turned ? second : first));
        object.put("end", SECONDS_OF_WINDOWS.get(turned ? first : second));
    }

    private void window(ObjectNode window) {
        span(window);
        window.put("cost", "1.000000").put("exactCost", amount());
        ArrayNode placement = window.putArray("placement");
        for (int i = 0; i < 1 + nonsense.number(3); i++) {
            ObjectNode place = placement.addObject().put("pod", "p" + nonsense.number(30) + "-" + id);
            place.put("node", "n" + nonsense.number(12) + "-" + id).put("cost", "1.000000");
            if (maybe(3)) {
                span(place);
            } else {
                place.set("start", window.get("start"));
                place.set("end", window.get("end"));
            }
            place.put("exactCost", amount());
        }
        ArrayNode rates = window.putArray("rates");
        for (int i = 0; i < nonsense.number(3); i++) {
            ObjectNode rate = rates.addObject().put("node", "n0-" + id).put("exactCost", amount());
            rate.put("from", nonsense.pick(SECONDS_OF_WINDOWS)).put("rate", amount());
        }
    }

    private void past(ObjectNode past) {
        ObjectNode run = past.putArray("runs").addObject();
        run.put("start", nonsense.pick(INSTANTS)).put("end", nonsense.pick(INSTANTS));
        run.put("endedAt", nonsense.pick(INSTANTS)).put("exactPromised", amount());
        run.put("exactCharged", amount()).put("exactOverrun", amount());
        if (maybe(2)) {
            run.put("wholeOverrun", "9".repeat(40));
        }
        past.put("workSeconds", nonsense.pick(SECONDS)).put("overheadSeconds", maybe(4) ? amount() : 60);
        past.put("exactSpent", amount()).put("moves", nonsense.pick(INTS));
        past.put("exactPerSecond", amount());
        if (maybe(2)) {
            past.put("wholeSpent", "9".repeat(40)).put("wholePerSecond", "9".repeat(40));
        }
        past.putArray("request")
                .addObject()
                .put("name", nonsense.pick(RESOURCES))
                .put("amount", amount());
        past.putArray("leaving").add("uid-2");
        if (maybe(2)) {
            past.put("podsBackAt", nonsense.pick(INSTANTS));
        }
    }

    private ObjectNode ledger() {
        ObjectNode ledger = object("slotwise.io/v1alpha1", "Ledger", "slotwise");
        meta(ledger).put("namespace", "ledger" + number + "-" + id);
        ObjectNode spec = ledger.putObject("spec");
        spec.putArray("periods");
        ArrayNode days = spec.putArray("days");
        for (int i = 0; i < nonsense.number(30); i++) {
            ObjectNode day = days.addObject().put("date", "2030-01-%02d".formatted(1 + i));
            day.put("exactSpent", nonsense.pick(LONGS)).put("exactOverrun", maybe(2) ? 0 : nonsense.pick(LONGS));
            if (maybe(3)) {
                day.put("wholeSpent", "9".repeat(19 + nonsense.number(21)));
            }
        }
        ArrayNode entries = spec.putArray("entries");
        for (int i = 0; i < nonsense.number(8); i++) {
            ObjectNode entry = entries.addObject().put("uid", "u" + i).put("gang", nonsense.text());
            entry.put("start", nonsense.pick(INSTANTS)).put("end", nonsense.pick(INSTANTS));
            entry.put("exactPromised", nonsense.pick(LONGS));
            if (maybe(2)) {
                entry.put("endedAt", nonsense.pick(INSTANTS)).put("exactCharged", nonsense.pick(LONGS));
            }
        }
        return ledger;
    }

    /** Returns a run history, mostly in a namespace of its own because a namespace has only one. */
    private ObjectNode history() {
        ObjectNode history = object("slotwise.io/v1alpha1", "RunHistory", "slotwise");
        meta(history).put("namespace", remembered < 3 ? "p" + remembered++ + "-" + id : "history" + number + "-" + id);
        ArrayNode workloads = history.putObject("spec").putArray("workloads");
        for (int i = 0; i < nonsense.number(4); i++) {
            ObjectNode workload = workloads
                    .addObject()
                    .put("key", maybe(3) ? nonsense.text() : "1-" + i)
                    .put("name", nonsense.text());
            ArrayNode runs = workload.putArray("runs");
            for (int run = 0; run < nonsense.number(60); run++) {
                runs.addObject()
                        .put("id", maybe(9) ? nonsense.text() : "r" + run)
                        .put("endedAt", maybe(9) ? nonsense.pick(INSTANTS) : "2030-01-01T00:00:%02dZ".formatted(run))
                        .put("seconds", maybe(5) ? nonsense.pick(LONGS) : 1 + run);
            }
        }
        return history;
    }

    private ObjectNode namespace() {
        ObjectNode namespace = object("v1", "Namespace", spaces < 3 ? "p" + spaces++ + "-" + id : name("space"));
        meta(namespace).putObject("annotations").put("slotwise.io/budget", figure());
        return namespace;
    }

    private ObjectNode group() {
        String api = nonsense.pick(
                List.of("scheduling.x-k8s.io/v1alpha1", "scheduling.volcano.sh/v1beta1", "scheduling.k8s.io/v1beta1"));
        ObjectNode group = namespaced(api, "PodGroup", "g" + number);
        ObjectNode spec = group.putObject("spec").put("minMember", nonsense.pick(INTS));
        if (maybe(2)) {
            spec.putObject("schedulingPolicy").putObject("gang").put("minCount", nonsense.pick(INTS));
        }
        if (maybe(3)) {
            quantities(spec.putObject("minResources"));
        }
        return group;
    }

    /** An object that states the size of a gang. Another project's definition may accept any value. */
    private ObjectNode owner() {
        String kind = nonsense.pick(List.of(
                "jobset.x-k8s.io/v1alpha2 JobSet",
                "kubeflow.org/v1 PyTorchJob",
                "kubeflow.org/v2beta1 MPIJob",
                "ray.io/v1 RayCluster",
                "scheduling.sigs.k8s.io/v1alpha1 PodGroup"));
        int blank = kind.indexOf(' ');
        ObjectNode owner = namespaced(kind.substring(0, blank), kind.substring(blank + 1), "g" + number);
        meta(owner).put("uid", "owner-" + number);
        ObjectNode spec = owner.putObject("spec");
        for (String field : List.of(
                "replicatedJobs",
                "pytorchReplicaSpecs",
                "mpiReplicaSpecs",
                "runPolicy",
                "workerGroupSpecs",
                "minMember",
                "parallelism",
                "completions",
                "activeDeadlineSeconds",
                "startupPolicy")) {
            if (!maybe(3)) {
                spec.set(field, anything(field, 3));
            }
        }
        return owner;
    }

    private JsonNode anything(String field, int depth) {
        return switch (nonsense.number(depth == 0 ? 4 : 8)) {
            case 0 -> IntNode.valueOf(nonsense.pick(INTS));
            case 1 -> LongNode.valueOf(nonsense.pick(LONGS));
            case 2 -> TextNode.valueOf(figure());
            case 3 -> NullNode.getInstance();
            case 4 -> MAPPER.createArrayNode().add(anything(field, depth - 1)).add(anything(field, depth - 1));
            default -> {
                ObjectNode fields = MAPPER.createObjectNode();
                for (String inner : List.of(
                        "replicas", "minReplicas", "template", "spec", "Worker", "schedulingPolicy", "parallelism")) {
                    if (maybe(2)) {
                        fields.set(inner, anything(inner, depth - 1));
                    }
                }
                yield maybe(2) ? MAPPER.createArrayNode().add(fields) : fields;
            }
        };
    }

    private ObjectNode budget() {
        ObjectNode budget = namespaced("policy/v1", "PodDisruptionBudget", name("b"));
        ObjectNode spec = budget.putObject("spec");
        if (maybe(2)) {
            spec.put(nonsense.pick(List.of("minAvailable", "maxUnavailable")), nonsense.pick(INTS));
        } else {
            spec.put("minAvailable", nonsense.pick(List.of("0%", "100%", "2147483647%", "50%")));
        }
        spec.putObject("selector");
        budget.putObject("status").put("disruptionsAllowed", nonsense.pick(INTS));
        return budget;
    }

    /** Returns a PersistentVolumeClaim, a volume, a storage class or a node's limit of attachable volumes. */
    private ObjectNode volume() {
        return switch (nonsense.number(4)) {
            case 0 -> claim();
            case 1 -> {
                ObjectNode volume = object("v1", "PersistentVolume", "v" + number + "-" + id);
                ObjectNode spec = volume.putObject("spec").put("storageClassName", "c" + nonsense.number(3) + "-" + id);
                spec.putArray("accessModes").add(nonsense.pick(MODES));
                spec.putObject("capacity").put("storage", nonsense.pick(QUANTITIES));
                if (maybe(2)) {
                    ObjectNode affinity = MAPPER.createObjectNode();
                    affinity(affinity);
                    spec.putObject("nodeAffinity")
                            .set(
                                    "required",
                                    affinity.at("/nodeAffinity/requiredDuringSchedulingIgnoredDuringExecution"));
                }
                if (maybe(3)) {
                    spec.putObject("claimRef").put("namespace", space());
                }
                if (maybe(2)) {
                    spec.putObject("csi").put("driver", "driver");
                }
                yield volume;
            }
            case 2 -> {
                ObjectNode storage = object("storage.k8s.io/v1", "StorageClass", name("c"));
                storage.put("volumeBindingMode", nonsense.pick(List.of("Immediate", "WaitForFirstConsumer", "x")));
                storage.put("provisioner", nonsense.pick(List.of("driver", "", "kubernetes.io/no-provisioner")));
                storage.putArray("allowedTopologies").addObject();
                yield storage;
            }
            default -> {
                ObjectNode node = object("storage.k8s.io/v1", "CSINode", name("n"));
                ObjectNode driver = node.putObject("spec").putArray("drivers").addObject();
                if (maybe(2)) {
                    driver.put("name", "driver");
                }
                driver.putObject("allocatable").put("count", nonsense.pick(INTS));
                yield node;
            }
        };
    }

    private ObjectNode claim() {
        ObjectNode claim = namespaced("v1", "PersistentVolumeClaim", "d" + number);
        if (maybe(2)) {
            meta(claim).putObject("annotations").put("pv.kubernetes.io/bind-completed", figure());
        }
        if (maybe(8)) {
            return claim;
        }
        ObjectNode spec = claim.putObject("spec");
        spec.putArray("accessModes").add(nonsense.pick(MODES));
        spec.put("storageClassName", "c" + nonsense.number(20) + "-" + id);
        if (maybe(2)) {
            spec.put("volumeName", "v" + nonsense.number(20) + "-" + id);
        }
        if (maybe(2)) {
            spec.putObject("resources").putObject("requests").put("storage", nonsense.pick(QUANTITIES));
        }
        return claim;
    }

    /** Adds PersistentVolumeClaims of this pod, of another pod, and one that is made for this pod. */
    private void volumes(ObjectNode spec) {
        ArrayNode volumes = spec.putArray("volumes");
        for (int i = 0; i < 1 + nonsense.number(2); i++) {
            ObjectNode volume = volumes.addObject().put("name", "v" + i);
            if (maybe(3)) {
                volume.putObject("ephemeral").putObject("volumeClaimTemplate");
            } else {
                volume.putObject("persistentVolumeClaim").put("claimName", "d" + nonsense.number(20));
            }
        }
    }

    /** Returns a ResourceSlice, a DeviceClass, a ResourceClaim or a template of one. */
    private ObjectNode devices() {
        return switch (nonsense.number(4)) {
            case 0 -> slice();
            case 1 -> {
                ObjectNode deviceClass = object("resource.k8s.io/v1", "DeviceClass", "g" + number);
                if (maybe(4)) {
                    yield deviceClass;
                }
                ObjectNode spec = deviceClass.putObject("spec");
                spec.putArray("selectors").addObject().putObject("cel").put("expression", nonsense.pick(EXPRESSIONS));
                if (maybe(3)) {
                    spec.put("extendedResourceName", nonsense.pick(List.of("", "cpu", "example.com/gpu")));
                }
                yield deviceClass;
            }
            case 2 -> {
                ObjectNode claim = namespaced("resource.k8s.io/v1", "ResourceClaim", "e" + number);
                deviceRequests(claim.putObject("spec"));
                if (maybe(2)) {
                    allocation(claim.putObject("status"));
                }
                yield claim;
            }
            default -> {
                ObjectNode template = namespaced("resource.k8s.io/v1", "ResourceClaimTemplate", "t" + number);
                if (maybe(8)) {
                    yield template;
                }
                deviceRequests(template.putObject("spec").putObject("spec"));
                yield template;
            }
        };
    }

    private ObjectNode slice() {
        ObjectNode slice = object("resource.k8s.io/v1", "ResourceSlice", name("s"));
        if (maybe(10)) {
            return slice;
        }
        ObjectNode spec = slice.putObject("spec").put("driver", "driver");
        if (!maybe(8)) {
            spec.putObject("pool")
                    .put("name", "p" + nonsense.number(12))
                    .put("generation", nonsense.pick(LONGS))
                    .put("resourceSliceCount", maybe(2) ? Long.valueOf(1) : nonsense.pick(LONGS));
        }
        if (maybe(5)) {
            spec.put("allNodes", true);
        } else {
            spec.put("nodeName", "n" + nonsense.number(12) + "-" + id);
        }
        ArrayNode devices = spec.putArray("devices");
        for (int i = 0; i < nonsense.number(4); i++) {
            ObjectNode device = devices.addObject();
            if (!maybe(10)) {
                device.put("name", "d" + nonsense.number(4));
            }
            device.putObject("attributes")
                    .putObject("a")
                    .put(nonsense.pick(List.of("string", "version", "x")), figure());
            device.putObject("capacity").putObject("c").put("value", nonsense.pick(QUANTITIES));
            if (maybe(8)) {
                device.putArray("taints").addObject().put("effect", nonsense.pick(List.of("NoSchedule", "x")));
            }
            if (maybe(12)) {
                device.putArray("consumesCounters").addObject();
            }
        }
        return slice;
    }

    private void deviceRequests(ObjectNode spec) {
        if (maybe(8)) {
            return;
        }
        ArrayNode requests = spec.putObject("devices").putArray("requests");
        for (int i = 0; i < nonsense.number(4); i++) {
            ObjectNode request = requests.addObject().put("name", "r" + i);
            if (maybe(10)) {
                request.putArray("firstAvailable").addObject();
                continue;
            }
            ObjectNode exactly = request.putObject("exactly");
            if (!maybe(10)) {
                exactly.put("deviceClassName", "g" + nonsense.number(20));
            }
            exactly.put("allocationMode", nonsense.pick(List.of("ExactCount", "ExactCount", "All", "", "x")));
            exactly.put("count", maybe(2) ? Long.valueOf(1) : nonsense.pick(LONGS));
            if (maybe(2)) {
                exactly.putArray("selectors")
                        .addObject()
                        .putObject("cel")
                        .put("expression", nonsense.pick(EXPRESSIONS));
            } else if (maybe(8)) {
                exactly.putArray("selectors").addObject();
            }
        }
    }

    private void allocation(ObjectNode status) {
        ObjectNode allocation = status.putObject("allocation");
        if (maybe(2)) {
            allocation
                    .putObject("devices")
                    .putArray("results")
                    .addObject()
                    .put("driver", "driver")
                    .put("pool", "p" + nonsense.number(12))
                    .put("device", "d" + nonsense.number(4));
        }
        if (maybe(2)) {
            allocation.putObject("nodeSelector").putArray("nodeSelectorTerms").addObject();
        }
        if (maybe(2)) {
            ObjectNode user = status.putArray("reservedFor").addObject();
            user.put("resource", "pods")
                    .put("name", "p" + nonsense.number(40))
                    .put("uid", "uid-" + nonsense.number(40));
        }
    }

    /** Adds ResourceClaims of this pod, of another pod, one that is made for this pod, and one that names nothing. */
    private void deviceClaims(ObjectNode spec) {
        ArrayNode claims = spec.putArray("resourceClaims");
        for (int i = 0; i < 1 + nonsense.number(2); i++) {
            ObjectNode claim = claims.addObject();
            if (!maybe(10)) {
                claim.put("name", "c" + i);
            }
            if (maybe(2)) {
                claim.put("resourceClaimName", "e" + nonsense.number(20));
            } else if (!maybe(6)) {
                claim.put("resourceClaimTemplateName", "t" + nonsense.number(20));
            }
        }
    }

    private ObjectNode job() {
        ObjectNode job = namespaced("batch/v1", "Job", name("j"));
        meta(job).put("uid", "u" + number);
        ObjectNode spec = job.putObject("spec");
        spec.put("parallelism", nonsense.pick(INTS)).put("completions", nonsense.pick(INTS));
        spec.put("activeDeadlineSeconds", nonsense.pick(LONGS));
        podSpec(spec.putObject("template").putObject("spec"));
        return job;
    }
}
