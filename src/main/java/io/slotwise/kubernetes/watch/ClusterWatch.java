package io.slotwise.kubernetes.watch;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.dsl.AnyNamespaceOperation;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Grant;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.core.provision.Provisioning;
import io.slotwise.core.runtime.RunHistory;
import io.slotwise.core.work.Isolated;
import io.slotwise.kubernetes.crd.v1alpha1.NamespaceLedger;
import io.slotwise.kubernetes.crd.v1alpha1.NamespaceRunHistory;
import io.slotwise.kubernetes.crd.v1alpha1.PlacementSpec;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.extender.ReservedSeat;
import io.slotwise.kubernetes.gangs.GroupKey;
import io.slotwise.kubernetes.gangs.GroupKind;
import io.slotwise.kubernetes.gangs.GroupObjects;
import io.slotwise.kubernetes.gangs.JobSetWaves;
import io.slotwise.kubernetes.manifest.ClusterObjects;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.admission.PodAdmissions;
import io.slotwise.kubernetes.manifest.field.OptionalObjects;
import io.slotwise.kubernetes.manifest.workload.ComingWaves;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.settings.LoopSettings;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The cluster as watches keep it: nodes, pods, namespaces, disruption budgets, what there is of volumes and devices,
 * Reservations, ledgers, past runs and the groups of other projects. All are known to live or to hang: see {@link
 * Reflector}. Without the right to read what there is of volumes, devices or past runs, it is not known.
 */
public final class ClusterWatch extends ObservedCluster implements AutoCloseable {
    private static final Logger LOG = Logger.getLogger(ClusterWatch.class);

    private final KubernetesClient client;
    private final NamespaceIndex<NamespaceLedger, Ledger> ledgersIndex = NamespaceIndex.ofLedgers();
    private final NamespaceIndex<NamespaceRunHistory, RunHistory> runsIndex = NamespaceIndex.ofRuns();
    private final Runnable changed;
    private final WatchTiming timing;
    private final ProcessClock clock;
    private final ObjectIndex<Pod> byGang = new ObjectIndex<>(PodState::gangOf);
    private final ObjectIndex<Pod> byNode = new ObjectIndex<>(PodState::nodeOf);
    private final Reflector<Node> nodeReflector;
    private final Reflector<Pod> podReflector;
    private final Reflector<Namespace> namespaceReflector;
    private final Reflector<Reservation> recordReflector;
    private final Reflector<NamespaceLedger> bookReflector;
    private final Reflector<NamespaceRunHistory> historyReflector;
    private final Reflector<PodDisruptionBudget> budgetReflector;
    private final OptionalWatches optional;
    private final GroupWatch groups;
    private final PendingWrites ownWrites;
    private @Nullable PurchaseWatch purchases;
    private volatile Runnable wentAsPlanned;
    private volatile boolean seen;

    /**
     * A watch that begins with {@link #start}.
     *
     * @param intake how objects are read, under the settings of the caller that asks
     * @param changed called after every change that a cycle should know of
     */
    public ClusterWatch(
            KubernetesClient shared,
            Intake intake,
            ReservationIndex reservations,
            Runnable changed,
            WatchTiming timing) {
        super(intake, reservations);
        this.changed = changed;
        this.wentAsPlanned = changed;
        this.timing = timing;
        this.clock = new ProcessClock(timing.nanos());
        // Watches are begun again and lists repeated here: the client would do so at once, whatever the API server
        // asks.
        client = shared.newClient(
                        new RequestConfigBuilder(shared.getConfiguration().getRequestConfig())
                                .withRequestRetryBackoffLimit(0)
                                .withWatchReconnectLimit(0)
                                .build())
                .adapt(KubernetesClient.class);
        ownWrites = new PendingWrites(
                pod -> watched(
                        pod.getMetadata().getNamespace(), pod.getMetadata().getName()),
                timing.nanos());
        groups = new GroupWatch(client, changed, this::nameAgain, timing, clock);
        nodeReflector = reflector("nodes", client.nodes(), ChangeFilter::nodeChanged);
        podReflector = reflector("pods", client.pods().inAnyNamespace(), new PodChanges());
        namespaceReflector = reflector("namespaces", client.namespaces(), ChangeFilter::namespaceChanged);
        budgetReflector = reflector(
                "poddisruptionbudgets",
                client.policy().v1().podDisruptionBudget().inAnyNamespace(),
                ChangeFilter::budgetChanged);
        optional = new OptionalWatches(client, this::reflector);
        recordReflector = reflector(
                "reservations",
                client.resources(Reservation.class).inAnyNamespace(),
                new Changes<>((_, _) -> true, reservations::watched, reservations::remove, reservations::listed) {
                    @Override
                    boolean isAsPlanned(@Nullable Reservation before, Reservation reservation) {
                        return reservation.getSpec() != null
                                && reservation.getSpec().hold() == null;
                    }
                });
        bookReflector = reflector(
                "ledgers",
                client.resources(NamespaceLedger.class).inAnyNamespace(),
                new Changes<>((_, _) -> true, ledgersIndex::accept, ledgersIndex::remove, ledgersIndex::listed));
        historyReflector = reflector(
                "runhistories",
                client.resources(NamespaceRunHistory.class).inAnyNamespace(),
                new Changes<>((_, _) -> false, runsIndex::accept, runsIndex::remove, runsIndex::listed));
        reservations.onAnswer(recordReflector::written);
    }

    /** A pod as it was seen last; null: it is new. */
    private @Nullable Pod before(Pod pod) {
        return seen(
                pod.getMetadata().getNamespace(),
                pod.getMetadata().getName(),
                pod.getMetadata().getUid());
    }

    /** Names the pods that were seen before their JobSet. */
    private void nameAgain(GenericKubernetesResource set) {
        GroupKey key = GroupKey.of(set);
        if (key != null && key.kind() == GroupKind.JOB_SET) {
            Map<String, JobSetWaves.Later> later = JobSetWaves.of(set);
            GangId unnamedId = new GangId(key.namespace(), JobSetWaves.gang(key.name(), null));
            podReflector.stripAgain(
                    () -> byGang.get(unnamedId.toString()).stream()
                            .filter(pod -> key.equals(JobSetWaves.setOf(pod))
                                    && later.containsKey(String.valueOf(JobSetWaves.roleOf(pod))))
                            .toList(),
                    pod -> new PodBuilder(pod).build());
        }
    }

    private List<Reflector<?>> reflectors() {
        return List.of(
                nodeReflector, podReflector, namespaceReflector, budgetReflector, recordReflector, bookReflector);
    }

    private Stream<Reflector<?>> optional() {
        return Stream.concat(
                optional.all().stream(), Stream.ofNullable(purchases).flatMap(PurchaseWatch::reflectors));
    }

    /**
     * Watches what can be bought and was bought, too. Before {@link #start}.
     *
     * @param namespace of Slotwise's own ProvisioningRequests
     */
    public PurchaseWatch buying(List<Node> catalogue, String namespace) {
        purchases = PurchaseWatch.of(client, this::reflector, catalogue, namespace, nodeReflector);
        return purchases;
    }

    /** Shows how the watches are that there have to be. */
    public void showTo(WatchObserver observer) {
        reflectors().forEach(reflector -> observer.watching(reflector.kind(), reflector::sinceProof));
    }

    /**
     * Tells apart what goes as it was planned: a pod is sent or bound to the node of its seat, its containers run, the
     * record of a gang is written. Before {@link #start}; otherwise it is told as any change.
     *
     * @param told called in place of what every other change calls
     */
    public void whenAsPlanned(Runnable told) {
        wentAsPlanned = told;
    }

    /**
     * Whether nothing has come of a pod but that it is on its way to where its gang's window says, bound or running
     * there.
     */
    private boolean isOnItsWay(Pod before, Pod pod) {
        if (PodState.isOver(pod) || !ChangeFilter.hasGoneOn(before, pod)) {
            return false;
        }
        ReservedSeat seat = reservations()
                .seat(pod.getMetadata().getNamespace(), pod.getMetadata().getName());
        PlacementSpec placement = seat == null ? null : seat.placement();
        String node = pod.getSpec().getNodeName();
        return placement != null
                && (node == null || node.isEmpty() || placement.node().equals(node));
    }

    /** Begins to watch; returns at once. */
    public void start() {
        reflectors()
                .forEach(reflector -> reflector.start(
                        reflector == podReflector ? () -> ownWrites.isUnseenFor(timing.echo()) : () -> false));
        optional().forEach(reflector -> reflector.start(() -> false));
        historyReflector.start(() -> false);
        groups.start();
        clock.start();
    }

    @Override
    public boolean ready() {
        if (!seen) {
            seen = groups.ready()
                    && reflectors().stream().allMatch(Reflector::hasSynced)
                    && Stream.concat(optional(), Stream.of(historyReflector))
                            .allMatch(reflector -> reflector.hasSynced() || reflector.isWithheld());
        }
        return seen;
    }

    @Override
    public boolean isCurrent() {
        return podReflector.isCurrent() && nodeReflector.isCurrent() && recordReflector.isCurrent();
    }

    @Override
    public Set<String> namespaces() {
        return namespaceReflector.list().stream()
                .map(namespace -> namespace.getMetadata().getName())
                .collect(Collectors.toSet());
    }

    @Override
    public Set<String> namespacesWithGangs() {
        return recordReflector.list().stream()
                .map(reservation -> reservation.getMetadata().getNamespace())
                .collect(Collectors.toSet());
    }

    @Override
    PurchaseWatch.Offered offered(LoopSettings settings, long now) {
        return purchases == null || settings.policy().provisioning().mode() == Provisioning.Mode.NONE
                ? PurchaseWatch.Offered.NOTHING
                : purchases.offered(intake().under(settings), now);
    }

    @Override
    ClusterObjects objects() {
        return new ClusterObjects(
                nodeReflector.list(),
                ownWrites.on(podReflector.list()),
                namespaceReflector.list(),
                List.of(),
                budgetReflector.list(),
                List.copyOf(ledgersIndex.values().values()),
                groups,
                List.of(),
                optional.objects(),
                untold(),
                runsIndex.values(),
                PodAdmissions.NONE);
    }

    /** Budgets that cannot be told because the ledger cannot be read. */
    private Map<String, Grant> untold() {
        Map<String, Grant> unreported = new HashMap<>();
        ledgersIndex
                .problems()
                .forEach((namespace, problem) -> unreported.put(namespace, new Grant.Unreadable(problem)));
        return unreported;
    }

    public NamespaceIndex<NamespaceLedger, Ledger> ledgers() {
        return ledgersIndex;
    }

    public NamespaceIndex<NamespaceRunHistory, RunHistory> runs() {
        return runsIndex;
    }

    @Override
    public GroupObjects groups() {
        return groups;
    }

    @Override
    List<DeviceClass> deviceClasses() {
        return optional.list(DeviceClass.class);
    }

    @Override
    List<Node> nodes(List<Node> there, Collection<GangRecord> records) {
        return purchases == null ? there : purchases.with(there, records);
    }

    @Override
    List<Pod> naming(GangId gang) {
        return ownWrites.on(byGang.get(gang.toString()));
    }

    @Override
    OptionalObjects optionalObjects() {
        return optional.objects();
    }

    @Override
    public List<Pod> podsOn(String node) {
        return Stream.concat(byNode.get(node).stream(), ownWrites.boundTo(node)).toList();
    }

    @Override
    public @Nullable Pod pod(String namespace, String name) {
        Pod seenPod = watched(namespace, name);
        return seenPod == null ? null : ownWrites.on(seenPod);
    }

    /** A pod as the watch alone has it; null: it is not there. */
    @Nullable
    Pod watched(String namespace, String name) {
        return podReflector.get(namespace + "/" + name);
    }

    /** This program has bound a pod. */
    void bound(String namespace, String name, String uid, String node) {
        Pod seenPod = seen(namespace, name, uid);
        if (seenPod != null) {
            ownWrites.bound(seenPod, node);
        }
    }

    /** This program has taken our gate off a pod. */
    public void ungated(String namespace, String name, String uid) {
        Pod seenPod = seen(namespace, name, uid);
        if (seenPod != null) {
            ownWrites.ungated(seenPod);
        }
    }

    /** This program has written something to a pod that no planner plans by; the pod has another version since. */
    public void written(Pod finishedPod, String version) {
        ownWrites.written(finishedPod, version);
    }

    /** The version of a pod that the watch shows, as far as this program knows a later one. */
    String versionOf(Pod seenPod) {
        return ownWrites.versionOf(seenPod);
    }

    private @Nullable Pod seen(String namespace, String name, String uid) {
        Pod seenPod = watched(namespace, name);
        return seenPod != null && uid.equals(seenPod.getMetadata().getUid()) ? seenPod : null;
    }

    @Override
    public @Nullable Node node(String name) {
        return nodeReflector.get(name);
    }

    @Override
    public void close() {
        groups.close();
        reflectors().forEach(Reflector::close);
        historyReflector.close();
        optional().forEach(Reflector::close);
        clock.close();
    }

    private <T extends HasMetadata> Reflector<T> reflector(
            String kind,
            AnyNamespaceOperation<T, ? extends KubernetesResourceList<T>, ?> resources,
            Changes<T> changes) {
        return new Reflector<>(kind, Reflector.Source.of(resources), changes, timing, clock);
    }

    private <T extends HasMetadata> Reflector<T> reflector(
            String kind,
            AnyNamespaceOperation<T, ? extends KubernetesResourceList<T>, ?> resources,
            BiPredicate<T, T> relevant) {
        return reflector(kind, resources, new Changes<>(relevant, _ -> {}, _ -> {}, (_, _) -> {}));
    }

    /** Hands changes on, and says that a cycle should know of those that matter. */
    private class Changes<T extends HasMetadata> implements Reflector.Handler<T> {
        private final BiPredicate<T, T> relevant;
        private final Consumer<T> come;
        private final Consumer<T> left;
        private final BiConsumer<Set<String>, String> listed;

        Changes(
                BiPredicate<T, T> relevant,
                Consumer<T> come,
                Consumer<T> left,
                BiConsumer<Set<String>, String> listed) {
            this.relevant = relevant;
            this.come = come;
            this.left = left;
            this.listed = listed;
        }

        @Override
        public void seen(@Nullable T before, T now) {
            take(now, come);
            if (before == null || Isolated.get(() -> relevant.test(before, now), _ -> true)) {
                (Isolated.get(() -> isAsPlanned(before, now), _ -> false) ? wentAsPlanned : changed).run();
            }
        }

        /**
         * Whether a change that a cycle should know of is one that it expects; none is, where a kind does not say so.
         */
        @SuppressWarnings("UnusedVariable")
        boolean isAsPlanned(@Nullable T before, T now) {
            return false;
        }

        @Override
        public void gone(T last) {
            take(last, left);
            changed.run();
        }

        @Override
        public void listed(Set<String> keys, String version) {
            listed.accept(keys, version);
        }

        @Override
        public void withheld() {
            changed.run();
        }

        @Override
        public void current() {
            changed.run();
        }
    }

    /** Hands changes of pods on, too, which are kept by gang and by node and named by the waves of their JobSet. */
    private final class PodChanges extends Changes<Pod> {
        PodChanges() {
            super(ChangeFilter::podChanged, reservations()::podSeen, reservations()::podGone, (_, _) -> {});
        }

        @Override
        public void strip(Pod pod) {
            Isolated.run(() -> ComingWaves.name(reservations().bound(pod), groups, before(pod)), _ -> {});
        }

        @Override
        public void seen(@Nullable Pod before, Pod pod) {
            String key = Cache.metaNamespaceKeyFunc(pod);
            byGang.put(key, before, pod);
            byNode.put(key, before, pod);
            super.seen(before, pod);
        }

        @Override
        boolean isAsPlanned(@Nullable Pod before, Pod pod) {
            return before != null && isOnItsWay(before, pod);
        }

        @Override
        public void gone(Pod last) {
            String key = Cache.metaNamespaceKeyFunc(last);
            byGang.remove(key, last);
            byNode.remove(key, last);
            super.gone(last);
        }
    }

    private static <T extends HasMetadata> void take(T item, Consumer<T> with) {
        Isolated.run(
                () -> with.accept(item),
                error -> LOG.errorf(
                        error,
                        "%s %s/%s could not be processed; the others were",
                        item.getKind(),
                        item.getMetadata().getNamespace(),
                        item.getMetadata().getName()));
    }
}
