package io.slotwise.kubernetes.manifest.queues;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.slotwise.core.queue.Amount;
import io.slotwise.core.queue.Queue;
import io.slotwise.core.text.SafeText;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueObject;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueSpecBuilder;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Reason;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Subject;
import io.slotwise.kubernetes.manifest.field.QuantityAmounts;
import io.slotwise.kubernetes.manifest.queues.PeerObject.Untranslated;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Translates Kueue's ClusterQueues and Cohorts into a tree with Kueue's rule of admission.
 *
 * <p>A ClusterQueue is guaranteed its nominal quotas, and a Cohort its own and those below it. The limit is the
 * guarantee plus the borrowing limit. Whole trees lend nothing, and the root is guaranteed their sum, so that no tree
 * borrows from another one or from nodes beyond the quotas. Quotas of several flavors are added up. O(n levels) for n
 * objects.
 *
 * <p>Source: kubernetes-sigs/kueue, apis/kueue/v1beta2; KEP-79 Hierarchical Cohorts; KEP-1224 lendingLimit. Deviation:
 * the limit of a Cohort counts all use below it, also of what its members do not lend.
 */
public final class KueueQueues {
    private static final String GROUP = "kueue.x-k8s.io/";
    private static final String CLUSTER_QUEUE = "ClusterQueue";
    private static final String COHORT = "Cohort";
    private static final String LOCAL_QUEUE = "LocalQueue";
    private static final String FLAVOR = "ResourceFlavor";
    private static final String STOP_POLICY = "stopPolicy";
    private static final String FAIR_SHARING = "fairSharing";
    private static final String RESOURCE_GROUPS = "resourceGroups";
    private static final int HEAVIEST = 1_000_000;
    /** The most decimals of weights that count. */
    private static final int MOST_DIGITS = 3;

    private static final Set<String> TRANSLATED = Set.of(
            RESOURCE_GROUPS,
            "cohort",
            "cohortName",
            "parent",
            "parentName",
            "clusterQueue",
            FAIR_SHARING,
            STOP_POLICY,
            "namespaceSelector",
            "topologyName");

    private static final String ANY_NODE = "a gang may use any node that its pods fit";
    private static final String RECLAIM =
            "a gang within its guarantee reclaims windows that have not started, and running gangs that say "
                    + "`slotwise.io/preemptible`";
    private static final String DISPLACE = "`queue.preemption` of the policy decides";

    private static final List<Untranslated> UNTRANSLATED = List.of(
            new Untranslated("queueingStrategy", "a gang that waits does not hold back later ones", "BestEffortFIFO"),
            new Untranslated("flavorFungibility.whenCanBorrow", ANY_NODE, "Borrow", "MayStopSearch"),
            new Untranslated("flavorFungibility.whenCanPreempt", ANY_NODE, "TryNextFlavor"),
            new Untranslated("preemption.reclaimWithinCohort", RECLAIM, "Never"),
            new Untranslated("preemption.withinClusterQueue", DISPLACE, "Never"),
            new Untranslated("preemption.borrowWithinCohort.policy", DISPLACE, "Never"),
            new Untranslated("nodeLabels", ANY_NODE),
            new Untranslated("nodeTaints", ANY_NODE),
            new Untranslated("tolerations", "pods tolerate only what they state"));

    /** A LocalQueue. */
    private record LocalQueue(String clusterQueue, boolean stopped) {}

    /** The quota of a resource, added up over flavors; a limit is null for none. */
    private record Quota(
            long nominal,
            @Nullable Long borrowing,
            @Nullable Long lending) {
        static final Quota NONE = new Quota(0, null, null);

        /** A whole tree borrows and lends nothing. */
        static final Quota ALONE = new Quota(0, 0L, 0L);

        Quota plus(Quota other) {
            long more = other.lending == null ? other.nominal : other.lending;
            long less = lending == null ? nominal : lending;
            return new Quota(
                    Amount.sum(nominal, other.nominal),
                    borrowing == null || other.borrowing == null ? null : Amount.sum(borrowing, other.borrowing),
                    lending == null && other.lending == null ? null : Amount.sum(less, more));
        }
    }

    /** A ClusterQueue or Cohort. The list of those below it grows while they are joined. */
    private record Vertex(
            PeerObject object,
            @Nullable String cohort,
            Map<String, Quota> quotas,
            BigDecimal weight,
            List<Vertex> below) {
        boolean isCohort() {
            return object.subject().kind().equals(COHORT);
        }
    }

    private final SortedMap<String, Vertex> clusterQueues = new TreeMap<>();
    private final SortedMap<String, Vertex> cohorts = new TreeMap<>();
    /** By namespace and name. */
    private final SortedMap<String, SortedMap<String, LocalQueue>> localQueues = new TreeMap<>();
    /** The flavors of each resource of any object. */
    private final SortedMap<String, SortedSet<String>> flavors = new TreeMap<>();

    private final Set<String> definedFlavors = new HashSet<>();
    private final Map<Subject, String> queueNames = new HashMap<>();
    private final List<IntakeWarning> notes = new ArrayList<>();
    private final int weightDigits;

    /** Returns whether objects of a kind are read. */
    public static boolean reads(String apiVersion, String kind) {
        return apiVersion.startsWith(GROUP)
                && Set.of(CLUSTER_QUEUE, COHORT, LOCAL_QUEUE, FLAVOR).contains(kind);
    }

    static KueueQueues of(Collection<GenericKubernetesResource> objects) {
        ObjectMapper mapper = new ObjectMapper();
        return new KueueQueues(
                objects.stream().<JsonNode>map(mapper::valueToTree).toList());
    }

    KueueQueues(Collection<JsonNode> objects) {
        objects.forEach(this::add);
        for (Vertex vertex : List.copyOf(clusterQueues.values())) {
            join(vertex);
        }
        List.copyOf(cohorts.values()).forEach(this::join);
        nameQueues();
        weightDigits = all().stream()
                .mapToInt(
                        vertex -> Math.clamp(vertex.weight.stripTrailingZeros().scale(), 0, MOST_DIGITS))
                .max()
                .orElse(0);
    }

    private void add(JsonNode object) {
        String kind = object.path("kind").asText();
        JsonNode metadata = object.path("metadata");
        String name = metadata.path("name").asText();
        String namespace = kind.equals(LOCAL_QUEUE) ? metadata.path("namespace").asText("default") : "";
        PeerObject peer = new PeerObject(new Subject(kind, namespace, name), "spec.", object.path("spec"), notes);
        peer.read(() -> {
            switch (kind) {
                case CLUSTER_QUEUE -> clusterQueues.put(name, vertex(peer));
                case COHORT -> cohorts.put(name, vertex(peer));
                case LOCAL_QUEUE -> addLocalQueue(namespace, peer);
                default -> definedFlavors.add(name);
            }
            peer.noteUnread(TRANSLATED, UNTRANSLATED);
        });
    }

    private void addLocalQueue(String namespace, PeerObject peer) {
        String clusterQueue = peer.fields().path("clusterQueue").asText();
        localQueues
                .computeIfAbsent(namespace, _ -> new TreeMap<>())
                .put(peer.name(), new LocalQueue(clusterQueue, isStopped(peer)));
        if (peer.fields().path(FAIR_SHARING).has("weight")) {
            peer.note(FAIR_SHARING + ".weight", "users of a queue have no weights");
        }
        if (isStopped(peer)) {
            String consequence = "gangs that name it wait, and other gangs of its ClusterQueue do not";
            peer.note(Reason.NOT_SUPPORTED, STOP_POLICY, "has no Queue", consequence);
        }
    }

    private static boolean isStopped(PeerObject peer) {
        return peer.fields().path(STOP_POLICY).asText().startsWith("Hold");
    }

    private Vertex vertex(PeerObject peer) {
        Map<String, Quota> quotas = new TreeMap<>();
        for (JsonNode group : peer.fields().path(RESOURCE_GROUPS)) {
            for (JsonNode flavor : group.path("flavors")) {
                for (JsonNode entry : flavor.path("resources")) {
                    String resource = entry.path("name").asText();
                    quotas.merge(resource, quota(resource, entry), Quota::plus);
                    flavors.computeIfAbsent(resource, _ -> new TreeSet<>())
                            .add(flavor.path("name").asText());
                }
            }
        }
        String cohort = null;
        for (String field : List.of("cohort", "cohortName", "parent", "parentName")) {
            cohort = cohort == null ? peer.text(field) : cohort;
        }
        return new Vertex(peer, cohort, quotas, weight(peer), new ArrayList<>());
    }

    private static Quota quota(String resource, JsonNode entry) {
        return new Quota(
                PeerObject.amount(resource, entry.path("nominalQuota")),
                limit(resource, entry.path("borrowingLimit")),
                limit(resource, entry.path("lendingLimit")));
    }

    private static @Nullable Long limit(String resource, JsonNode limit) {
        return limit.isMissingNode() || limit.isNull() ? null : PeerObject.amount(resource, limit);
    }

    private static BigDecimal weight(PeerObject peer) {
        JsonNode weight = peer.fields().path(FAIR_SHARING).path("weight");
        return weight.isValueNode() && !weight.isNull()
                ? QuantityAmounts.exact("weight", QuantityAmounts.parse("weight", weight.asText()))
                : BigDecimal.ONE;
    }

    /** Returns the name of an object's queue. */
    private String queueName(Vertex vertex) {
        return Objects.requireNonNull(queueNames.get(vertex.object.subject()));
    }

    /** Names the queues. A ClusterQueue gives way to the root, and a Cohort to both and to Cohorts before it. */
    private void nameQueues() {
        Set<String> taken = new HashSet<>(Set.of(Queue.ROOT));
        for (Vertex vertex : Stream.concat(clusterQueues.values().stream(), cohorts.values().stream())
                .toList()) {
            Subject subject = vertex.object.subject();
            String name = subject.name();
            while (!taken.add(name)) {
                name += "-" + subject.kind().toLowerCase(Locale.ROOT);
            }
            queueNames.put(subject, name);
            if (!name.equals(subject.name())) {
                notes.add(IntakeWarning.of(
                        Reason.NOT_SUPPORTED,
                        subject,
                        "metadata.name",
                        "%s %s has the name of another queue".formatted(subject.kind(), SafeText.value(subject.name())),
                        "its queue is " + name));
            }
        }
    }

    /** Adds a queue to its Cohort. A Cohort that is only named exists without quotas. */
    private void join(Vertex vertex) {
        if (vertex.cohort != null) {
            JsonNode nothing = MissingNode.getInstance();
            cohorts.computeIfAbsent(
                            vertex.cohort,
                            name -> vertex(new PeerObject(Subject.of(COHORT, name), "spec.", nothing, notes)))
                    .below
                    .add(vertex);
        }
    }

    private List<Vertex> all() {
        List<Vertex> all = new ArrayList<>(cohorts.values());
        all.addAll(clusterQueues.values());
        return all;
    }

    private @Nullable LocalQueue localQueue(String namespace, String name) {
        return localQueues.getOrDefault(namespace, new TreeMap<>()).get(name);
    }

    /** Returns the name of the queue of a gang that names a LocalQueue, or null if there is none of this name. */
    @Nullable
    String queue(String namespace, String localName) {
        LocalQueue localQueue = localQueue(namespace, localName);
        return localQueue == null ? null : queueOf(localQueue);
    }

    /** Returns why a gang that names a LocalQueue waits, or null if it does not. */
    @Nullable
    String problem(String namespace, String localName) {
        LocalQueue localQueue = localQueue(namespace, localName);
        return localQueue != null && !localQueue.stopped
                ? null
                : "LocalQueue %s/%s %s"
                        .formatted(
                                namespace,
                                SafeText.value(localName),
                                localQueue == null ? "does not exist" : "is stopped by its `spec.stopPolicy`");
    }

    /** Returns the name of the queue of a ClusterQueue. */
    private String queueOf(LocalQueue localQueue) {
        Vertex vertex = clusterQueues.get(localQueue.clusterQueue);
        return vertex == null ? localQueue.clusterQueue : queueName(vertex);
    }

    /** Returns the queues, the root first, with the namespaces that have LocalQueues of only one ClusterQueue. */
    PeerQueues translated() {
        List<QueueObject> queues = new ArrayList<>();
        SortedMap<String, Long> sums = new TreeMap<>();
        all().stream()
                .filter(vertex -> vertex.cohort == null)
                .forEach(vertex -> guarantee(vertex, new HashSet<>())
                        .forEach((resource, amount) -> sums.merge(resource, amount, Amount::sum)));
        queues.add(PeerQueues.queue(Queue.ROOT, QueueSpecBuilder.builder().guarantee(PeerObject.texts(sums))));
        Map<String, List<String>> namespaces = namespaces();
        all().forEach(vertex -> queues.add(queue(vertex, namespaces)));
        all().forEach(this::note);
        flavors.values().stream()
                .flatMap(Set::stream)
                .distinct()
                .filter(flavor -> !definedFlavors.contains(flavor))
                .forEach(flavor -> notes.add(IntakeWarning.of(
                        Reason.MISSING,
                        Subject.of(FLAVOR, flavor),
                        null,
                        "ResourceFlavor %s is not in the input".formatted(SafeText.value(flavor)),
                        "its quotas count all the same")));
        return new PeerQueues(queues, notes);
    }

    private SortedMap<String, Long> guarantee(Vertex vertex, Set<Subject> above) {
        SortedMap<String, Long> sums = new TreeMap<>();
        vertex.quotas.forEach((resource, quota) -> sums.put(resource, quota.nominal));
        if (above.add(vertex.object.subject())) {
            for (Vertex child : vertex.below) {
                guarantee(child, above).forEach((resource, amount) -> sums.merge(resource, amount, Amount::sum));
            }
            above.remove(vertex.object.subject());
        }
        return sums;
    }

    private QueueObject queue(Vertex vertex, Map<String, List<String>> namespaces) {
        SortedMap<String, Long> guarantee = guarantee(vertex, new HashSet<>());
        SortedMap<String, Long> limit = new TreeMap<>();
        SortedMap<String, Long> lending = new TreeMap<>();
        guarantee.forEach((resource, amount) -> {
            Quota quota = vertex.cohort == null ? Quota.ALONE : vertex.quotas.getOrDefault(resource, Quota.NONE);
            if (quota.borrowing != null) {
                limit.put(resource, Amount.sum(amount, quota.borrowing));
            }
            if (quota.lending != null) {
                lending.put(resource, quota.lending);
            }
        });
        // Kueue admits nothing that requests a resource without a quota.
        flavors.keySet().stream()
                .filter(resource -> !vertex.isCohort() && !guarantee.containsKey(resource))
                .forEach(resource -> limit.put(resource, 0L));
        Vertex aboveVertex = vertex.cohort == null ? null : cohorts.get(vertex.cohort);
        String name = queueName(vertex);
        int weight = scaledWeight(vertex);
        return PeerQueues.queue(
                name,
                QueueSpecBuilder.builder()
                        .parent(aboveVertex == null ? null : queueName(aboveVertex))
                        .weight(weight == 1 ? null : weight)
                        .guarantee(PeerObject.texts(guarantee))
                        .limit(PeerObject.texts(limit))
                        .lending(PeerQueues.lending(lending))
                        .namespaces(namespaces.getOrDefault(name, List.of()))
                        .suspended(isStopped(vertex.object) ? true : null));
    }

    /** Returns a weight as a whole number, relative to those of all objects; rounded up, and noted if that matters. */
    private int scaledWeight(Vertex vertex) {
        BigDecimal exact = vertex.weight.movePointRight(weightDigits);
        BigDecimal whole = exact.setScale(0, RoundingMode.CEILING).min(BigDecimal.valueOf(HEAVIEST));
        if (exact.compareTo(whole) != 0) {
            vertex.object.note(
                    Reason.NOT_SUPPORTED,
                    "fairSharing.weight",
                    "(%s) is rounded".formatted(vertex.weight.toPlainString()),
                    "its weight is %s, of at most %d".formatted(whole, HEAVIEST));
        }
        return whole.intValue();
    }

    private void note(Vertex vertex) {
        PeerObject object = vertex.object;
        if (vertex.quotas.keySet().stream()
                .anyMatch(resource ->
                        Objects.requireNonNull(flavors.get(resource)).size() > 1)) {
            object.note(
                    Reason.NOT_SUPPORTED,
                    RESOURCE_GROUPS,
                    "has several flavors, or others of its resources than other objects",
                    "the quotas of all flavors of a resource are added up, and " + ANY_NODE);
        }
        if (vertex.isCohort()) {
            return;
        }
        if (object.fields().path(STOP_POLICY).asText().equals("HoldAndDrain")) {
            object.note(STOP_POLICY, "its gangs get no new windows, and those that run go on");
        }
        JsonNode selector = object.fields().path("namespaceSelector");
        if (!selector.isObject()) {
            object.note(
                    Reason.NOT_SUPPORTED, "namespaceSelector", "is missing", "gangs are planned that Kueue refuses");
        } else if (!selector.isEmpty()) {
            object.note("namespaceSelector", "gangs of any namespace with a LocalQueue are planned");
        }
    }

    /**
     * Returns the namespaces of each ClusterQueue's queue: those whose LocalQueue `default` leads to it, and those
     * whose LocalQueues all do.
     */
    private Map<String, List<String>> namespaces() {
        Map<String, List<String>> namespaces = new HashMap<>();
        localQueues.forEach((namespace, byName) -> {
            SortedSet<String> targets = new TreeSet<>();
            byName.values().forEach(localQueue -> targets.add(queueOf(localQueue)));
            LocalQueue usualQueue = byName.get("default");
            if (usualQueue != null || targets.size() == 1) {
                String queue = usualQueue == null ? targets.first() : queueOf(usualQueue);
                namespaces.computeIfAbsent(queue, _ -> new ArrayList<>()).add(namespace);
            }
            if (targets.size() > 1) {
                notes.add(IntakeWarning.of(
                        Reason.NOT_SUPPORTED,
                        new Subject(LOCAL_QUEUE, namespace, byName.firstKey()),
                        null,
                        "namespace %s has LocalQueues of %s".formatted(namespace, String.join(" and ", targets)),
                        "a gang names its queue with the label `kueue.x-k8s.io/queue-name`, or as a gang of "
                                + "Slotwise's queues with `slotwise.io/queue`"));
            }
        });
        return namespaces;
    }
}
