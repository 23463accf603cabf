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
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueObject;
import io.slotwise.kubernetes.extender.PodReservation;
import io.slotwise.kubernetes.gangs.GroupKey;
import io.slotwise.kubernetes.gangs.GroupKind;
import io.slotwise.kubernetes.gangs.GroupObjects;
import io.slotwise.kubernetes.gangs.JobSetWaves;
import io.slotwise.kubernetes.manifest.ClusterObjects;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.admission.PodAdmissions;
import io.slotwise.kubernetes.manifest.field.OptionalObjects;
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
 * The cluster as kept by watches: nodes, pods, namespaces, disruption budgets, volumes, devices, Reservations, ledgers,
 * run histories and the groups of other projects. Each watch can prove that it is alive, see {@link Reflector}. Without
 * the permission to read volumes, devices or run histories, these are unknown.
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
     * Creates a watch that begins with {@link #start}.
     *
     * @param intake reads objects, with the settings of its caller
     * @param changed called after every change that needs a cycle
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
        // Reflectors repeat watches and lists. The client would do so at once, whatever delay the API server asks for.
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
     * Adds the watches of purchases and offers. To be called before {@link #start}.
     *
     * @param namespace the namespace of Slotwise's ProvisioningRequests
     */
    public PurchaseWatch buying(List<Node> catalogue, String namespace) {
        purchases = PurchaseWatch.of(client, this::reflector, catalogue, namespace, nodeReflector);
        return purchases;
    }

    /** Reports the state of the mandatory watches. */
    public void showTo(WatchObserver observer) {
        reflectors().forEach(reflector -> observer.watching(reflector.kind(), reflector::sinceProof));
    }

    /**
     * Reports expected changes separately: a pod is released or bound to its promised node, its containers run, or a
     * gang's record is written. To be called before {@link #start}; without this call they are reported as other
     * changes.
     *
     * @param told called for expected changes instead of the callback for all others
     */
    public void whenAsPlanned(Runnable told) {
        wentAsPlanned = told;
    }

    /** Returns whether a pod has only come closer to its promised node: released, bound or running there. */
    private boolean isOnItsWay(Pod before, Pod pod) {
        if (PodState.isOver(pod) || !ChangeFilter.hasGoneOn(before, pod)) {
            return false;
        }
        PodReservation podReservation = reservations()
                .ofPod(pod.getMetadata().getNamespace(), pod.getMetadata().getName());
        PlacementSpec placement = podReservation == null ? null : podReservation.placement();
        String node = pod.getSpec().getNodeName();
        return placement != null
                && (node == null || node.isEmpty() || placement.node().equals(node));
    }

    /** Starts the watches without waiting for them. */
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

    /** Reads a node and the pods on it. Fails if the API server does not answer. O(its pods). */
    void read(String name) {
        Node node = node(name);
        nodeReflector.read("metadata.name=" + name, node == null ? List.of() : List.of(node));
        podReflector.read("spec.nodeName=" + name, byNode.get(name));
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
                unreadableBudgets(),
                runsIndex.values(),
                PodAdmissions.NONE);
    }

    /** Returns budgets that cannot be reported because the ledger is unreadable. */
    private Map<String, Grant> unreadableBudgets() {
        Map<String, Grant> unreadable = new HashMap<>();
        ledgersIndex
                .problems()
                .forEach((namespace, problem) -> unreadable.put(namespace, new Grant.Unreadable(problem)));
        return unreadable;
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

    public List<QueueObject> queues() {
        return optional.list(QueueObject.class);
    }

    @Override
    List<Node> nodes(List<Node> existing, Collection<GangRecord> records) {
        return purchases == null ? existing : purchases.withFutureNodes(existing, records);
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

    /** Returns a pod as the watch has it, without pending writes, or null. */
    @Nullable
    Pod watched(String namespace, String name) {
        return podReflector.get(namespace + "/" + name);
    }

    void bound(String namespace, String name, String uid, String node) {
        Pod seenPod = seen(namespace, name, uid);
        if (seenPod != null) {
            ownWrites.bound(seenPod, node);
        }
    }

    public void ungated(String namespace, String name, String uid) {
        Pod seenPod = seen(namespace, name, uid);
        if (seenPod != null) {
            ownWrites.ungated(seenPod);
        }
    }

    /** Notes a write of this program that changes nothing for the planner except the pod's version. */
    public void written(Pod finishedPod, String version) {
        ownWrites.written(finishedPod, version);
    }

    /** Returns the pod's newest version known to this program, which may be later than the watch's. */
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

    /** Passes changes on, and reports those that need a cycle. */
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

        /** Returns whether a change was expected; by default none is. */
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

    /** Passes changes of pods on, indexes pods by gang and node, and names them by the waves of their JobSet. */
    private final class PodChanges extends Changes<Pod> {
        PodChanges() {
            super(ChangeFilter::podChanged, reservations()::podSeen, reservations()::podGone, (_, _) -> {});
        }

        @Override
        public void strip(Pod pod) {
            takeIn(pod, groups, before(pod));
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
