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
 * The cluster as its objects say: the same answers whether watches keep the objects or they were read once. What is
 * known of gangs comes from their Reservations.
 */
abstract class ObservedCluster implements ClusterView {
    private static final String SINGLE = "pod-";

    private final Intake intake;
    private final ReservationIndex reservations;
    private final ComingWaves waves;
    private final AmountCache amounts = new AmountCache();
    private final ObjectCache<Pod, Member> asMembers = new ObjectCache<>();
    private final PromisedPods promised = new PromisedPods(amounts);
    private final IntakeCache recollection = new IntakeCache(amounts);
    private final NodeRooms rooms = new NodeRooms(this, amounts, new DeviceRoom(recollection.selectors()));
    /** The pods of gangs that are there which come late, as the last cycle knew them, as namespace/name. */
    private volatile Set<String> late = Set.of();

    /**
     * @param intake how objects are read, under the settings of the caller that asks
     */
    ObservedCluster(Intake intake, ReservationIndex reservations) {
        this.intake = intake;
        this.reservations = reservations;
        this.waves = new ComingWaves(LeanMapper.create(), intake::isOurs);
    }

    /** All objects as they are now, but for advance reservations. */
    abstract ClusterObjects objects();

    abstract GroupObjects groups();

    /** What is known of volumes, devices and quotas. */
    abstract OptionalObjects optionalObjects();

    abstract List<DeviceClass> deviceClasses();

    /** A pod as it was seen last, with what this program has done to it since; null: it is not there. */
    public abstract @Nullable Pod pod(String namespace, String name);

    /** A node as it was seen last, or null. */
    public abstract @Nullable Node node(String name);

    abstract List<Pod> naming(GangId gang);

    /** The pods that are bound to a node and have not ended. */
    public abstract List<Pod> podsOn(String node);

    /** The nodes that are there, and those that promises wait for. */
    List<Node> nodes(List<Node> there, Collection<GangRecord> standings) {
        return there;
    }

    /** What can be bought under a policy that buys, or says what one would buy. */
    PurchaseWatch.Offered offered(LoopSettings settings, long now) {
        return PurchaseWatch.Offered.NOTHING;
    }

    Intake intake() {
        return intake;
    }

    public ReservationIndex reservations() {
        return reservations;
    }

    @Override
    public ClusterFacts facts() {
        ClusterObjects objects = objects();
        SortedMap<String, Grant> grants = NamespaceReader.grants(objects.namespaces());
        grants.putAll(objects.untold());
        SortedMap<String, Ledger> ledgers = new TreeMap<>();
        objects.ledgers().forEach(ledger -> ledgers.put(ledger.namespace(), ledger));
        ComingWaves.Coming coming = coming(objects, reservations.standings());
        return ClusterFacts.of(reservations.standings(), standing -> members(standing, coming), grants, ledgers)
                .remembering(new TreeMap<>(objects.histories()));
    }

    /** The gangs to come; a gang that was moved is none, whose pods come back. */
    private ComingWaves.Coming coming(ClusterObjects there, Collection<GangRecord> standings) {
        Set<GangId> promised = standings.stream()
                .filter(standing ->
                        standing.phase() == Phase.PROMISED && standing.history().past() == null)
                .map(GangRecord::gang)
                .collect(Collectors.toSet());
        ComingWaves.Coming coming = waves.of(there.pods(), there.groups(), promised);
        coming.forget(
                standings.stream().filter(this::isAway).map(GangRecord::gang).collect(Collectors.toSet()));
        late = coming.late();
        return coming;
    }

    /** Whether a gang was moved and none of its pods is back. */
    private boolean isAway(GangRecord standing) {
        MigrationHistory past = standing.history().past();
        return past != null
                && naming(standing.gang()).stream()
                        .allMatch(pod -> past.evicts(pod.getMetadata().getUid())
                                || Pods.isTerminating(pod)
                                || Pods.isTerminal(pod));
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
    public OptionalLong part(String namespace, Member member, Resources promised) {
        Pod pod = pod(namespace, member.pod());
        Node node = node(member.node());
        if (pod == null || node == null || node.getStatus() == null) {
            return OptionalLong.empty();
        }
        QuantityAmounts units = new QuantityAmounts();
        try {
            return OptionalLong.of(
                    PodSizes.part(promised, amounts.allocated(pod, units), amounts.offered(node, units)));
        } catch (IllegalArgumentException e) {
            // The intake tells of amounts that cannot be read.
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
        return rooms.fit(window, others);
    }

    NodeRooms rooms() {
        return rooms;
    }

    /** Takes the objects in with what is known of their gangs. */
    IntakeResult takeIn(LoopSettings settings, Collection<GangRecord> standings, long now) {
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
        ClusterObjects there = objects();
        ComingWaves.Coming coming = coming(there, standings);
        ClusterObjects objects = there.with(copy -> copy.nodes(nodes(there.nodes(), standings))
                .pods(Stream.concat(there.pods().stream(), coming.pods()).toList())
                .reservations(holds)
                .groups(there.groups().or(GroupObjects.of(coming.groups()))));
        synchronized (recollection) {
            return intake.under(settings)
                    .take(objects, known, now, now, recollection)
                    .warning(coming.warnings());
        }
    }

    @Override
    public Intaken take(LoopSettings settings, Collection<GangRecord> standings, long now) {
        asMembers.turn();
        IntakeResult taken = takeIn(settings, standings, now);
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
        Snapshot snapshot = knowing(taken.snapshot(), standings);
        return new Intaken(
                offered.offers().isEmpty() ? snapshot : snapshot.offering(offered.offers()),
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
        List<Pod> members = naming(gang);
        if (!members.isEmpty() || !gang.name().startsWith(SINGLE)) {
            return members;
        }
        Pod single = pod(gang.namespace(), gang.name().substring(SINGLE.length()));
        return single == null ? List.of() : List.of(single);
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
            if (!Isolated.get(() -> intake.isApart(standing.gang(), pods, groups()), _ -> false)) {
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
}
