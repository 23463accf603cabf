package io.slotwise.kubernetes.manifest.volumes;

import io.fabric8.kubernetes.api.model.EphemeralVolumeSource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimSpec;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.NodeConstraint.Requirement;
import io.slotwise.core.gang.NodeConstraint.Requirement.Operator;
import io.slotwise.core.gang.NodeConstraint.Term;
import io.slotwise.core.gang.PodRule;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Refusal.WaitingForVolume.ClaimState;
import io.slotwise.core.resource.Place;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.work.Isolated;
import io.slotwise.kubernetes.manifest.field.Annotations;
import io.slotwise.kubernetes.manifest.field.LabelSelectors;
import io.slotwise.kubernetes.manifest.field.Labels;
import io.slotwise.kubernetes.manifest.field.PodFindings;
import io.slotwise.kubernetes.manifest.field.PodFindings.Finding;
import io.slotwise.kubernetes.manifest.field.QuantityAmounts;
import io.slotwise.kubernetes.manifest.pods.PodConstraints;
import io.slotwise.kubernetes.manifest.pods.Pods;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * What the volume claims of pods mean for where and when they can run: nodes within reach of a volume, what of a node
 * is counted, who cannot start at all. With the meaning that kube-scheduler's VolumeBinding, VolumeZone,
 * VolumeRestrictions and NodeVolumeLimits give them. Scratch of one run.
 *
 * <ul>
 *   <li>A claim that is bound goes where its volume's node affinity and zone labels allow.
 *   <li>One whose class waits for a pod goes where the class's allowed topologies or a free volume that suits it are.
 *       Free volumes of a class that makes none are counted by node, exactly where each can be reached from one node.
 *   <li>A claim by which a volume is attached to one node at a time, and that several pods have, is a rule: they are on
 *       one node.
 *   <li>The volumes of a driver that a node can have attached are counted, each pod's by themselves: a volume that two
 *       pods share counts twice, on the safe side.
 * </ul>
 *
 * <p>With p pods, c claims and v volumes it takes O(p) where no waiting pod has a claim, else O(p + c + v), and O(v)
 * more for each claim that looks for a free volume.
 */
public final class PodVolumes {
    private static final String HOST_NAME = "kubernetes.io/hostname";
    private static final String BIND_COMPLETED = "pv.kubernetes.io/bind-completed";
    private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";
    private static final String DEFAULT_CLASS = "storageclass.kubernetes.io/is-default-class";
    private static final String BETA_CLASS = "volume.beta.kubernetes.io/storage-class";
    private static final String NO_PROVISIONER = "kubernetes.io/no-provisioner";
    private static final String ONE_POD = "ReadWriteOncePod";
    private static final Set<String> MANY_NODES = Set.of("ReadWriteMany", "ReadOnlyMany");
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String REGION = "topology.kubernetes.io/region";
    /** Labels of volumes by which nodes are chosen, and what they are called today. */
    private static final Map<String, String> TOPOLOGY = Map.of(
            ZONE,
            ZONE,
            REGION,
            REGION,
            "failure-domain.beta.kubernetes.io/zone",
            ZONE,
            "failure-domain.beta.kubernetes.io/region",
            REGION);

    /** No node. */
    private static final List<Term> NOWHERE = List.of(new Term(List.of(), List.of()));

    private final VolumeObjects objects;
    private final boolean files;
    private final Collection<Node> nodes;
    private final Map<String, PersistentVolumeClaim> claims = new HashMap<>();
    private final Map<String, PersistentVolume> volumes = new HashMap<>();
    private final Map<String, StorageClass> classes = new HashMap<>();
    private @Nullable StorageClass usualClass;
    private boolean indexed;
    /** How many volumes of a driver a node takes, by driver and node. */
    private final Map<String, Map<String, Long>> attachable = new HashMap<>();

    /** What is counted of nodes, by the place's name and the node. */
    private final Map<String, Map<String, Long>> limits = new TreeMap<>();
    /** Claims that one node at a time can use, and that several pods have. */
    private final Set<String> shared = new TreeSet<>();
    /** The free volumes that suit a claim, by claim. */
    private final Map<String, List<PersistentVolume>> suitable = new HashMap<>();
    /** Who has or is to have a claim that one pod at a time can use. */
    private final Map<String, Pod> owners = new HashMap<>();

    private final PodFindings missing = new PodFindings();

    /**
     * A volume claim of a pod.
     *
     * @param claim {@code namespace/name}
     * @param object null: it is not there, or not known
     * @param spec what is asked for; null: not known
     * @param ephemeral whether it is made for the pod and goes with it
     */
    private record Use(
            String claim,
            @Nullable PersistentVolumeClaim object,
            @Nullable PersistentVolumeClaimSpec spec,
            boolean ephemeral) {}

    /**
     * Looks at what waits.
     *
     * @param objects what is known of volumes
     * @param files whether they are from files, where no controller makes claims and volumes
     * @param nodes of the cluster
     */
    public PodVolumes(VolumeObjects objects, boolean files, Collection<Node> nodes) {
        this.objects = objects;
        this.files = files;
        this.nodes = nodes;
    }

    /**
     * Looks at what waits.
     *
     * @param pods all
     * @param waiting those of ours without a node that are not over
     * @param gangOf the gang of each
     * @param promised when a gang is to start by its promise, seconds since the epoch; {@link Long#MAX_VALUE}: it has
     *     none
     */
    public void look(
            Collection<Pod> pods,
            Collection<Pod> waiting,
            Function<Pod, GangId> gangOf,
            ToLongFunction<GangId> promised) {
        List<Pod> users = waiting.stream().filter(PodVolumes::hasClaims).toList();
        if (users.isEmpty()) {
            return;
        }
        Map<String, List<Pod>> exclusive = new TreeMap<>();
        // What cannot be read is refused with its gang, when that is taken in.
        users.forEach(pod -> Isolated.run(() -> look(pod, exclusive), _ -> {}));
        if (exclusive.isEmpty()) {
            return;
        }
        Map<String, List<Pod>> running = new HashMap<>();
        pods.stream()
                .filter(pod -> hasClaims(pod) && Pods.node(pod) != null && !Pods.isTerminal(pod))
                .forEach(pod -> Isolated.run(
                        () -> uses(pod).stream()
                                .filter(use -> exclusive.containsKey(use.claim()))
                                .forEach(use -> running.computeIfAbsent(use.claim(), _ -> new ArrayList<>())
                                        .add(pod)),
                        _ -> {}));
        Comparator<Pod> order = order(users, gangOf, promised);
        exclusive.forEach((claim, those) -> {
            List<Pod> there = running.getOrDefault(claim, List.of());
            if (isForOnePod(claim)) {
                owners.put(
                        claim,
                        there.isEmpty()
                                ? those.stream().min(order).orElseThrow()
                                : there.stream().min(Pods.BY_NAME).orElseThrow());
            } else if (there.size() + those.size() > 1) {
                shared.add(claim);
            }
        });
    }

    /**
     * Who comes first among those that wait for one claim: who has a promise, then who came first, gang by gang, so
     * that no two gangs wait for each other.
     */
    private static Comparator<Pod> order(
            List<Pod> users, Function<Pod, GangId> gangOf, ToLongFunction<GangId> promised) {
        Map<GangId, List<Pod>> gangs = new HashMap<>();
        users.forEach(pod ->
                gangs.computeIfAbsent(gangOf.apply(pod), _ -> new ArrayList<>()).add(pod));
        Map<GangId, Long> arrivals = new HashMap<>();
        gangs.forEach((gang, pods) ->
                arrivals.put(gang, Isolated.get(() -> Pods.arrival(pods, Long.MAX_VALUE), _ -> Long.MAX_VALUE)));
        return Comparator.<Pod>comparingLong(pod -> promised.applyAsLong(gangOf.apply(pod)))
                .thenComparingLong(pod -> arrivals.getOrDefault(gangOf.apply(pod), Long.MAX_VALUE))
                .thenComparing(gangOf)
                .thenComparing(Pods.BY_NAME);
    }

    /** Names the objects, once a caller asks for one. */
    private void index() {
        if (indexed) {
            return;
        }
        indexed = true;
        objects.claims().forEach(claim -> claims.put(name(claim), claim));
        objects.volumes().forEach(volume -> volumes.put(volume.getMetadata().getName(), volume));
        objects.classes().forEach(one -> classes.put(one.getMetadata().getName(), one));
        usualClass = objects.classes().stream()
                .filter(one -> "true".equals(Annotations.find(one, DEFAULT_CLASS)))
                .max(Comparator.comparing(
                                (StorageClass one) -> one.getMetadata().getCreationTimestamp(),
                                Comparator.nullsFirst(Comparator.naturalOrder()))
                        .thenComparing(one -> one.getMetadata().getName(), Comparator.reverseOrder()))
                .orElse(null);
        objects.nodes().stream()
                .filter(node -> node.getSpec() != null)
                .forEach(node -> node.getSpec().getDrivers().forEach(driver -> {
                    Integer count = driver.getAllocatable() == null
                            ? null
                            : driver.getAllocatable().getCount();
                    if (count != null && driver.getName() != null) {
                        attachable
                                .computeIfAbsent(driver.getName(), _ -> new HashMap<>())
                                .put(node.getMetadata().getName(), (long) Math.max(0, count));
                    }
                }));
    }

    private void look(Pod pod, Map<String, List<Pod>> exclusive) {
        for (Use use : uses(pod)) {
            String driver = driver(use);
            if (driver != null) {
                limits.put(attached(driver), attachable.getOrDefault(driver, Map.of()));
            }
            String free = free(use);
            if (free != null) {
                limits.computeIfAbsent(free, _ -> reachable(use));
            }
            if (isForOnePod(use.claim()) || isForOneNode(use)) {
                exclusive.computeIfAbsent(use.claim(), _ -> new ArrayList<>()).add(pod);
            }
        }
    }

    /** Whether nothing of nodes is counted for volumes and no pod bears a mark of one. */
    public boolean isEmpty() {
        return limits.isEmpty() && shared.isEmpty();
    }

    /**
     * What nodes have of the places that are counted for volumes, by place and node; a node that is not there is not
     * limited.
     */
    public Map<String, Map<String, Long>> limits() {
        return limits;
    }

    /** What a pod takes of what is counted, and the marks that it bears. */
    public Map<String, Long> places(Pod pod) {
        if (isEmpty() || !hasClaims(pod)) {
            return Map.of();
        }
        Map<String, Long> places = new HashMap<>();
        for (Use use : uses(pod)) {
            String driver = driver(use);
            if (driver != null && limits.containsKey(attached(driver))) {
                places.merge(attached(driver), 1L, Long::sum);
            }
            String free = Pods.node(pod) == null ? free(use) : null;
            if (free != null) {
                places.merge(free, 1L, Long::sum);
            }
            if (shared.contains(use.claim())) {
                places.put(mark(use.claim()), 1L);
            }
        }
        return places;
    }

    /** With whom a pod has to be on one node. */
    public List<PodRule> rules(Pod pod) {
        return shared.isEmpty() || !hasClaims(pod)
                ? List.of()
                : uses(pod).stream()
                        .map(Use::claim)
                        .filter(shared::contains)
                        .sorted()
                        .<PodRule>map(claim -> new PodRule.Together(List.of(HOST_NAME), mark(claim), claim))
                        .toList();
    }

    /**
     * For each volume that not every node reaches, terms of which one must hold.
     *
     * @throws IllegalArgumentException if a volume's node affinity cannot be read
     */
    public List<List<Term>> reach(Pod pod) {
        if (!hasClaims(pod)) {
            return List.of();
        }
        Set<List<Term>> reach = new HashSet<>();
        for (Use use : uses(pod)) {
            PersistentVolume volume = volume(use);
            if (volume != null) {
                reach.addAll(of(volume));
            } else if (use.spec() != null && !isBound(use)) {
                reach.addAll(unbound(use, use.spec()));
            }
        }
        return reach.stream().sorted(Comparator.comparing(List::toString)).toList();
    }

    /** Why a pod cannot start anywhere; null: it can. */
    @Nullable
    public Refusal obstacle(Pod pod) {
        if (!hasClaims(pod)) {
            return null;
        }
        for (Use use : uses(pod)) {
            Refusal refusal = obstacle(pod, use);
            if (refusal != null) {
                return refusal;
            }
        }
        return null;
    }

    private @Nullable Refusal obstacle(Pod pod, Use use) {
        PersistentVolumeClaim object = use.object();
        if (object == null && !use.ephemeral()) {
            if (objects.known().contains(VolumeObjects.Kind.CLAIMS)) {
                return refusal(pod, use, ClaimState.MISSING, "");
            }
            miss(pod, "PersistentVolumeClaim", use.claim());
            return null;
        }
        if (object != null && object.getMetadata().getDeletionTimestamp() != null) {
            return refusal(pod, use, ClaimState.DELETING, "");
        }
        if (object != null && use.ephemeral() && !isOwned(object, pod)) {
            return refusal(pod, use, ClaimState.FOREIGN, "");
        }
        Pod owner = owners.get(use.claim());
        if (owner != null && !Pods.name(owner).equals(Pods.name(pod))) {
            return refusal(pod, use, ClaimState.IN_USE, Pods.name(owner));
        }
        return isBound(use) ? lost(pod, use) : notBound(pod, use);
    }

    private @Nullable Refusal lost(Pod pod, Use use) {
        boolean isKnown = objects.known().contains(VolumeObjects.Kind.VOLUMES);
        boolean gone = volume(use) == null && isKnown;
        if (!isKnown) {
            miss(pod, "PersistentVolume", volumeName(use));
        }
        return gone || isLost(use) ? refusal(pod, use, ClaimState.LOST, volumeName(use)) : null;
    }

    private @Nullable Refusal notBound(Pod pod, Use use) {
        String name = className(use);
        if (isLost(use)) {
            return refusal(pod, use, ClaimState.LOST, volumeName(use));
        }
        if (!objects.known().contains(VolumeObjects.Kind.CLASSES)) {
            if (!name.isEmpty() || use.spec() == null || use.spec().getStorageClassName() == null) {
                miss(pod, "StorageClass", name.isEmpty() ? "(default)" : name);
            }
            return null;
        }
        StorageClass made = classes.get(name);
        if (made == null && !name.isEmpty()) {
            return refusal(pod, use, ClaimState.NO_CLASS, name);
        }
        boolean waits = made != null && waits(made) && volumeName(use).isEmpty();
        boolean toBeMade = files && use.ephemeral() && use.object() == null;
        return waits || toBeMade ? null : refusal(pod, use, ClaimState.UNBOUND, name);
    }

    private void miss(Pod pod, String kind, String name) {
        missing.add(
                Finding.missing(
                        kind, SafeText.value(name), "spec.volumes", "every node counts as reaching the pods' volumes"),
                pod);
    }

    /** What pods name that is not there, where nothing of its kind is known; complete once all obstacles were asked. */
    public PodFindings missing() {
        return missing;
    }

    private static Refusal refusal(Pod pod, Use use, ClaimState state, String other) {
        return new Refusal.WaitingForVolume(Pods.name(pod), use.claim(), state, other);
    }

    private List<Use> uses(Pod pod) {
        index();
        Map<String, Use> uses = new LinkedHashMap<>();
        for (Volume volume : pod.getSpec().getVolumes()) {
            EphemeralVolumeSource ephemeral = volume.getEphemeral();
            String name = volume.getPersistentVolumeClaim() != null
                    ? volume.getPersistentVolumeClaim().getClaimName()
                    : ephemeral == null ? null : pod.getMetadata().getName() + "-" + volume.getName();
            if (name != null) {
                String claim = pod.getMetadata().getNamespace() + "/" + name;
                PersistentVolumeClaim object = claims.get(claim);
                PersistentVolumeClaimSpec spec = object != null
                        ? object.getSpec()
                        : ephemeral == null || ephemeral.getVolumeClaimTemplate() == null
                                ? null
                                : ephemeral.getVolumeClaimTemplate().getSpec();
                uses.putIfAbsent(claim, new Use(claim, object, spec, ephemeral != null));
            }
        }
        return List.copyOf(uses.values());
    }

    private static boolean hasClaims(Pod pod) {
        return pod.getSpec() != null
                && pod.getSpec().getVolumes().stream()
                        .anyMatch(volume -> volume.getPersistentVolumeClaim() != null || volume.getEphemeral() != null);
    }

    private static boolean isOwned(PersistentVolumeClaim claim, Pod pod) {
        String uid = pod.getMetadata().getUid();
        return uid == null
                || claim.getMetadata().getOwnerReferences().stream().anyMatch(owner -> uid.equals(owner.getUid()));
    }

    private static String volumeName(Use use) {
        String name = use.spec() == null ? null : use.spec().getVolumeName();
        return name == null ? "" : name;
    }

    /** What is written in files by hand does not say that a controller has finished binding it. */
    private boolean isBound(Use use) {
        return !volumeName(use).isEmpty()
                && use.object() != null
                && (files || Annotations.find(use.object(), BIND_COMPLETED) != null);
    }

    private static boolean isLost(Use use) {
        return use.object() != null
                && use.object().getStatus() != null
                && "Lost".equals(use.object().getStatus().getPhase());
    }

    private @Nullable PersistentVolume volume(Use use) {
        return isBound(use) ? volumes.get(volumeName(use)) : null;
    }

    /** The name of a claim's class; empty: it has none. */
    private String className(Use use) {
        String old = use.object() == null ? null : Annotations.find(use.object(), BETA_CLASS);
        String stated = old != null || use.spec() == null ? old : use.spec().getStorageClassName();
        if (stated != null) {
            return stated;
        }
        return usualClass == null ? "" : usualClass.getMetadata().getName();
    }

    private static boolean waits(StorageClass one) {
        return "WaitForFirstConsumer".equals(one.getVolumeBindingMode());
    }

    private static boolean makes(StorageClass one) {
        String provisioner = one.getProvisioner();
        return provisioner != null && !provisioner.isEmpty() && !provisioner.equals(NO_PROVISIONER);
    }

    private @Nullable String driver(Use use) {
        PersistentVolume volume = volume(use);
        String driver;
        if (volume != null) {
            driver = volume.getSpec() == null || volume.getSpec().getCsi() == null
                    ? null
                    : volume.getSpec().getCsi().getDriver();
        } else {
            StorageClass one = isBound(use) ? null : classes.get(className(use));
            driver = one == null ? null : one.getProvisioner();
        }
        return driver != null && attachable.containsKey(driver) ? driver : null;
    }

    private boolean isForOnePod(String claim) {
        PersistentVolumeClaim object = claims.get(claim);
        return object != null
                && object.getSpec() != null
                && object.getSpec().getAccessModes().contains(ONE_POD);
    }

    /** Whether a volume is attached to one node at a time, as far as anybody keeps to that. */
    private boolean isForOneNode(Use use) {
        if (use.object() == null || use.spec() == null) {
            return false;
        }
        PersistentVolume volume = volume(use);
        List<String> modes = volume == null || volume.getSpec() == null
                ? use.spec().getAccessModes()
                : volume.getSpec().getAccessModes();
        boolean everywhere = volume != null
                && volume.getSpec() != null
                && (volume.getSpec().getNfs() != null || volume.getSpec().getHostPath() != null);
        return !everywhere && !modes.isEmpty() && modes.stream().noneMatch(MANY_NODES::contains);
    }

    /** Where a volume can be reached. */
    private static List<List<Term>> of(PersistentVolume volume) {
        List<List<Term>> reach = new ArrayList<>();
        if (volume.getSpec() != null
                && volume.getSpec().getNodeAffinity() != null
                && volume.getSpec().getNodeAffinity().getRequired() != null) {
            reach.add(PodConstraints.terms(volume.getSpec().getNodeAffinity().getRequired()));
        }
        new TreeMap<>(Labels.of(volume)).forEach((key, value) -> {
            if (TOPOLOGY.containsKey(key)) {
                reach.add(zoned(key, List.of(value.split("__"))));
            }
        });
        return reach;
    }

    /** A node without any label of a zone or region takes a volume of whatever zone. */
    private static List<Term> zoned(String key, List<String> values) {
        List<Term> terms = new ArrayList<>();
        terms.add(labelled(new Requirement(key, Operator.IN, values)));
        String today = TOPOLOGY.getOrDefault(key, key);
        if (!today.equals(key)) {
            terms.add(labelled(
                    new Requirement(key, Operator.DOES_NOT_EXIST, List.of()),
                    new Requirement(today, Operator.IN, values)));
        }
        terms.add(new Term(
                TOPOLOGY.keySet().stream()
                        .sorted()
                        .map(label -> new Requirement(label, Operator.DOES_NOT_EXIST, List.of()))
                        .toList(),
                List.of()));
        return terms;
    }

    private static Term labelled(Requirement... requirements) {
        return new Term(List.of(requirements), List.of());
    }

    /** Where a claim may be bound that is bound when its pod starts. */
    private List<List<Term>> unbound(Use use, PersistentVolumeClaimSpec spec) {
        StorageClass one = classes.get(className(use));
        if (one == null || !volumeName(use).isEmpty()) {
            return List.of();
        }
        String selected = use.object() == null ? null : Annotations.find(use.object(), SELECTED_NODE);
        List<Term> made = makes(one) ? allowed(one) : NOWHERE;
        if (selected != null && !selected.isEmpty()) {
            Term there = new Term(List.of(), List.of(new Requirement("metadata.name", Operator.IN, List.of(selected))));
            return made.isEmpty() ? List.of(List.of(there)) : List.of(List.of(there), made);
        }
        if (made.isEmpty() || !waits(one) || !objects.known().contains(VolumeObjects.Kind.VOLUMES)) {
            return made.isEmpty() || made.equals(NOWHERE) ? List.of() : List.of(made);
        }
        Set<Term> terms = new HashSet<>(made.equals(NOWHERE) ? List.of() : made);
        for (PersistentVolume volume : suitable(use, spec)) {
            List<List<Term>> reach = of(volume);
            if (reach.isEmpty()) {
                return List.of();
            }
            // With both an affinity and zone labels the affinity is taken alone, as kube-scheduler does before it
            // binds.
            terms.addAll(reach.getFirst());
        }
        return List.of(terms.isEmpty() ? NOWHERE : merged(terms));
    }

    /** Where a class makes volumes, as terms of which one must hold; empty: everywhere. */
    private static List<Term> allowed(StorageClass one) {
        return one.getAllowedTopologies().stream()
                .map(term -> new Term(
                        term.getMatchLabelExpressions().stream()
                                .map(label -> new Requirement(label.getKey(), Operator.IN, label.getValues()))
                                .toList(),
                        List.of()))
                .toList();
    }

    /** The same terms, those that ask for a value of one and the same label as one. */
    private static List<Term> merged(Set<Term> terms) {
        Map<String, Set<String>> values = new TreeMap<>();
        List<Term> merged = new ArrayList<>();
        for (Term term : terms) {
            Requirement only = term.labels().size() == 1 && term.fields().isEmpty()
                    ? term.labels().getFirst()
                    : null;
            if (only != null && only.operator() == Operator.IN) {
                values.computeIfAbsent(only.key(), _ -> new TreeSet<>()).addAll(only.values());
            } else {
                merged.add(term);
            }
        }
        values.forEach((key, those) -> merged.add(labelled(new Requirement(key, Operator.IN, List.copyOf(those)))));
        merged.sort(Comparator.comparing(Term::toString));
        return merged;
    }

    /** The free volumes that a claim could be bound to; one that is kept for it is the only one. */
    private List<PersistentVolume> suitable(Use use, PersistentVolumeClaimSpec spec) {
        return suitable.computeIfAbsent(use.claim(), _ -> {
            List<PersistentVolume> all = objects.volumes().stream()
                    .filter(volume -> Isolated.get(() -> suits(volume, use, spec), _ -> false))
                    .toList();
            return all.stream()
                    .filter(PodVolumes::isKept)
                    .findFirst()
                    .map(List::of)
                    .orElse(all);
        });
    }

    private static boolean isKept(PersistentVolume volume) {
        return volume.getSpec().getClaimRef() != null;
    }

    private boolean suits(PersistentVolume volume, Use use, PersistentVolumeClaimSpec spec) {
        if (volume.getSpec() == null || volume.getMetadata().getDeletionTimestamp() != null) {
            return false;
        }
        var reference = volume.getSpec().getClaimRef();
        boolean kept = reference != null
                && use.claim().equals(reference.getNamespace() + "/" + reference.getName())
                && (reference.getUid() == null
                        || use.object() == null
                        || reference.getUid().equals(use.object().getMetadata().getUid()));
        String phase = volume.getStatus() == null ? null : volume.getStatus().getPhase();
        boolean free = reference == null && ("Available".equals(phase) || (files && phase == null));
        return (kept || free)
                && mode(volume.getSpec().getVolumeMode()).equals(mode(spec.getVolumeMode()))
                && isLargeEnough(volume, spec)
                && (kept
                        || (className(use).equals(className(volume))
                                && volume.getSpec().getAccessModes().containsAll(spec.getAccessModes())
                                && (spec.getSelector() == null
                                        || LabelSelectors.match(spec.getSelector(), Labels.of(volume)))));
    }

    private static String className(PersistentVolume volume) {
        String old = Annotations.find(volume, BETA_CLASS);
        String stated = old == null ? volume.getSpec().getStorageClassName() : old;
        return stated == null ? "" : stated;
    }

    private static String mode(@Nullable String mode) {
        return mode == null ? "Filesystem" : mode;
    }

    private static boolean isLargeEnough(PersistentVolume volume, PersistentVolumeClaimSpec spec) {
        var asked = spec.getResources() == null || spec.getResources().getRequests() == null
                ? null
                : spec.getResources().getRequests().get("storage");
        var there = volume.getSpec().getCapacity() == null
                ? null
                : volume.getSpec().getCapacity().get("storage");
        return asked == null
                || (there != null && QuantityAmounts.exact(there).compareTo(QuantityAmounts.exact(asked)) >= 0);
    }

    /**
     * The place that stands for the free volumes of which a claim takes one; null: volumes are made for it, or it has
     * one.
     */
    private @Nullable String free(Use use) {
        PersistentVolumeClaimSpec spec = use.spec();
        StorageClass one = classes.get(className(use));
        return spec == null
                        || one == null
                        || !waits(one)
                        || makes(one)
                        || !volumeName(use).isEmpty()
                        || !objects.known().contains(VolumeObjects.Kind.VOLUMES)
                        || suitable(use, spec).stream().anyMatch(PodVolumes::isKept)
                ? null
                : "free volumes of class %s for %s %s %s %s"
                        .formatted(
                                SafeText.value(className(use)),
                                mode(spec.getVolumeMode()),
                                spec.getAccessModes().stream().sorted().toList(),
                                spec.getResources() == null
                                        ? ""
                                        : spec.getResources().getRequests(),
                                spec.getSelector());
    }

    /** How many free volumes that suit a claim each node reaches. */
    private Map<String, Long> reachable(Use use) {
        Map<String, Long> reachable = new HashMap<>();
        nodes.forEach(node -> reachable.put(node.name(), 0L));
        List<PersistentVolume> there = use.spec() == null ? List.of() : suitable(use, use.spec());
        for (PersistentVolume volume : there) {
            List<List<Term>> reach = Isolated.get(() -> of(volume), _ -> List.of(NOWHERE));
            NodeConstraint constraint = NodeConstraint.NONE.reaching(reach);
            nodes.stream()
                    .filter(constraint::reachesVolumes)
                    .forEach(node -> reachable.merge(node.name(), 1L, Long::sum));
        }
        return reachable;
    }

    private static String attached(String driver) {
        return "volumes of " + SafeText.value(driver);
    }

    private static String mark(String claim) {
        return Place.mark("with volume claim " + claim);
    }

    private static String name(HasMetadata object) {
        return object.getMetadata().getNamespace() + "/" + object.getMetadata().getName();
    }
}
