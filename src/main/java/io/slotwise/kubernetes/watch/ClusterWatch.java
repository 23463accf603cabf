package io.slotwise.kubernetes.watch;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.KubernetesResourceList;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.PersistentVolume;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodTemplate;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimTemplate;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.storage.CSINode;
import io.fabric8.kubernetes.api.model.storage.StorageClass;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.fabric8.kubernetes.client.dsl.AnyNamespaceOperation;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Grant;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.provision.Provisioning;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.core.work.Isolated;
import io.slotwise.kubernetes.bind.BindRequest;
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
import io.slotwise.kubernetes.manifest.IntakeCache;
import io.slotwise.kubernetes.manifest.IntakeResult;
import io.slotwise.kubernetes.manifest.NamespaceReader;
import io.slotwise.kubernetes.manifest.device.DeviceObjects;
import io.slotwise.kubernetes.manifest.device.DeviceRoom;
import io.slotwise.kubernetes.manifest.file.LeanMapper;
import io.slotwise.kubernetes.manifest.gang.GangDefaults;
import io.slotwise.kubernetes.manifest.gang.KnownGang;
import io.slotwise.kubernetes.manifest.nodes.NodeRoom;
import io.slotwise.kubernetes.manifest.pods.AmountCache;
import io.slotwise.kubernetes.manifest.pods.ObjectCache;
import io.slotwise.kubernetes.manifest.pods.Pods;
import io.slotwise.kubernetes.manifest.purchase.NodeGroups;
import io.slotwise.kubernetes.manifest.volumes.VolumeObjects;
import io.slotwise.kubernetes.manifest.workload.ComingWaves;
import io.slotwise.live.port.ClusterFacts;
import io.slotwise.live.port.ClusterView;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Member;
import io.slotwise.live.record.MigrationHistory;
import io.slotwise.live.record.Phase;
import io.slotwise.live.record.StartedMembers;
import io.slotwise.live.settings.LoopSettings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Function;
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
public final class ClusterWatch implements ClusterView, AutoCloseable {
    private static final Logger LOG = Logger.getLogger(ClusterWatch.class);
    private static final String SINGLE = "pod-";
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(10);

    private final Intake intake;
    private final KubernetesClient client;
    private final ReservationIndex reservations;
    private final LedgerIndex ledgers;
    private final RunHistoryIndex runs;
    private final Runnable changed;
    private final WatchTiming timing;
    private final ProcessClock clock;
    private final ObjectIndex<Pod> byGang = new ObjectIndex<>(ClusterWatch::gangOf);
    private final ObjectIndex<Pod> byNode = new ObjectIndex<>(ClusterWatch::nodeOf);
    private final Reflector<Node> nodes;
    private final Reflector<Pod> pods;
    private final Reflector<Namespace> namespaces;
    private final Reflector<Reservation> records;
    private final Reflector<NamespaceLedger> books;
    private final Reflector<NamespaceRunHistory> histories;
    private final Reflector<PodDisruptionBudget> budgets;
    private final Reflector<ResourceQuota> quotas;
    private final Reflector<PersistentVolumeClaim> claims;
    private final Reflector<PersistentVolume> volumes;
    private final Reflector<StorageClass> classes;
    private final Reflector<CSINode> attachments;
    private final Reflector<ResourceSlice> slices;
    private final Reflector<DeviceClass> deviceClasses;
    private final Reflector<ResourceClaim> deviceClaims;
    private final Reflector<ResourceClaimTemplate> templates;
    private final GroupWatch groups;
    private final PendingWrites ownWrites;
    private @Nullable PurchaseWatch purchases;
    private final AmountCache amounts = new AmountCache();
    private final ObjectCache<Pod, Member> asMembers = new ObjectCache<>();
    private final PromisedPods promised = new PromisedPods(amounts);
    private final IntakeCache recollection = new IntakeCache(amounts);
    private final ComingWaves waves;
    private final DeviceRoom devices = new DeviceRoom(recollection.selectors());
    /** The pods of gangs that are there which come late, as the last cycle knew them, as namespace/name. */
    private volatile Set<String> late = Set.of();

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

    /** The same where no replica writes past runs. */
    public ClusterWatch(
            KubernetesClient client,
            Intake intake,
            ReservationIndex reservations,
            LedgerIndex ledgers,
            Runnable changed) {
        this(client, intake, reservations, ledgers, changed, System::nanoTime);
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
            Runnable changed,
            LongSupplier nanos) {
        this(client, intake, reservations, ledgers, new RunHistoryIndex(), changed, nanos);
    }

    /**
     * The same that knows of past runs what {@code runs} is told.
     *
     * @param nanos see above
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
        this.intake = intake;
        this.waves = new ComingWaves(LeanMapper.create(), intake::isOurs);
        this.reservations = reservations;
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
        nodes = reflector("nodes", client.nodes(), new Changes<>(ChangeFilter::nodeChanged), List.of());
        pods = new Reflector<>(
                "pods",
                Reflector.Source.of(client.pods().inAnyNamespace()),
                new Changes<>(ChangeFilter::podChanged, reservations::podSeen, reservations::podGone) {
                    @Override
                    boolean isAsPlanned(@Nullable Pod before, Pod now) {
                        return before != null && isOnItsWay(before, now);
                    }
                },
                List.of(byGang, byNode),
                pod -> Isolated.run(() -> ComingWaves.name(pod, groups, before(pod)), _ -> {}),
                timing,
                clock);
        namespaces =
                reflector("namespaces", client.namespaces(), new Changes<>(ChangeFilter::namespaceChanged), List.of());
        budgets = reflector(
                "poddisruptionbudgets",
                client.policy().v1().podDisruptionBudget().inAnyNamespace(),
                new Changes<>(ChangeFilter::budgetChanged),
                List.of());
        quotas = reflector(
                "resourcequotas",
                client.resourceQuotas().inAnyNamespace(),
                new Changes<>(ChangeFilter::quotaChanged),
                List.of());
        claims = reflector(
                VolumeObjects.Kind.CLAIMS.plural(),
                client.persistentVolumeClaims().inAnyNamespace(),
                new Changes<>(ChangeFilter::claimChanged),
                List.of());
        volumes = reflector(
                VolumeObjects.Kind.VOLUMES.plural(),
                client.persistentVolumes(),
                new Changes<>(ChangeFilter::volumeChanged),
                List.of());
        classes = reflector(
                VolumeObjects.Kind.CLASSES.plural(),
                client.storage().v1().storageClasses(),
                new Changes<>(ChangeFilter::classChanged),
                List.of());
        attachments = reflector(
                VolumeObjects.Kind.NODES.plural(),
                client.storage().v1().csiNodes(),
                new Changes<>(ChangeFilter::attachmentsChanged),
                List.of());
        slices = reflector(
                DeviceObjects.Kind.SLICES.plural(),
                client.resources(ResourceSlice.class),
                new Changes<>(ChangeFilter::slicesChanged),
                List.of());
        deviceClasses = reflector(
                DeviceObjects.Kind.CLASSES.plural(),
                client.resources(DeviceClass.class),
                new Changes<>(ChangeFilter::deviceClassChanged),
                List.of());
        deviceClaims = reflector(
                DeviceObjects.Kind.CLAIMS.plural(),
                client.resources(ResourceClaim.class).inAnyNamespace(),
                new Changes<>(ChangeFilter::deviceClaimChanged),
                List.of());
        templates = reflector(
                DeviceObjects.Kind.TEMPLATES.plural(),
                client.resources(ResourceClaimTemplate.class).inAnyNamespace(),
                new Changes<>(ChangeFilter::templateChanged),
                List.of());
        records = reflector(
                "reservations",
                client.resources(Reservation.class).inAnyNamespace(),
                new Changes<>((_, _) -> true, reservations::watched, reservations::remove) {
                    @Override
                    boolean isAsPlanned(@Nullable Reservation before, Reservation now) {
                        return now.getSpec() != null && now.getSpec().hold() == null;
                    }

                    @Override
                    public void listed(Set<String> keys, String version) {
                        reservations.listed(keys, version);
                    }
                },
                List.of());
        books = reflector(
                "ledgers",
                client.resources(NamespaceLedger.class).inAnyNamespace(),
                new Changes<>((_, _) -> true, ledgers::accept, ledgers::remove) {
                    @Override
                    public void listed(Set<String> keys, String version) {
                        ledgers.listed(keys, version);
                    }
                },
                List.of());
        histories = reflector(
                "runhistories",
                client.resources(NamespaceRunHistory.class).inAnyNamespace(),
                new Changes<>((_, _) -> false, runs::accept, runs::remove) {
                    @Override
                    public void listed(Set<String> keys, String version) {
                        runs.listed(keys, version);
                    }
                },
                List.of());
        reservations.onAnswer(records::written);
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
            GangId unnamed = new GangId(key.namespace(), JobSetWaves.gang(key.name(), null));
            pods.stripAgain(
                    () -> byGang.get(unnamed.toString()).stream()
                            .filter(pod -> key.equals(JobSetWaves.setOf(pod))
                                    && later.containsKey(String.valueOf(JobSetWaves.roleOf(pod))))
                            .toList(),
                    pod -> new PodBuilder(pod).build());
        }
    }

    private List<Reflector<?>> reflectors() {
        return List.of(nodes, pods, namespaces, budgets, records, books);
    }

    /** What a cluster may keep from Slotwise, by kind. */
    private Map<VolumeObjects.Kind, Reflector<?>> ofVolumes() {
        return Map.of(
                VolumeObjects.Kind.CLAIMS, claims,
                VolumeObjects.Kind.VOLUMES, volumes,
                VolumeObjects.Kind.CLASSES, classes,
                VolumeObjects.Kind.NODES, attachments);
    }

    /** What a cluster may keep from Slotwise, or does not have, by kind. */
    private Map<DeviceObjects.Kind, Reflector<?>> ofDevices() {
        return Map.of(
                DeviceObjects.Kind.SLICES, slices,
                DeviceObjects.Kind.CLASSES, deviceClasses,
                DeviceObjects.Kind.CLAIMS, deviceClaims,
                DeviceObjects.Kind.TEMPLATES, templates);
    }

    private Stream<Reflector<?>> optional() {
        return Stream.of(
                        ofVolumes().values().stream(),
                        ofDevices().values().stream(),
                        Stream.of(quotas),
                        Stream.ofNullable(purchases).flatMap(PurchaseWatch::reflectors))
                .flatMap(Function.identity());
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
        KarpenterWatch karpenter = new KarpenterWatch(
                bought(
                        "nodepools",
                        client.genericKubernetesResources(KarpenterWatch.POOLS).inAnyNamespace()),
                bought(
                        "nodeclaims",
                        client.genericKubernetesResources(KarpenterWatch.CLAIMS).inAnyNamespace()),
                catalogue,
                nodes::get);
        AutoscalerWatch autoscaler = catalogue.stream().anyMatch(NodeGroups::isOne)
                ? new AutoscalerWatch(
                        bought(
                                "provisioningrequests",
                                client.genericKubernetesResources(AutoscalerWatch.REQUESTS)
                                        .inNamespace(namespace)),
                        bought(
                                "podtemplates",
                                client.resources(PodTemplate.class).inNamespace(namespace)),
                        nodes,
                        catalogue)
                : null;
        PurchaseWatch watching = new PurchaseWatch(karpenter, autoscaler);
        purchases = watching;
        return watching;
    }

    private <T extends HasMetadata> Reflector<T> bought(
            String kind, AnyNamespaceOperation<T, ? extends KubernetesResourceList<T>, ?> resources) {
        return reflector(kind, resources, new Changes<>((_, _) -> true), List.of());
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
    private boolean isOnItsWay(Pod before, Pod now) {
        if (PodState.isOver(now) || !ChangeFilter.hasGoneOn(before, now)) {
            return false;
        }
        ReservedSeat seat = reservations.seat(
                now.getMetadata().getNamespace(), now.getMetadata().getName());
        PlacementSpec place = seat == null ? null : seat.placement();
        String node = now.getSpec().getNodeName();
        return place != null && (node == null || node.isEmpty() || place.node().equals(node));
    }

    /** Begins to watch; returns at once. */
    public void start() {
        reflectors()
                .forEach(reflector ->
                        reflector.start(reflector == pods ? () -> ownWrites.isUnseenFor(timing.echo()) : () -> false));
        optional().forEach(reflector -> reflector.start(() -> false));
        histories.start(() -> false);
        groups.start();
        clock.start();
    }

    @Override
    public boolean ready() {
        if (!seen) {
            seen = groups.ready()
                    && reflectors().stream().allMatch(Reflector::hasSynced)
                    && Stream.concat(optional(), Stream.of(histories))
                            .allMatch(reflector -> reflector.hasSynced() || reflector.isWithheld());
        }
        return seen;
    }

    @Override
    public boolean isCurrent() {
        return pods.isCurrent() && nodes.isCurrent() && records.isCurrent();
    }

    @Override
    public ClusterFacts facts() {
        SortedMap<String, Grant> grants = NamespaceReader.grants(namespaces.list());
        grants.putAll(ledgers.unreadable());
        ComingWaves.Coming coming = coming(ownWrites.on(pods.list()), reservations.standings());
        return ClusterFacts.of(
                        reservations.standings(), standing -> members(standing, coming), grants, ledgers.ledgers())
                .remembering(runs.histories());
    }

    /** The gangs to come; a gang that was moved is none, whose pods come back. */
    private ComingWaves.Coming coming(List<Pod> there, Collection<GangRecord> standings) {
        Set<GangId> promised = standings.stream()
                .filter(standing ->
                        standing.phase() == Phase.PROMISED && standing.history().past() == null)
                .map(GangRecord::gang)
                .collect(Collectors.toSet());
        ComingWaves.Coming coming = waves.of(there, groups, promised);
        coming.forget(standings.stream()
                .filter(standing -> standing.history().past() != null)
                .map(GangRecord::gang)
                .collect(Collectors.toSet()));
        late = coming.late();
        return coming;
    }

    /** Whether a pod comes only when others of its gang are ready, and has not come yet. */
    boolean isLate(String namespace, String pod) {
        return late.contains(namespace + "/" + pod);
    }

    /**
     * The members of a gang that are there; of one that is to come those that will be, and of one that has started
     * those that are still to come.
     */
    private List<Member> members(GangRecord standing, ComingWaves.Coming coming) {
        List<Member> there = members(standing);
        List<Placement> seats = standing.startedMembers().late();
        if (seats.isEmpty() && (!there.isEmpty() || standing.phase().started())) {
            return there;
        }
        Set<String> kept = seats.stream().map(Placement::pod).collect(Collectors.toSet());
        return Stream.concat(
                        there.stream(),
                        coming.gangs().getOrDefault(standing.gang(), List.of()).stream()
                                .map(pod -> pod.getMetadata().getName())
                                .filter(name -> seats.isEmpty() || kept.contains(name))
                                .map(Member::coming))
                .toList();
    }

    @Override
    public Set<String> namespaces() {
        return namespaces.list().stream()
                .map(namespace -> namespace.getMetadata().getName())
                .collect(Collectors.toSet());
    }

    @Override
    public Set<String> namespacesWithGangs() {
        return records.list().stream()
                .map(reservation -> reservation.getMetadata().getNamespace())
                .collect(Collectors.toSet());
    }

    @Override
    public Collection<GangRecord> standings() {
        return reservations.standings();
    }

    @Override
    public @Nullable GangRecord standing(GangId gang) {
        return reservations.standing(gang);
    }

    @Override
    public Map<GangId, String> unreadable() {
        return reservations.unreadable();
    }

    @Override
    public Optional<Remade> remade(GangRecord standing) {
        String namespace = standing.gang().namespace();
        List<Pod> there = members(standing).stream()
                .flatMap(member -> Stream.ofNullable(pod(namespace, member.pod())))
                .toList();
        MigrationHistory past = standing.history().past();
        return Intake.remade(there, standing.history().attempts() + (past == null ? 0 : past.times()));
    }

    @Override
    public boolean usable(String name) {
        Node node = nodes.get(name);
        return node != null && ChangeFilter.usable(node);
    }

    @Override
    public String nodeUid(String name) {
        Node node = nodes.get(name);
        return node == null || node.getMetadata().getUid() == null
                ? ""
                : node.getMetadata().getUid();
    }

    @Override
    public boolean hasRoom(Window window, Collection<Window> others) {
        Map<String, List<Pod>> coming = new HashMap<>();
        window.placements().forEach(place -> coming.put(place.node(), new ArrayList<>()));
        List<Pod> own = join(window, coming);
        others.forEach(other -> join(other, coming));
        return coming.entrySet().stream().allMatch(node -> shortage(node.getKey(), node.getValue()) == null)
                && hasDevices(own, coming);
    }

    /**
     * Adds the pods of a window that are not over to those on its nodes, as far as these are looked at; returns all
     * that were found there.
     */
    private List<Pod> join(Window window, Map<String, List<Pod>> coming) {
        List<Pod> found = new ArrayList<>();
        for (Placement place : window.placements()) {
            List<Pod> onNode = coming.get(place.node());
            Pod pod = onNode == null ? null : pod(window.gang().namespace(), place.pod());
            if (onNode != null && pod != null) {
                found.add(pod);
                if (!PodState.isOver(pod)) {
                    onNode.add(pod);
                }
            }
        }
        return found;
    }

    /**
     * Whether the nodes of a window have the devices that its pods ask for, beside those that claims hold: of pods that
     * run still, and of pods that have ended until kube-controller-manager takes them back. O(slices + claims) where
     * one asks.
     *
     * @param own the pods of the window
     * @param coming who is to be there, by node
     */
    private boolean hasDevices(List<Pod> own, Map<String, List<Pod>> coming) {
        Set<String> served = served();
        return own.stream().noneMatch(pod -> DeviceRoom.isAskedForBy(pod, served))
                || devices.isEnough(deviceObjects(), there(coming.keySet()), coming, this::goesDirect);
    }

    private List<Node> there(Collection<String> names) {
        return names.stream().map(this::node).filter(Objects::nonNull).toList();
    }

    /**
     * The resource of which a node has too little for these pods beside those that are bound to it. O(pods of the
     * node).
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
            return NodeRoom.shortage(node, there.values(), served(), amounts);
        } catch (IllegalArgumentException e) {
            LOG.debugf("the free capacity of node %s cannot be computed: %s", name, e.getMessage());
            return null;
        }
    }

    /**
     * The pods on their way to a node that are not seen there yet, of gangs that are further with their start than the
     * one of this pod: a gang that starts makes way for those that were sent to kube-scheduler, whose barrier another
     * replica may open at any moment, and these for those that have started. So of two one goes. O(places of the gangs
     * that start or run on the node).
     */
    List<Pod> ahead(String name, BindRequest coming) {
        ReservedSeat seat = reservations.seat(coming.namespace(), coming.pod());
        GangId own = seat == null ? null : seat.reservation().gang();
        GangRecord standing = own == null ? null : reservations.standing(own);
        List<Pod> ahead = new ArrayList<>();
        for (GangId gang : reservations.onTheirWay(name)) {
            GangRecord other = reservations.standing(gang);
            Promise promise = other == null ? null : other.promise();
            if (other != null && promise != null && !gang.equals(own) && steps(other) > steps(standing)) {
                for (Placement place : promise.window().placements()) {
                    Pod pod = place.node().equals(name) ? pod(gang.namespace(), place.pod()) : null;
                    if (pod != null
                            && PodState.state(pod) == Member.State.WAITING
                            && !Pods.isReplacement(pod, other.startedMembers())) {
                        ahead.add(pod);
                    }
                }
            }
        }
        return ahead;
    }

    /** How far a gang is with its start. */
    private static int steps(@Nullable GangRecord standing) {
        if (standing == null) {
            return 0;
        }
        return switch (standing.phase()) {
            case PENDING, PROMISED, BROKEN, COMPLETED -> 0;
            case STARTING -> 1;
            case RUNNING -> 2;
        };
    }

    /** The extended resources that devices serve. */
    private Set<String> served() {
        return DeviceObjects.served(deviceClasses.list());
    }

    @Override
    public Intaken take(LoopSettings settings, Collection<GangRecord> standings, long now) {
        Map<GangId, KnownGang> known = new HashMap<>();
        List<Reservation> holds = new ArrayList<>();
        for (GangRecord standing : standings) {
            if (standing.phase() == Phase.COMPLETED) {
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
                            GangDefaults.of(standing.terms()),
                            standing.tariff(),
                            standing.history().past(),
                            standing.history().seen(),
                            standing.history().attempts(),
                            standing.startedMembers(),
                            standing.terms().source()));
        }
        List<Pod> there = ownWrites.on(pods.list());
        ComingWaves.Coming coming = coming(there, standings);
        ClusterObjects objects = new ClusterObjects(
                        purchases == null ? nodes.list() : purchases.with(nodes.list(), standings),
                        Stream.concat(there.stream(), coming.pods()).toList(),
                        namespaces.list(),
                        holds,
                        budgets.list(),
                        List.of(),
                        groups.or(GroupObjects.of(coming.groups())),
                        List.of())
                .knowing(volumeObjects())
                .knowing(deviceObjects())
                .under(quotas.isWithheld() ? List.of() : quotas.list())
                .remembering(runs.histories());
        asMembers.turn();
        IntakeResult taken = taken(settings, objects, known, now);
        PurchaseWatch.Offered offered = offered(settings, now);
        List<Notice> notices = Stream.concat(taken.warnings().stream(), offered.warnings().stream())
                .map(warning -> new Notice(
                        warning.kind(),
                        warning.namespace(),
                        warning.name(),
                        warning.reason().key(),
                        warning.message(),
                        warning.bug()))
                .toList();
        return new Intaken(
                knowing(taken.snapshot(), standings).offering(offered.offers()),
                taken.claims().knowing(over(standings), guests(standings)),
                notices,
                taken.sources(),
                promised.of(taken));
    }

    @Override
    public boolean isAsPromised(GangRecord record) {
        String namespace = record.gang().namespace();
        return promised.are(record, name -> pod(namespace, name), name -> isLate(namespace, name));
    }

    /** What can be bought under a policy that buys, or says what one would buy. */
    private PurchaseWatch.Offered offered(LoopSettings settings, long now) {
        return purchases == null || settings.policy().provisioning().mode() == Provisioning.Mode.NONE
                ? PurchaseWatch.Offered.NOTHING
                : purchases.offered(intake.under(settings), now);
    }

    /** The snapshot with the ends of gangs that are over, as their records say. */
    private static Snapshot knowing(Snapshot snapshot, Collection<GangRecord> standings) {
        Map<GangId, Long> over = new HashMap<>();
        for (GangRecord standing : standings) {
            OptionalLong end = standing.history().endedAt();
            if (standing.phase() == Phase.COMPLETED && end.isPresent()) {
                over.put(standing.gang(), end.getAsLong());
            }
        }
        snapshot.requests().forEach(request -> over.remove(request.gang().id()));
        snapshot.held().forEach(pending -> over.remove(pending.gang()));
        over.keySet().removeAll(snapshot.ends().known().keySet());
        return over.isEmpty() ? snapshot : snapshot.ending(snapshot.ends().with(over));
    }

    private VolumeObjects volumeObjects() {
        Set<VolumeObjects.Kind> known = EnumSet.noneOf(VolumeObjects.Kind.class);
        Set<VolumeObjects.Kind> unread = EnumSet.noneOf(VolumeObjects.Kind.class);
        ofVolumes().forEach((kind, reflector) -> (reflector.isWithheld() ? unread : known).add(kind));
        return new VolumeObjects(
                known.contains(VolumeObjects.Kind.CLAIMS) ? claims.list() : List.of(),
                known.contains(VolumeObjects.Kind.VOLUMES) ? volumes.list() : List.of(),
                known.contains(VolumeObjects.Kind.CLASSES) ? classes.list() : List.of(),
                known.contains(VolumeObjects.Kind.NODES) ? attachments.list() : List.of(),
                known,
                unread);
    }

    private DeviceObjects deviceObjects() {
        Set<DeviceObjects.Kind> known = EnumSet.noneOf(DeviceObjects.Kind.class);
        Set<DeviceObjects.Kind> unread = EnumSet.noneOf(DeviceObjects.Kind.class);
        ofDevices().forEach((kind, reflector) -> (reflector.isWithheld() ? unread : known).add(kind));
        return new DeviceObjects(
                known.contains(DeviceObjects.Kind.SLICES) ? slices.list() : List.of(),
                known.contains(DeviceObjects.Kind.CLASSES) ? deviceClasses.list() : List.of(),
                known.contains(DeviceObjects.Kind.CLAIMS) ? deviceClaims.list() : List.of(),
                known.contains(DeviceObjects.Kind.TEMPLATES) ? templates.list() : List.of(),
                known,
                unread);
    }

    private IntakeResult taken(LoopSettings settings, ClusterObjects objects, Map<GangId, KnownGang> known, long now) {
        synchronized (recollection) {
            return intake.under(settings).take(objects, known, now, now, recollection);
        }
    }

    /** How the advance reservations ended that are over. */
    private static Map<GangId, String> over(Collection<GangRecord> standings) {
        return standings.stream()
                .filter(standing -> standing.tenure().isHeld() && standing.phase() == Phase.COMPLETED)
                .collect(Collectors.toMap(
                        GangRecord::gang, standing -> standing.started().message()));
    }

    /** The pods of gangs that have a part of an advance reservation. */
    private static Map<GangId, Set<String>> guests(Collection<GangRecord> standings) {
        Map<GangId, Set<String>> guests = new HashMap<>();
        for (GangRecord standing : standings) {
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
     * The pods of a gang that exist. A pod that replaces a lost member is a gang of its own, named like a pod without a
     * gang, although its label names the old one.
     */
    public List<Pod> podsOf(GangId gang) {
        List<Pod> members = ownWrites.on(byGang.get(gang.toString()));
        if (!members.isEmpty() || !gang.name().startsWith(SINGLE)) {
            return members;
        }
        Pod single = pod(gang.namespace(), gang.name().substring(SINGLE.length()));
        return single == null ? List.of() : List.of(single);
    }

    /** The pods that are bound to a node and have not ended. */
    public List<Pod> podsOn(String node) {
        return Stream.concat(byNode.get(node).stream(), ownWrites.boundTo(node)).toList();
    }

    /** An index that throws would lose the pod. */
    private static String gangOf(Pod pod) {
        return Isolated.get(() -> Pods.gangOf(pod).toString(), _ -> "");
    }

    private static @Nullable String nodeOf(Pod pod) {
        String node = pod.getSpec().getNodeName();
        return node == null || node.isEmpty() || PodState.hasEnded(pod) ? null : node;
    }

    /** A pod as it was seen last, with what this program has done to it since; null: it is not there. */
    public @Nullable Pod pod(String namespace, String name) {
        Pod seen = watched(namespace, name);
        return seen == null ? null : ownWrites.on(seen);
    }

    /** A pod as the watch alone has it; null: it is not there. */
    @Nullable
    Pod watched(String namespace, String name) {
        return pods.get(namespace + "/" + name);
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

    /** This program has written something to a pod that no planner plans by; the pod has another version since. */
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
        return nodes.get(name);
    }

    @Override
    public void close() {
        groups.close();
        reflectors().forEach(Reflector::close);
        histories.close();
        optional().forEach(Reflector::close);
        clock.close();
    }

    @Override
    public List<Member> members(GangRecord standing) {
        List<Member> members = new ArrayList<>();
        if (standing.tenure().isHeld()) {
            return members;
        }
        if (standing.promise() == null) {
            List<Pod> pods = podsOf(standing.gang());
            // What cannot be told for an error is told of the gang as it is taken in.
            if (!Isolated.get(() -> intake.isApart(standing.gang(), pods, groups), _ -> false)) {
                pods.stream().filter(pod -> isMember(standing, pod)).forEach(pod -> members.add(member(pod)));
            }
            return members;
        }
        StartedMembers started = standing.startedMembers();
        standing.promise().window().placements().forEach(place -> {
            Pod pod = pod(standing.gang().namespace(), place.pod());
            if (pod != null && !Pods.isReplacement(pod, started)) {
                members.add(member(pod));
            } else if (pod == null && isLate(standing.gang().namespace(), place.pod())) {
                members.add(Member.coming(place.pod()));
            }
        });
        if (standing.phase() == Phase.RUNNING) {
            joined(standing).forEach(pod -> members.add(member(pod)));
        } else if (!standing.phase().started() && members.stream().allMatch(Member::isComing)) {
            members.clear();
            podsOf(standing.gang()).forEach(pod -> members.add(member(pod)));
        }
        return members;
    }

    /**
     * The pods that run in this gang although it has not started with them: they came in the place of lost members, and
     * their starts are in records of their own.
     */
    private Stream<Pod> joined(GangRecord standing) {
        OptionalLong startedAt = standing.history().startedAt();
        return startedAt.isEmpty()
                ? Stream.empty()
                : podsOf(standing.gang()).stream()
                        .filter(pod -> PodState.state(pod) == Member.State.BOUND)
                        .filter(pod -> {
                            GangRecord own = ofItsOwn(standing.gang(), pod);
                            return own != null && own.history().seen() >= startedAt.getAsLong() && runsBy(own, pod);
                        });
    }

    /** The record that a pod with the name of this gang has of its own; null: none. */
    private @Nullable GangRecord ofItsOwn(GangId gang, Pod pod) {
        GangId own = Pods.ownGang(pod);
        return own.equals(gang) ? null : reservations.standing(own);
    }

    private static boolean runsBy(@Nullable GangRecord own, Pod pod) {
        return own != null && own.phase() == Phase.RUNNING && !Pods.isReplacement(pod, own.startedMembers());
    }

    /** Whether a pod that names this gang is one of those that it waits with or stops. */
    private boolean isMember(GangRecord standing, Pod pod) {
        MigrationHistory past = standing.history().past();
        return (past != null && past.evicts(pod.getMetadata().getUid()))
                || !runsBy(ofItsOwn(standing.gang(), pod), pod);
    }

    private Member member(Pod pod) {
        Member member = asMembers.get(pod, PodState::member);
        return goesDirect(pod) ? member.byItself() : member;
    }

    /** Whether Slotwise binds this pod itself. */
    public boolean goesDirect(Pod pod) {
        return intake.goesDirect(pod);
    }

    private <T extends HasMetadata> Reflector<T> reflector(
            String kind,
            AnyNamespaceOperation<T, ? extends KubernetesResourceList<T>, ?> resources,
            Changes<T> changes,
            List<ObjectIndex<T>> indexes) {
        return new Reflector<>(kind, Reflector.Source.of(resources), changes, indexes, timing, clock);
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
