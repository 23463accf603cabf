package io.slotwise.kubernetes.watch;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Informable;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Grant;
import io.slotwise.core.window.Window;
import io.slotwise.core.work.Isolated;
import io.slotwise.kubernetes.crd.v1alpha1.NamespaceLedger;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.manifest.ClusterObjects;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.KnownGang;
import io.slotwise.kubernetes.manifest.NamespaceReader;
import io.slotwise.kubernetes.manifest.NodeRoom;
import io.slotwise.kubernetes.manifest.Recollection;
import io.slotwise.kubernetes.manifest.Taken;
import io.slotwise.kubernetes.manifest.Usual;
import io.slotwise.live.ClusterView;
import io.slotwise.live.Facts;
import io.slotwise.live.Member;
import io.slotwise.live.Phase;
import io.slotwise.live.Settings;
import io.slotwise.live.Standing;
import io.slotwise.live.StartedMembers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/** The cluster as informers keep it: nodes, pods, namespaces, disruption budgets, Reservations, ledgers and the groups of other projects. */
public final class ClusterWatch implements ClusterView, AutoCloseable {
    /** Objects in one answer to a list: whole objects are only held for so many at a time, stripped ones for all. */
    static final long PAGE = 500;

    private static final Logger LOG = Logger.getLogger(ClusterWatch.class);
    private static final String BY_GANG = "gang";
    private static final String BY_NODE = "node";
    private static final String SINGLE = "pod-";
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(10);

    private final Intake intake;
    private final ReservationIndex reservations;
    private final LedgerIndex ledgers;
    private final Runnable changed;
    private final SharedIndexInformer<Node> nodes;
    private final SharedIndexInformer<Pod> pods;
    private final SharedIndexInformer<Namespace> namespaces;
    private final SharedIndexInformer<Reservation> reservationInformer;
    private final SharedIndexInformer<NamespaceLedger> ledgerInformer;
    private final SharedIndexInformer<PodDisruptionBudget> budgets;
    private final GroupWatch groups;
    private final OwnWrites ownWrites = new OwnWrites(
            pod -> watched(pod.getMetadata().getNamespace(), pod.getMetadata().getName()));
    private final Recollection recollection = new Recollection();
    private volatile boolean indexed;

    /**
     * A watch that begins with {@link #start}.
     *
     * @param intake how objects are read, under the settings of whoever asks
     * @param changed called after every change that a cycle should know of
     */
    public ClusterWatch(
            KubernetesClient client,
            Intake intake,
            ReservationIndex reservations,
            LedgerIndex ledgers,
            Runnable changed) {
        this.intake = intake;
        this.reservations = reservations;
        this.ledgers = ledgers;
        this.changed = changed;
        nodes = informer(client.nodes(), Relevance::nodeChanged, node -> {}, node -> {});
        pods = informer(
                client.pods().inAnyNamespace(), Relevance::podChanged, reservations::podSeen, reservations::podGone);
        pods.addIndexers(Map.of(BY_GANG, ClusterWatch::gangOf, BY_NODE, ClusterWatch::nodeOf));
        groups = new GroupWatch(client, changed, LOOK_AGAIN);
        namespaces = informer(client.namespaces(), Relevance::namespaceChanged, namespace -> {}, namespace -> {});
        budgets = informer(
                client.policy().v1().podDisruptionBudget().inAnyNamespace(),
                Relevance::budgetChanged,
                budget -> {},
                budget -> {});
        reservationInformer = informer(
                client.resources(Reservation.class).inAnyNamespace(),
                (before, after) -> true,
                reservations::accept,
                reservations::remove);
        ledgerInformer = informer(
                client.resources(NamespaceLedger.class).inAnyNamespace(),
                (before, after) -> true,
                ledgers::accept,
                ledgers::remove);
    }

    private List<SharedIndexInformer<?>> informers() {
        return List.of(nodes, pods, namespaces, budgets, reservationInformer, ledgerInformer);
    }

    /** Begins to watch; returns at once. */
    public void start() {
        for (SharedIndexInformer<?> informer : informers()) {
            informer.exceptionHandler((started, problem) -> {
                LOG.warnf(
                        "watching %s failed and is tried again: %s",
                        informer.getApiTypeClass().getSimpleName(), problem.getMessage());
                return true;
            });
            var _ = informer.start();
        }
        groups.start();
    }

    /**
     * {@inheritDoc}
     *
     * <p>An informer has synced before its handlers have been told, so the first time the index is filled from the informers'
     * own stores: a cycle without the promises that stand would give their room away.
     */
    @Override
    public boolean ready() {
        if (indexed) {
            return true;
        }
        if (!groups.ready() || !informers().stream().allMatch(SharedIndexInformer::hasSynced)) {
            return false;
        }
        reservationInformer.getStore().list().forEach(item -> take(item, reservations::accept));
        ledgerInformer.getStore().list().forEach(item -> take(item, ledgers::accept));
        pods.getStore().list().forEach(item -> take(item, reservations::podSeen));
        indexed = true;
        return true;
    }

    @Override
    public Facts facts() {
        TreeMap<GangId, Standing> standings = new TreeMap<>();
        TreeMap<GangId, List<Member>> members = new TreeMap<>();
        for (Standing standing : reservations.standings()) {
            standings.put(standing.gang(), standing);
            members.put(standing.gang(), members(standing));
        }
        SortedMap<String, Grant> grants =
                NamespaceReader.grants(namespaces.getStore().list());
        grants.putAll(ledgers.unreadable());
        return new Facts(standings, members, grants, ledgers.ledgers());
    }

    @Override
    public Set<String> namespaces() {
        return namespaces.getStore().list().stream()
                .map(namespace -> namespace.getMetadata().getName())
                .collect(Collectors.toSet());
    }

    @Override
    public Collection<Standing> standings() {
        return reservations.standings();
    }

    @Override
    public @Nullable Standing standing(GangId gang) {
        return reservations.standing(gang);
    }

    @Override
    public Map<GangId, String> unreadable() {
        return reservations.unreadable();
    }

    @Override
    public boolean usable(String name) {
        Node node = nodes.getStore().getByKey(name);
        return node != null && Relevance.usable(node);
    }

    @Override
    public boolean hasRoom(Window window, Collection<Window> others) {
        Map<String, List<Pod>> coming = new HashMap<>();
        window.placements().forEach(place -> coming.put(place.node(), new ArrayList<>()));
        Stream.concat(Stream.of(window), others.stream())
                .forEach(one -> one.placements().forEach(place -> {
                    List<Pod> onNode = coming.get(place.node());
                    Pod pod = onNode == null ? null : pod(one.gang().namespace(), place.pod());
                    if (onNode != null && pod != null && !PodState.isOver(pod)) {
                        onNode.add(pod);
                    }
                }));
        return coming.entrySet().stream().allMatch(node -> shortage(node.getKey(), node.getValue()) == null);
    }

    /**
     * The resource of which a node has too little for these pods beside those that are bound to it. O(pods of the node).
     *
     * @return null if they fit, or if that cannot be told: kube-scheduler has the last word
     */
    @Nullable
    String shortage(String name, Collection<Pod> coming) {
        Node node = node(name);
        if (node == null) {
            return null;
        }
        Map<String, Pod> there = new LinkedHashMap<>();
        podsOn(name).forEach(pod -> there.put(pod.getMetadata().getUid(), pod));
        coming.forEach(pod -> there.put(pod.getMetadata().getUid(), pod));
        try {
            return NodeRoom.shortage(node, there.values());
        } catch (IllegalArgumentException e) {
            LOG.debugf("the room on node %s cannot be told: %s", name, e.getMessage());
            return null;
        }
    }

    @Override
    public Intaken take(Settings settings, Collection<Standing> standings, long now) {
        Map<GangId, KnownGang> known = new HashMap<>();
        List<Reservation> holds = new ArrayList<>();
        for (Standing standing : standings) {
            if (standing.phase() == Phase.COMPLETED && !hasLateReplacement(standing)) {
                continue;
            }
            Reservation hold = standing.tenure().isHeld() ? reservations.byGang(standing.gang()) : null;
            if (hold != null) {
                holds.add(hold);
            }
            OptionalLong startedAt =
                    standing.phase().started() ? standing.history().startedAt() : OptionalLong.empty();
            known.put(
                    standing.gang(),
                    new KnownGang(
                            standing.promise(),
                            startedAt,
                            standing.avoided().keySet(),
                            Usual.of(standing.terms()),
                            standing.tariff(),
                            standing.history().past(),
                            standing.history().seen(),
                            standing.history().attempts(),
                            standing.startedMembers()));
        }
        ClusterObjects objects = new ClusterObjects(
                nodes.getStore().list(),
                ownWrites.on(pods.getStore().list()),
                namespaces.getStore().list(),
                holds,
                budgets.getStore().list(),
                List.of(),
                groups,
                List.of());
        Taken taken = taken(settings, objects, known, now);
        List<Notice> notices = taken.warnings().stream()
                .map(warning -> new Notice(
                        warning.kind(),
                        warning.namespace(),
                        warning.name(),
                        warning.reason().key(),
                        warning.message()))
                .toList();
        return new Intaken(taken.snapshot(), taken.claims().knowing(over(standings), guests(standings)), notices);
    }

    private Taken taken(Settings settings, ClusterObjects objects, Map<GangId, KnownGang> known, long now) {
        synchronized (recollection) {
            return intake.under(settings).take(objects, known, now, now, recollection);
        }
    }

    /** How the advance reservations ended that are over. */
    private static Map<GangId, String> over(Collection<Standing> standings) {
        return standings.stream()
                .filter(standing -> standing.tenure().isHeld() && standing.phase() == Phase.COMPLETED)
                .collect(Collectors.toMap(
                        Standing::gang, standing -> standing.started().message()));
    }

    /** The pods of gangs that have a part of an advance reservation. */
    private static Map<GangId, Set<String>> guests(Collection<Standing> standings) {
        Map<GangId, Set<String>> guests = new HashMap<>();
        for (Standing standing : standings) {
            GangId host = standing.host();
            if (host != null && standing.promise() != null) {
                standing.promise()
                        .window()
                        .placements()
                        .forEach(place -> guests.computeIfAbsent(host, _ -> new HashSet<>())
                                .add(host.namespace() + "/" + place.pod()));
            }
        }
        return guests;
    }

    /**
     * The pods of a gang that exist. A pod that replaces a lost member is a gang of its own, named like a pod without a gang,
     * although its label names the old one.
     */
    public List<Pod> podsOf(GangId gang) {
        List<Pod> members = ownWrites.on(pods.getIndexer().byIndex(BY_GANG, gang.toString()));
        if (!members.isEmpty() || !gang.name().startsWith(SINGLE)) {
            return members;
        }
        Pod single = pod(gang.namespace(), gang.name().substring(SINGLE.length()));
        return single == null ? List.of() : List.of(single);
    }

    /** The pods that are bound to a node and have not ended. */
    public List<Pod> podsOn(String node) {
        return Stream.concat(pods.getIndexer().byIndex(BY_NODE, node).stream(), ownWrites.boundTo(node))
                .toList();
    }

    /** An index that throws would end the watch for all pods. */
    private static List<String> gangOf(Pod pod) {
        return Isolated.get(() -> List.of(Intake.gangOf(pod).toString()), _ -> List.of());
    }

    private static List<String> nodeOf(Pod pod) {
        String node = pod.getSpec().getNodeName();
        return node == null || node.isEmpty() || PodState.hasEnded(pod) ? List.of() : List.of(node);
    }

    /** A pod as it was seen last, with what this program has done to it since; null: it is not there. */
    public @Nullable Pod pod(String namespace, String name) {
        Pod seen = watched(namespace, name);
        return seen == null ? null : ownWrites.on(seen);
    }

    /** A pod as the watch alone has it; null: it is not there. */
    @Nullable
    Pod watched(String namespace, String name) {
        return pods.getStore().getByKey(namespace + "/" + name);
    }

    /** This program has bound a pod. */
    void bound(String namespace, String name, String uid, String node) {
        Pod seen = seen(namespace, name, uid);
        if (seen != null) {
            ownWrites.bound(seen, node);
        }
    }

    /** This program has taken our gate off a pod. */
    public void ungated(String namespace, String name, String uid) {
        Pod seen = seen(namespace, name, uid);
        if (seen != null) {
            ownWrites.ungated(seen);
        }
    }

    /** This program has written something to a pod that nobody plans by; it has another version since. */
    public void written(Pod over, String version) {
        ownWrites.written(over, version);
    }

    /** The version of a pod that the watch shows, as far as this program knows a later one. */
    String versionOf(Pod seen) {
        return ownWrites.versionOf(seen);
    }

    private @Nullable Pod seen(String namespace, String name, String uid) {
        Pod seen = watched(namespace, name);
        return seen != null && uid.equals(seen.getMetadata().getUid()) ? seen : null;
    }

    /** A node as it was seen last, or null. */
    public @Nullable Node node(String name) {
        return nodes.getStore().getByKey(name);
    }

    @Override
    public void close() {
        groups.close();
        informers().forEach(SharedIndexInformer::stop);
    }

    @Override
    public List<Member> members(Standing standing) {
        List<Member> members = new ArrayList<>();
        if (standing.tenure().isHeld()) {
            return members;
        }
        if (standing.promise() == null) {
            List<Pod> pods = podsOf(standing.gang());
            // What cannot be told for an error is told of the gang as it is taken in.
            if (!Isolated.get(() -> intake.isApart(standing.gang(), pods, groups), _ -> false)) {
                pods.stream().filter(pod -> !isSingle(standing.gang(), pod)).forEach(pod -> members.add(member(pod)));
            }
            return members;
        }
        StartedMembers started = standing.startedMembers();
        standing.promise().window().placements().forEach(place -> {
            Pod pod = pod(standing.gang().namespace(), place.pod());
            if (pod != null && !Intake.isReplacement(pod, started)) {
                members.add(member(pod));
            }
        });
        if (!standing.phase().started() && members.isEmpty()) {
            podsOf(standing.gang()).forEach(pod -> members.add(member(pod)));
        }
        return members;
    }

    /** Whether a pod waits that came instead of a member while this gang ran, which has ended before anybody planned it. */
    private boolean hasLateReplacement(Standing standing) {
        OptionalLong endedAt = standing.history().endedAt();
        return endedAt.isPresent()
                && podsOf(standing.gang()).stream()
                        .anyMatch(pod -> PodState.state(pod) == Member.State.WAITING
                                && Intake.isReplacement(pod, standing.history().startedMembers())
                                && !Intake.isCreatedFrom(pod, endedAt.getAsLong() + 1));
    }

    /** Whether a pod with the label of this gang has a record of its own. */
    private boolean isSingle(GangId gang, Pod pod) {
        GangId own = Intake.ownGang(pod);
        return !own.equals(gang) && reservations.byGang(own) != null;
    }

    private Member member(Pod pod) {
        Member member = PodState.member(pod);
        return goesDirect(pod) ? member.byItself() : member;
    }

    /** Whether Slotwise binds this pod itself. */
    public boolean goesDirect(Pod pod) {
        return intake.goesDirect(pod);
    }

    private <T extends HasMetadata> SharedIndexInformer<T> informer(
            Informable<T> resources, BiPredicate<T, T> relevant, Consumer<T> seen, Consumer<T> gone) {
        SharedIndexInformer<T> informer = resources.withLimit(PAGE).runnableInformer(0);
        informer.removeNamespaceIndex();
        informer.itemStore(new StrippedStore<>());
        informer.addEventHandler(new ResourceEventHandler<T>() {
            @Override
            public void onAdd(T item) {
                take(item, seen);
                changed.run();
            }

            @Override
            public void onUpdate(T before, T after) {
                take(after, seen);
                if (Isolated.get(() -> relevant.test(before, after), _ -> true)) {
                    changed.run();
                }
            }

            @Override
            public void onDelete(T item, boolean finalStateUnknown) {
                take(item, gone);
                changed.run();
            }
        });
        return informer;
    }

    private static <T extends HasMetadata> void take(T item, Consumer<T> with) {
        Isolated.run(
                () -> with.accept(item),
                error -> LOG.errorf(
                        error,
                        "%s %s/%s could not be taken in; the others are",
                        item.getKind(),
                        item.getMetadata().getNamespace(),
                        item.getMetadata().getName()));
    }
}
