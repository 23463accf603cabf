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
import io.slotwise.core.gang.GangId;
import io.slotwise.core.provision.Provisioning;
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
import io.slotwise.kubernetes.manifest.device.DeviceObjects;
import io.slotwise.kubernetes.manifest.workload.ComingWaves;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.settings.LoopSettings;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
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
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(10);

    private final KubernetesClient client;
    private final LedgerIndex ledgers;
    private final RunHistoryIndex runs;
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
            KubernetesClient client,
            Intake intake,
            ReservationIndex reservations,
            LedgerIndex ledgers,
            RunHistoryIndex runs,
            Runnable changed) {
        this(client, intake, reservations, ledgers, runs, changed, System::nanoTime);
    }

    /**
     * The same by another clock.
     *
     * @param nanos only runs forward, nanoseconds; where it does not change no watch ever hangs
     */
    public ClusterWatch(
            KubernetesClient client,
            Intake intake,
            ReservationIndex reservations,
            LedgerIndex ledgers,
            RunHistoryIndex runs,
            Runnable changed,
            LongSupplier nanos) {
        this(client, intake, reservations, ledgers, runs, changed, WatchTiming.DEFAULT, nanos);
    }

    /** The same with other times. */
    ClusterWatch(
            KubernetesClient shared,
            Intake intake,
            ReservationIndex reservations,
            LedgerIndex ledgers,
            RunHistoryIndex runs,
            Runnable changed,
            WatchTiming timing,
            LongSupplier nanos) {
        super(intake, reservations);
        this.ledgers = ledgers;
        this.runs = runs;
        this.changed = changed;
        this.wentAsPlanned = changed;
        this.timing = timing;
        this.clock = new ProcessClock(nanos);
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
                nanos);
        groups = new GroupWatch(client, changed, this::nameAgain, LOOK_AGAIN, timing, clock);
        nodeReflector = reflector("nodes", client.nodes(), ChangeFilter::nodeChanged);
        podReflector = new Reflector<>(
                "pods",
                Reflector.Source.of(client.pods().inAnyNamespace()),
                new Changes<>(ChangeFilter::podChanged, reservations::podSeen, reservations::podGone) {
                    @Override
                    boolean isAsPlanned(@Nullable Pod before, Pod pod) {
                        return before != null && isOnItsWay(before, pod);
                    }
                },
                List.of(byGang, byNode),
                pod -> Isolated.run(() -> ComingWaves.name(reservations.bound(pod), groups, before(pod)), _ -> {}),
                timing,
                clock);
        namespaceReflector = reflector("namespaces", client.namespaces(), ChangeFilter::namespaceChanged);
        budgetReflector = reflector(
                "poddisruptionbudgets",
                client.policy().v1().podDisruptionBudget().inAnyNamespace(),
                ChangeFilter::budgetChanged);
        optional = new OptionalWatches(client, this::reflector);
        recordReflector = reflector(
                "reservations",
                client.resources(Reservation.class).inAnyNamespace(),
                new Changes<>((_, _) -> true, reservations::watched, reservations::remove) {
                    @Override
                    boolean isAsPlanned(@Nullable Reservation before, Reservation reservation) {
                        return reservation.getSpec() != null
                                && reservation.getSpec().hold() == null;
                    }

                    @Override
                    public void listed(Set<String> keys, String version) {
                        reservations.listed(keys, version);
                    }
                });
        bookReflector = reflector(
                "ledgers",
                client.resources(NamespaceLedger.class).inAnyNamespace(),
                new Changes<>((_, _) -> true, ledgers::accept, ledgers::remove) {
                    @Override
                    public void listed(Set<String> keys, String version) {
                        ledgers.listed(keys, version);
                    }
                });
        historyReflector = reflector(
                "runhistories",
                client.resources(NamespaceRunHistory.class).inAnyNamespace(),
                new Changes<>((_, _) -> false, runs::accept, runs::remove) {
                    @Override
                    public void listed(Set<String> keys, String version) {
                        runs.listed(keys, version);
                    }
                });
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
        return Stream.concat(optional.all(), Stream.ofNullable(purchases).flatMap(PurchaseWatch::reflectors));
    }

    /** What can be bought and was bought; null: nothing can be. */
    public @Nullable PurchaseWatch purchases() {
        return purchases;
    }

    /**
     * Watches what can be bought and was bought, too. Before {@link #start}.
     *
     * @param catalogue nodes as they would be
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
                List.copyOf(ledgers.ledgers().values()),
                groups,
                List.of(),
                optional.volumes(),
                devices(),
                ledgers.unreadable(),
                runs.histories(),
                PodAdmissions.NONE,
                optional.quotas());
    }

    @Override
    public GroupObjects groups() {
        return groups;
    }

    @Override
    List<DeviceClass> deviceClasses() {
        return optional.deviceClasses();
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
    DeviceObjects devices() {
        return optional.devices();
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
        return new Reflector<>(kind, Reflector.Source.of(resources), changes, List.of(), timing, clock);
    }

    /** One of which a cycle should know of the changes that {@code relevant} says. */
    private <T extends HasMetadata> Reflector<T> reflector(
            String kind,
            AnyNamespaceOperation<T, ? extends KubernetesResourceList<T>, ?> resources,
            BiPredicate<T, T> relevant) {
        return reflector(kind, resources, new Changes<>(relevant));
    }

    /** Hands changes on, and says that a cycle should know of those that matter. */
    private class Changes<T extends HasMetadata> implements Reflector.Handler<T> {
        private final BiPredicate<T, T> relevant;
        private final Consumer<T> come;
        private final Consumer<T> left;

        Changes(BiPredicate<T, T> relevant) {
            this(relevant, _ -> {}, _ -> {});
        }

        Changes(BiPredicate<T, T> relevant, Consumer<T> come, Consumer<T> left) {
            this.relevant = relevant;
            this.come = come;
            this.left = left;
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
        public void withheld() {
            changed.run();
        }

        @Override
        public void current() {
            changed.run();
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
