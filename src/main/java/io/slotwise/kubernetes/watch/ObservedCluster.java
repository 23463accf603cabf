package io.slotwise.kubernetes.watch;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.DeviceClass;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Grant;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.core.ledger.PodSizes;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.core.work.Isolated;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.gangs.GroupObjects;
import io.slotwise.kubernetes.manifest.ClusterObjects;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.IntakeCache;
import io.slotwise.kubernetes.manifest.IntakeResult;
import io.slotwise.kubernetes.manifest.NamespaceReader;
import io.slotwise.kubernetes.manifest.device.DeviceRoom;
import io.slotwise.kubernetes.manifest.field.OptionalObjects;
import io.slotwise.kubernetes.manifest.field.QuantityAmounts;
import io.slotwise.kubernetes.manifest.file.LeanMapper;
import io.slotwise.kubernetes.manifest.gang.GangDefaults;
import io.slotwise.kubernetes.manifest.gang.KnownGang;
import io.slotwise.kubernetes.manifest.pods.AmountCache;
import io.slotwise.kubernetes.manifest.pods.ObjectCache;
import io.slotwise.kubernetes.manifest.pods.Pods;
import io.slotwise.kubernetes.manifest.workload.ComingWaves;
import io.slotwise.live.port.ClusterFacts;
import io.slotwise.live.port.ClusterView;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Member;
import io.slotwise.live.record.MigrationHistory;
import io.slotwise.live.record.Phase;
import io.slotwise.live.record.StartedMembers;
import io.slotwise.live.settings.LoopSettings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The loop's view of a cluster, the same for watched objects and for objects that were read once. Knowledge of gangs
 * comes from their Reservations.
 */
abstract class ObservedCluster implements ClusterView {
    private static final String SINGLE = "pod-";

    private final Intake intake;
    private final ReservationIndex reservations;
    private final ComingWaves waves;
    private final AmountCache amounts = new AmountCache();
    private final ObjectCache<Pod, Member> memberCache = new ObjectCache<>();
    private final PromisedPods promised = new PromisedPods(amounts);
    private final IntakeCache cache = new IntakeCache(amounts);
    private final RoomCheck roomCheck = new RoomCheck(this, amounts, new DeviceRoom(cache.selectors()));
    /** The late pods of gangs with existing pods, as of the last cycle, as namespace/name. */
    private volatile Set<String> late = Set.of();

    ObservedCluster(Intake intake, ReservationIndex reservations) {
        this.intake = intake;
        this.reservations = reservations;
        this.waves = new ComingWaves(LeanMapper.create(), intake::isOurs);
    }

    /** Returns all current objects except advance reservations. */
    abstract ClusterObjects objects();

    abstract GroupObjects groups();

    abstract OptionalObjects optionalObjects();

    abstract List<DeviceClass> deviceClasses();

    /** Returns the pod as last seen, with later writes of this program, or null. */
    public abstract @Nullable Pod pod(String namespace, String name);

    public abstract @Nullable Node node(String name);

    abstract List<Pod> naming(GangId gang);

    /** Returns the pods that are bound to a node and have not ended. */
    public abstract List<Pod> podsOn(String node);

    /** Returns the existing nodes, and those that promises wait for. */
    List<Node> nodes(List<Node> existing, Collection<GangRecord> records) {
        return existing;
    }

    /** Returns the offers, if the policy buys nodes or reports what it would buy. */
    PurchaseWatch.Offered offered(LoopSettings settings, long now) {
        return PurchaseWatch.Offered.NOTHING;
    }

    Intake intake() {
        return intake;
    }

    public ReservationIndex reservations() {
        return reservations;
    }

    /** Takes in the start that a pod of Slotwise carries, and names the pod by the wave of its JobSet. */
    void takeIn(Pod pod, GroupObjects groups, @Nullable Pod before) {
        Isolated.run(
                () -> ComingWaves.name(intake.isOurs(pod) ? reservations.bound(pod) : pod, groups, before), _ -> {});
    }

    @Override
    public ClusterFacts facts() {
        ClusterObjects objects = objects();
        SortedMap<String, Grant> grants = NamespaceReader.grants(objects.namespaces());
        grants.putAll(objects.unreported());
        SortedMap<String, Ledger> ledgers = new TreeMap<>();
        objects.ledgers().forEach(ledger -> ledgers.put(ledger.namespace(), ledger));
        ComingWaves.Coming coming = coming(objects, reservations.records());
        return ClusterFacts.of(reservations.records(), record -> members(record, coming), grants, ledgers)
                .remembering(new TreeMap<>(objects.histories()));
    }

    /** Returns the gangs whose pods are still to come. A moved gang is excluded, because its pods come back. */
    private ComingWaves.Coming coming(ClusterObjects objects, Collection<GangRecord> records) {
        Set<GangId> promised = records.stream()
                .filter(record ->
                        record.phase() == Phase.PROMISED && record.history().history() == null)
                .map(GangRecord::gang)
                .collect(Collectors.toSet());
        ComingWaves.Coming coming = waves.of(objects.pods(), objects.groups(), promised);
        coming.forget(
                records.stream().filter(this::isAway).map(GangRecord::gang).collect(Collectors.toSet()));
        late = coming.late();
        return coming;
    }

    /** Returns whether a gang was moved and none of its pods is back. */
    private boolean isAway(GangRecord record) {
        MigrationHistory history = record.history().history();
        return history != null
                && naming(record.gang()).stream()
                        .allMatch(pod -> history.evicts(pod.getMetadata().getUid())
                                || Pods.isTerminating(pod)
                                || Pods.isTerminal(pod));
    }

    /** Returns whether a pod is late: it is created only when others of its gang are ready, and does not exist yet. */
    boolean isLate(String namespace, String pod) {
        return late.contains(namespace + "/" + pod);
    }

    /**
     * Returns the existing members of a gang, or the future ones if none exists, and for a started gang also those
     * still to come.
     */
    private List<Member> members(GangRecord record, ComingWaves.Coming coming) {
        List<Member> existing = members(record);
        List<Placement> placements = record.startedMembers().late();
        if (placements.isEmpty() && (!existing.isEmpty() || record.phase().started())) {
            return existing;
        }
        Set<String> kept = placements.stream().map(Placement::pod).collect(Collectors.toSet());
        return Stream.concat(
                        existing.stream(),
                        coming.gangs().getOrDefault(record.gang(), List.of()).stream()
                                .map(pod -> pod.getMetadata().getName())
                                .filter(name -> placements.isEmpty() || kept.contains(name))
                                .map(Member::coming))
                .toList();
    }

    @Override
    public Collection<GangRecord> records() {
        return reservations.records();
    }

    @Override
    public @Nullable GangRecord record(GangId gang) {
        return reservations.record(gang);
    }

    @Override
    public Map<GangId, String> unreadable() {
        return reservations.unreadable();
    }

    @Override
    public Optional<Remade> remade(GangRecord record) {
        String namespace = record.gang().namespace();
        List<Pod> pods = members(record).stream()
                .flatMap(member -> Stream.ofNullable(pod(namespace, member.pod())))
                .toList();
        MigrationHistory history = record.history().history();
        return Intake.remade(pods, record.history().attempts() + (history == null ? 0 : history.times()));
    }

    @Override
    public OptionalLong part(String namespace, Member member, Resources promised) {
        Pod pod = pod(namespace, member.pod());
        Node node = node(member.node());
        if (pod == null || node == null || node.getStatus() == null) {
            return OptionalLong.empty();
        }
        QuantityAmounts quantityAmounts = new QuantityAmounts();
        try {
            return OptionalLong.of(PodSizes.part(
                    promised, amounts.allocated(pod, quantityAmounts), amounts.offered(node, quantityAmounts)));
        } catch (IllegalArgumentException e) {
            // The intake reports amounts that cannot be read.
            return OptionalLong.empty();
        }
    }

    @Override
    public boolean usable(String name) {
        Node node = node(name);
        return node != null && ChangeFilter.usable(node);
    }

    @Override
    public String nodeUid(String name) {
        Node node = node(name);
        return node == null || node.getMetadata().getUid() == null
                ? ""
                : node.getMetadata().getUid();
    }

    @Override
    public boolean hasRoom(Window window, Collection<Window> others) {
        return roomCheck.fit(window, others);
    }

    RoomCheck roomCheck() {
        return roomCheck;
    }

    IntakeResult takeIn(LoopSettings settings, Collection<GangRecord> records, long now) {
        Map<GangId, KnownGang> known = new HashMap<>();
        List<Reservation> holds = new ArrayList<>();
        for (GangRecord record : records) {
            if (record.phase() == Phase.COMPLETED) {
                continue;
            }
            Reservation reservation = record.ownership().isHeld() ? reservations.byGang(record.gang()) : null;
            if (reservation != null) {
                holds.add(reservation);
            }
            OptionalLong startedAt = record.phase().started() ? record.history().startedAt() : OptionalLong.empty();
            known.put(
                    record.gang(),
                    new KnownGang(
                            record.promise(),
                            startedAt,
                            record.avoided().keySet(),
                            GangDefaults.of(record.terms()),
                            record.tariff(),
                            record.history().history(),
                            record.history().seen(),
                            record.history().attempts(),
                            record.startedMembers(),
                            record.terms().source(),
                            record.terms().queue()));
        }
        ClusterObjects clusterObjects = objects();
        ComingWaves.Coming coming = coming(clusterObjects, records);
        ClusterObjects objects = clusterObjects.with(copy -> copy.nodes(nodes(clusterObjects.nodes(), records))
                .pods(Stream.concat(clusterObjects.pods().stream(), coming.pods())
                        .toList())
                .reservations(holds)
                .groups(clusterObjects.groups().or(GroupObjects.of(coming.groups()))));
        synchronized (cache) {
            return intake.under(settings).take(objects, known, now, now, cache).warning(coming.warnings());
        }
    }

    @Override
    public Intaken take(LoopSettings settings, Collection<GangRecord> records, long now) {
        memberCache.turn();
        IntakeResult result = takeIn(settings, records, now);
        PurchaseWatch.Offered offered = offered(settings, now);
        List<Notice> notices = Stream.concat(result.warnings().stream(), offered.warnings().stream())
                .map(warning -> new Notice(
                        warning.kind(),
                        warning.namespace(),
                        warning.name(),
                        warning.reason().key(),
                        warning.message(),
                        warning.failure()))
                .toList();
        Snapshot snapshot = knowing(result.snapshot(), records);
        return new Intaken(
                offered.offers().isEmpty() ? snapshot : snapshot.offering(offered.offers()),
                result.names().knowing(over(records), guests(records)),
                notices,
                result.sources(),
                promised.of(result));
    }

    @Override
    public boolean isAsPromised(GangRecord record) {
        String namespace = record.gang().namespace();
        return promised.are(record, name -> pod(namespace, name), name -> isLate(namespace, name));
    }

    /** Returns the snapshot with the ends of completed gangs from their records. */
    private static Snapshot knowing(Snapshot snapshot, Collection<GangRecord> records) {
        Map<GangId, Long> over = new HashMap<>();
        for (GangRecord record : records) {
            OptionalLong end = record.history().endedAt();
            if (record.phase() == Phase.COMPLETED && end.isPresent()) {
                over.put(record.gang(), end.getAsLong());
            }
        }
        snapshot.requests().forEach(request -> over.remove(request.gang().id()));
        snapshot.held().forEach(pending -> over.remove(pending.gang()));
        over.keySet().removeAll(snapshot.ends().known().keySet());
        return over.isEmpty() ? snapshot : snapshot.ending(snapshot.ends().with(over));
    }

    /** Returns the outcomes of completed advance reservations. */
    private static Map<GangId, String> over(Collection<GangRecord> records) {
        return records.stream()
                .filter(record -> record.ownership().isHeld() && record.phase() == Phase.COMPLETED)
                .collect(Collectors.toMap(
                        GangRecord::gang, record -> record.startedAspect().message()));
    }

    /** Returns the pods of gangs that use an advance reservation, by reservation. */
    private static Map<GangId, Set<String>> guests(Collection<GangRecord> records) {
        Map<GangId, Set<String>> guests = new HashMap<>();
        for (GangRecord record : records) {
            GangId hostId = record.host();
            if (hostId != null && record.promise() != null) {
                record.promise()
                        .window()
                        .placements()
                        .forEach(placement -> guests.computeIfAbsent(hostId, _ -> new HashSet<>())
                                .add(hostId.namespace() + "/" + placement.pod()));
            }
        }
        return guests;
    }

    /**
     * Returns the existing pods of a gang. A pod that replaces a lost member has an individual gang, named like that of
     * a pod without a gang, although its label names the old gang.
     */
    public List<Pod> podsOf(GangId gang) {
        List<Pod> members = naming(gang);
        if (!members.isEmpty() || !gang.name().startsWith(SINGLE)) {
            return members;
        }
        Pod singlePod = pod(gang.namespace(), gang.name().substring(SINGLE.length()));
        return singlePod == null ? List.of() : List.of(singlePod);
    }

    @Override
    public List<Member> members(GangRecord record) {
        List<Member> members = new ArrayList<>();
        if (record.ownership().isHeld()) {
            return members;
        }
        if (record.promise() == null) {
            List<Pod> pods = podsOf(record.gang());
            // An error here is reported when the gang is taken in.
            if (!Isolated.get(() -> intake.isApart(record.gang(), pods, groups()), _ -> false)) {
                pods.stream().filter(pod -> isMember(record, pod)).forEach(pod -> members.add(member(pod)));
            }
            return members;
        }
        StartedMembers started = record.startedMembers();
        record.promise().window().placements().forEach(placement -> {
            Pod pod = pod(record.gang().namespace(), placement.pod());
            if (pod != null && !Pods.isReplacement(pod, started)) {
                members.add(member(pod));
            } else if (pod == null && isLate(record.gang().namespace(), placement.pod())) {
                members.add(Member.coming(placement.pod()));
            }
        });
        if (record.phase() == Phase.RUNNING) {
            joined(record).forEach(pod -> members.add(member(pod)));
        } else if (!record.phase().started() && members.stream().allMatch(Member::isComing)) {
            members.clear();
            podsOf(record.gang()).forEach(pod -> members.add(member(pod)));
        }
        return members;
    }

    /**
     * Returns the pods that run in this gang without having started with it. They replaced lost members, and their
     * starts are in records of their own.
     */
    private Stream<Pod> joined(GangRecord record) {
        OptionalLong startedAt = record.history().startedAt();
        return startedAt.isEmpty()
                ? Stream.empty()
                : podsOf(record.gang()).stream()
                        .filter(pod -> PodState.state(pod) == Member.State.BOUND)
                        .filter(pod -> {
                            GangRecord ownRecord = ofItsOwn(record.gang(), pod);
                            return ownRecord != null
                                    && ownRecord.history().seen() >= startedAt.getAsLong()
                                    && runsBy(ownRecord, pod);
                        });
    }

    /** Returns the individual record of a pod with the name of this gang, or null. */
    private @Nullable GangRecord ofItsOwn(GangId gang, Pod pod) {
        GangId ownId = Pods.ownGang(pod);
        return ownId.equals(gang) ? null : reservations.record(ownId);
    }

    private static boolean runsBy(@Nullable GangRecord ownRecord, Pod pod) {
        return ownRecord != null
                && ownRecord.phase() == Phase.RUNNING
                && !Pods.isReplacement(pod, ownRecord.startedMembers());
    }

    /** Returns whether a pod that names this gang waits, or is stopped, with it. */
    private boolean isMember(GangRecord record, Pod pod) {
        MigrationHistory history = record.history().history();
        return (history != null && history.evicts(pod.getMetadata().getUid()))
                || !runsBy(ofItsOwn(record.gang(), pod), pod);
    }

    private Member member(Pod pod) {
        Member member = memberCache.get(pod, PodState::member);
        return goesDirect(pod) ? member.byItself() : member;
    }

    public boolean goesDirect(Pod pod) {
        return intake.goesDirect(pod);
    }
}
