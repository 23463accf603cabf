package io.slotwise.testing;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.List;

/**
 * Objects whose fields an API server would store and nobody would write, by a seed: pods, nodes, reservations, ledgers, namespaces, pod
 * groups, jobs and disruption budgets. They ask for nodes of the pool {@link #POOL}, live in namespaces of their own and are bound to no node
 * that is not one of theirs, so that whoever has nothing to do with these is none of their business.
 */
public final class PoisonedObjects {
    /** The value of the label {@code pool} of every node that is made here, and of every node selector. */
    public static final String POOL = "poisoned";

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
            "max-per-node",
            "lockstep",
            "mode",
            "time-weight",
            "cost-weight",
            "migratable");
    private static final List<String> NODE_LABELS = List.of("price", "performance", "owner", "watts");
    private static final List<String> NODE_ANNOTATIONS = List.of("domain-bandwidth", "price-calendar", "unavailable");
    private static final List<String> OPERATORS = List.of("In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt");
    private static final List<String> EFFECTS = List.of("NoSchedule", "NoExecute", "PreferNoSchedule");
    private static final int KINDS = 16;

    private final Nonsense nonsense;
    private final String id;
    private int number;
    private int spaces;

    /**
     * The same seed gives the same objects.
     *
     * @param id what the names of all of them end with
     */
    public PoisonedObjects(long seed, String id) {
        this.nonsense = new Nonsense(seed);
        this.id = id;
    }

    /** The next object. */
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

    /** Many objects share a namespace, so that they meet. */
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
        if (maybe(3)) {
            meta(node).putObject("annotations").put("slotwise.io/" + nonsense.pick(NODE_ANNOTATIONS), figure());
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
        ObjectNode spec = pod.putObject("spec");
        podSpec(spec);
        if (bound) {
            spec.put("nodeName", "n" + nonsense.number(12) + "-" + id);
            ObjectNode status = pod.putObject("status");
            status.put("phase", nonsense.pick(List.of("Pending", "Running", "Running", "Succeeded", "Failed")));
            if (maybe(2)) {
                status.put("startTime", nonsense.pick(INSTANTS));
            }
        }
        return pod;
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
        ObjectNode hold = reservation.putObject("spec").putObject("hold");
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
        return reservation;
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
