package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.combination.Account;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.ledger.Grant;
import io.slotwise.core.ledger.UseUnit;
import io.slotwise.core.migration.Running;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.GangEnds;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.reservation.ReservationNames;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.runtime.RuntimeSource;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.core.work.InternalFailure;
import io.slotwise.core.work.Isolated;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.gangs.RoleMinima;
import io.slotwise.kubernetes.manifest.admission.ReservationQuotas;
import io.slotwise.kubernetes.manifest.device.PodDevices;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.Annotations;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.ManifestFlaw;
import io.slotwise.kubernetes.manifest.field.PodFindings;
import io.slotwise.kubernetes.manifest.field.QuantityAmounts;
import io.slotwise.kubernetes.manifest.gang.AnnotatedGang;
import io.slotwise.kubernetes.manifest.gang.GangDefaults;
import io.slotwise.kubernetes.manifest.gang.GuessedRuntimes;
import io.slotwise.kubernetes.manifest.gang.KnownGang;
import io.slotwise.kubernetes.manifest.gang.PromiseSeats;
import io.slotwise.kubernetes.manifest.holds.HoldTerms;
import io.slotwise.kubernetes.manifest.holds.RecordSize;
import io.slotwise.kubernetes.manifest.holds.ReservationBounds;
import io.slotwise.kubernetes.manifest.neighbours.AntiAffinity;
import io.slotwise.kubernetes.manifest.neighbours.AntiAffinity.NamespaceLabels;
import io.slotwise.kubernetes.manifest.neighbours.ClosedNodes;
import io.slotwise.kubernetes.manifest.neighbours.DisruptionBudgets;
import io.slotwise.kubernetes.manifest.neighbours.PodNeighbours;
import io.slotwise.kubernetes.manifest.pods.DeclaredFeatures;
import io.slotwise.kubernetes.manifest.pods.GangBounds;
import io.slotwise.kubernetes.manifest.pods.GangMembers;
import io.slotwise.kubernetes.manifest.pods.GangRun;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.pods.PodRecreation;
import io.slotwise.kubernetes.manifest.pods.Pods;
import io.slotwise.kubernetes.manifest.volumes.PodVolumes;
import io.slotwise.live.record.MigrationHistory;
import io.slotwise.live.settings.LoopSettings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Sorts pods into gangs and gangs into what is planned, what is held and what runs: scratch of one run. */
final class GangIntake {
    private final LoopSettings settings;
    private final GangDefaults usual;
    private final PodFilter candidates;
    private final Map<GangId, KnownGang> known;
    private final Map<String, Grant> grants;
    private final Map<String, Node> nodes = new HashMap<>();
    private final List<Pod> pods;
    private final Collection<Namespace> namespaces;
    private final PodNeighbours neighbours;
    private final PodVolumes volumes;
    private final PodDevices devices;
    private final DeclaredFeatures features;
    private final PodReader reader;
    private final NodeOccupants residents;
    private final PromisedRoom promisedRoom;
    private final LatePods late;
    private final IntakeCache recollection;
    private final RecordSize recordSize;
    private final ReservationBounds reservationBounds;
    private final StoppableGangs runners;
    private final GangAssembly assembly;
    private final ClosedNodes closed;
    private final GuessedRuntimes guessed;
    private final GangReadings readings;
    /** Seats of gangs whose members have an anti-affinity. */
    private final Map<GangId, Map<String, Placement>> seats = new HashMap<>();

    private final long now;

    private final Map<GangId, GangMembers> gangs = new HashMap<>();
    private final List<Request> requests = new ArrayList<>();
    private final List<Started> started = new ArrayList<>();
    private final List<Pending> held = new ArrayList<>();
    private final Map<GangId, GangId> named = new HashMap<>();
    private final Set<GangId> holds = new HashSet<>();
    private final TreeMap<GangId, List<Pod>> members = new TreeMap<>();
    private final List<IntakeWarning> nameless = new ArrayList<>();
    /** When gangs end that do not wait and have not ended, and those that cannot be planned but have their promise. */
    private final Map<GangId, Long> ends = new HashMap<>();
    /** When the pods of gangs ended that are over. */
    private final Map<GangId, Long> over = new HashMap<>();
    /** How many members of gangs that wait have done their work; fewer than the gang has. */
    private final Map<GangId, Integer> finished = new HashMap<>();

    /** The gang of each pod that is planned by itself since it is beyond that gang's size. */
    private final Map<GangId, GangId> surplus = new HashMap<>();

    private final OtherSchedulers others = new OtherSchedulers();
    /** Why the API server refuses pods of files, by their names. */
    private final Map<String, String> refused;
    /** Gangs that are planned with the policy's default runtime. */
    private final Set<GangId> assumed = new TreeSet<>();

    /**
     * A gang of which a member runs.
     *
     * @param gang all of its pods, also those that wait to join it
     * @param run those that it has started with; if none of them is left, those that came in their places
     * @param starts what is known of the starts of those
     * @param room what those hold that run
     */
    private record Started(
            GangMembers gang,
            KnownGang knowledge,
            AnnotatedGang terms,
            List<Pod> run,
            List<KnownGang> starts,
            List<Occupation> room) {
        GangId id() {
            return gang.id();
        }
    }

    GangIntake(
            LoopSettings settings,
            PodFilter candidates,
            Map<GangId, KnownGang> known,
            Map<String, Grant> grants,
            IntakeCache recollection,
            QuantityAmounts amounts,
            ClusterObjects objects,
            long now,
            long seen) {
        this.guessed = new GuessedRuntimes(
                settings.runtimePrediction(), settings.policy().horizon(), objects.histories(), amounts);
        this.settings = settings;
        this.usual = GangDefaults.of(settings);
        this.candidates = candidates;
        this.known = new HashMap<>(known);
        this.grants = grants;
        this.now = now;
        this.recollection = recollection;
        this.readings = new GangReadings(recollection, objects.groups(), guessed, this::usual, known);
        Map<String, Performance> performances = new HashMap<>();
        Map<String, Resources> allocatable = new HashMap<>();
        for (Node node : recollection.nodes()) {
            nodes.put(node.name(), node);
            allocatable.put(node.name(), node.allocatable());
            performances.put(node.name(), node.performance());
        }
        this.recordSize = RecordSize.on(recollection.nodes());
        this.reservationBounds = new ReservationBounds(
                known, recordSize, settings.reservationSeats(), new ReservationQuotas(objects.quotas()));
        this.refused = objects.admissions().refused();
        this.pods = objects.pods();
        this.namespaces = objects.namespaces();
        NamespaceLabels labels = AntiAffinity.labels(objects.namespaces());
        List<Pod> waiting = pods.stream()
                .filter(pod -> Isolated.get(() -> isWaiting(pod) && recollection.bound(pod) == null, _ -> false))
                .toList();
        this.neighbours = new PodNeighbours(waiting, Pods::gangOf, labels);
        this.volumes = new PodVolumes(objects.volumes(), candidates.annotated(), recollection.nodes());
        volumes.look(pods, waiting, Pods::gangOf, this::promised);
        this.devices = new PodDevices(
                objects.devices(),
                recollection.selectors(),
                allocatable,
                pod -> !candidates.annotated() && candidates.isDirect(pod),
                amounts);
        Set<String> seated = PromiseSeats.seated(
                waiting, gang -> known.getOrDefault(gang, KnownGang.NOTHING).promise());
        devices.look(pods, waiting, Pods::gangOf, pod -> seated.contains(Pods.name(pod)));
        this.features = new DeclaredFeatures(waiting, objects.nodes());
        this.reader = new PodReader(amounts, recollection, neighbours, volumes, devices, features);
        this.residents = new NodeOccupants(settings, performances, reader, seen);
        this.promisedRoom = new PromisedRoom(residents, now);
        this.late = new LatePods(residents, this.known, now);
        this.runners = new StoppableGangs(
                settings, candidates, recollection.nodes(), new DisruptionBudgets(objects.budgets()), seen);
        this.assembly = new GangAssembly(settings, candidates, nodes, now);
        this.closed = new ClosedNodes(nodes, pods, labels, this::end);
    }

    /** When a gang is to start by its promise, seconds since the epoch. */
    private long promised(GangId gang) {
        Promise promise = known.getOrDefault(gang, KnownGang.NOTHING).promise();
        return promise == null ? Long.MAX_VALUE : promise.window().start();
    }

    /** Takes all pods and advance reservations in. */
    void take(List<Reservation> reservations) {
        recollection.withAntiAffinity().forEach(closed::add);
        pods.forEach(pod -> Isolated.run(() -> sort(pod), error -> failed(pod, error)));
        Map<GangId, String> tooLarge = reservationBounds.problems(reservations);
        reservations.forEach(reservation ->
                Isolated.run(() -> takeHold(reservation, tooLarge), error -> failed(reservation, error)));
        holds.stream().map(gangs::remove).filter(Objects::nonNull).forEach(this::nameTaken);
        GangBounds.problems(gangs.values(), GangBounds.MOST_PODS, this::isSettled)
                .forEach(this::leaveOut);
        gangs.values().stream().sorted(Comparator.comparing(GangMembers::id)).forEach(gang -> {
            int room = residents.occupations().size();
            Isolated.run(() -> takeLabelled(gang), error -> failed(gang, room, error));
        });
        new TreeMap<>(known)
                .forEach((id, knowledge) ->
                        Isolated.run(() -> awaitPods(id, knowledge), error -> hold(id, Refusal.Failed.by(error))));
        takeRunning();
    }

    private boolean isSettled(GangMembers gang) {
        KnownGang knowledge = known.getOrDefault(gang.id(), KnownGang.NOTHING);
        return knowledge.promise() != null
                || knowledge.startedAt().isPresent()
                || !gang.bound().isEmpty();
    }

    private void leaveOut(GangId id, String problem) {
        members.put(id, Objects.requireNonNull(gangs.remove(id)).all());
        hold(id, new Refusal.InvalidRequest(problem));
    }

    /** A pod that cannot be sorted takes part in nothing; where it is bound it keeps its room. */
    private void failed(Pod pod, Throwable error) {
        InternalFailure bug = InternalFailure.of(error);
        nameless.add(new IntakeWarning(
                IntakeWarning.Reason.INTERNAL_ERROR,
                "Pod",
                pod.getMetadata().getNamespace(),
                pod.getMetadata().getName(),
                "pod %s cannot be read because of %s; it is not planned".formatted(Pods.name(pod), bug),
                bug));
        String node = pod.getSpec() == null ? null : Pods.node(pod);
        if (node != null) {
            residents.addAnyhow(pod, node);
        }
    }

    private void failed(Reservation reservation, Throwable error) {
        GangId id = Objects.requireNonNull(reservation.gang());
        requests.removeIf(request -> request.gang().id().equals(id));
        holds.add(id);
        refuse(id, error);
    }

    /**
     * A gang that cannot be taken in is refused, or told of if it runs; what had been read of it is forgotten, and its
     * bound pods and promised seats keep their room.
     *
     * @param room how many held room before it
     */
    private void failed(GangMembers gang, int room, Throwable error) {
        GangId id = gang.id();
        residents.forgetAllBut(room);
        requests.removeIf(request -> request.gang().id().equals(id));
        started.removeIf(one -> one.id().equals(id));
        members.put(id, gang.all());
        gang.bound().forEach(pod -> residents.addAnyhow(pod, String.valueOf(Pods.node(pod))));
        KnownGang knowledge = known.getOrDefault(id, KnownGang.NOTHING);
        if (knowledge.startedAt().isPresent() || !gang.bound().isEmpty()) {
            warn(gang, "is not planned", error);
        } else {
            refuse(id, error);
        }
        Isolated.run(() -> promisedRoom.hold(id, knowledge.promise(), gang.waiting()), _ -> {});
    }

    private void warn(GangMembers gang, String what, Throwable error) {
        InternalFailure bug = InternalFailure.of(error);
        nameless.add(new IntakeWarning(
                IntakeWarning.Reason.INTERNAL_ERROR,
                "Pod",
                gang.id().namespace(),
                gang.all().getFirst().getMetadata().getName(),
                "gang %s %s because of %s".formatted(gang.id(), what, bug),
                bug));
    }

    private void refuse(GangId id, Throwable error) {
        held.removeIf(pending -> pending.gang().equals(id));
        hold(id, Refusal.Failed.by(error));
    }

    /** An advance reservation is planned with a pod for each seat that exists nowhere else. */
    private void takeHold(Reservation reservation, Map<GangId, String> tooLarge) {
        GangId id = Objects.requireNonNull(reservation.gang());
        String problem = tooLarge.get(id);
        if (problem != null) {
            holds.add(id);
            hold(id, new Refusal.InvalidRequest(problem));
            return;
        }
        KnownGang knowledge = known.getOrDefault(id, KnownGang.NOTHING);
        holds.add(id);
        switch (HoldTerms.read(reservation, knowledge.usual(usual(id)))) {
            case HoldTerms.Unclear(Refusal refusal) -> hold(id, refusal);
            case HoldTerms.Clear(AnnotatedGang terms, List<Pod> seats) -> plan(id, seats, terms, knowledge, List.of());
        }
    }

    /**
     * A record is about a gang or about a reservation: pods whose gang has the name of one have no record, and are not
     * planned.
     */
    private void nameTaken(GangMembers gang) {
        for (Pod pod : gang.all()) {
            nameless.add(new IntakeWarning(
                    IntakeWarning.Reason.INVALID_VALUE,
                    "Pod",
                    pod.getMetadata().getNamespace(),
                    pod.getMetadata().getName(),
                    "`%s` (%s) of pod %s is the name of an advance reservation: expected another name for the gang"
                            .formatted(AnnotationKeys.GANG, gang.id().name(), Pods.name(pod))));
        }
    }

    /** A gang that was moved keeps the room of its window until its pods have been made again. */
    private void awaitPods(GangId id, KnownGang knowledge) {
        Promise promise = knowledge.promise();
        MigrationHistory past = knowledge.past();
        boolean started = knowledge.startedAt().isPresent();
        if (past == null || promise == null || started || members.containsKey(id)) {
            return;
        }
        int size = promise.window().placements().size();
        hold(id, new Refusal.WaitingForMembers(0, size));
        if (promise.window().start() >= now) {
            for (Placement seat : promise.window().placements()) {
                residents.addSeat(id.namespace(), seat, past.request());
            }
        }
    }

    /** The result; occupations, requests and warnings in an order that does not depend on the pods'. */
    IntakeResult taken(
            List<IntakeWarning> fromObjects, List<Account> accounts, Function<UseUnit, Map<String, Cost>> used) {
        Cluster cluster = new Cluster(
                recollection.nodes(places(), limits()), withApart(marked(recollection.with(residents.occupations()))));
        requests.sort(Comparator.comparing(request -> request.gang().id()));
        held.sort(Comparator.comparing(Pending::gang));
        List<IntakeWarning> warnings = new ArrayList<>(fromObjects);
        Stream.concat(residents.warnings().stream(), nameless.stream())
                .sorted(Comparator.comparing(IntakeWarning::namespace).thenComparing(IntakeWarning::name))
                .forEach(warnings::add);
        warnings.addAll(others.warnings(candidates.schedulerName()));
        return new IntakeResult(
                new Snapshot(now, cluster, requests, held)
                        .withAccounts(accounts)
                        .withRunning(runners.found())
                        .withUsed(used.apply(UseUnit.in(cluster)))
                        .ending(new GangEnds(ends(), NamespaceReader.admitted(namespaces))),
                new ReservationNames(named, holds),
                members,
                warnings,
                guessed.sources());
    }

    /**
     * When gangs end that do not wait: those that run, those that are over as long as their pods are there, and those
     * that cannot be planned at the moment but keep their promise.
     */
    private Map<GangId, Long> ends() {
        Map<GangId, Long> all = new HashMap<>(over);
        requests.forEach(request -> all.remove(request.gang().id()));
        for (Pending pending : held) {
            Promise promise =
                    known.getOrDefault(pending.gang(), KnownGang.NOTHING).promise();
            all.remove(pending.gang());
            if (promise != null && promise.window().start() >= now) {
                all.put(pending.gang(), promise.window().end());
            }
        }
        all.putAll(ends);
        return all;
    }

    /** What pods name and the input lacks, where it has nothing of the kind. */
    List<PodFindings> missing() {
        return List.of(volumes.missing(), devices.missing());
    }

    /** The gangs that are planned with the policy's default runtime, by name. */
    Set<GangId> assumed() {
        return assumed;
    }

    private void noteRuntime(GangId id, @Nullable AnnotatedGang terms) {
        RuntimeSource source = guessed.sources().get(id);
        if (terms != null && !terms.statesRuntime() && (source == null || source.prediction() == null)) {
            assumed.add(id);
        }
    }

    /** Whether a pod that waits asks for devices. */
    boolean asksForDevices() {
        return devices.isAskedFor();
    }

    private Map<String, Map<String, Long>> limits() {
        if (devices.isEmpty() && features.limits().isEmpty()) {
            return volumes.limits();
        }
        Map<String, Map<String, Long>> limits = new TreeMap<>(volumes.limits());
        limits.putAll(devices.limits());
        limits.putAll(features.limits());
        return limits;
    }

    /**
     * What is held, and the devices of claims that no single pod has: these are held until the last of their pods has
     * ended, and from then on for no pod until they are given back.
     */
    private List<Occupation> withApart(List<Occupation> held) {
        List<Occupation> apart = devices.apart(held, now, settings);
        return apart.isEmpty()
                ? held
                : Stream.concat(held.stream(), apart.stream()).toList();
    }

    /** What is held, with the marks of those whose holding is remembered without them. */
    private List<Occupation> marked(List<Occupation> held) {
        if (neighbours.isEmpty() && volumes.isEmpty() && devices.isEmpty()) {
            return held;
        }
        Map<String, Pod> remembered = new HashMap<>();
        pods.stream().filter(recollection::isEndless).forEach(pod -> remembered.put(Pods.name(pod), pod));
        return held.stream()
                .map(occupation -> {
                    Pod pod = remembered.get(occupation.holder());
                    return pod == null ? occupation : occupation.of(reader.marked(occupation.amount(), pod));
                })
                .toList();
    }

    /** Whether a pod is to be planned, as far as its own object tells. */
    private boolean isWaiting(Pod pod) {
        return Pods.node(pod) == null && isOurs(pod) && !Pods.isTerminal(pod) && !Pods.isTerminating(pod);
    }

    /** The places and marks that anybody asks for or looks at who may be planned: only these are known of nodes. */
    private Set<String> places() {
        Set<String> places = new TreeSet<>();
        Stream.concat(
                        requests.stream().map(Request::gang),
                        runners.found().stream().map(Running::gang))
                .forEach(gang -> {
                    gang.rules().forEach(rule -> places.add(rule.mark()));
                    gang.shapes()
                            .forEach(shape -> places.addAll(
                                    shape.request().resources().places().asMap().keySet()));
                });
        return places;
    }

    private void sort(Pod pod) {
        if (recollection.isEndless(pod)) {
            return;
        }
        if (Pods.isTerminal(pod)) {
            if (isOurs(pod)) {
                over.merge(Pods.gangOf(pod), Pods.endedAt(pod).orElse(now), Math::max);
                ofItsName(pod).gone().add(pod);
            }
            return;
        }
        String node = Pods.node(pod);
        if (node != null) {
            closed.add(pod);
        }
        boolean terminating = Pods.isTerminating(pod);
        if (!isOurs(pod)) {
            if (node != null) {
                Occupation endless = terminating ? null : residents.endless(pod, node);
                if (endless == null) {
                    residents.addForeign(pod, node);
                } else {
                    recollection.add(pod, endless);
                }
            } else if (!terminating) {
                addComing(pod);
            }
        } else if (terminating) {
            if (node != null) {
                residents.addForeign(pod, node);
            }
            ofItsName(pod).gone().add(pod);
        } else if (node != null && isLeaving(pod)) {
            residents.addLeaving(pod, node, leavingFrom(pod));
            ofItsName(pod).gone().add(pod);
        } else {
            if (node == null && !candidates.isOurs(pod.getSpec().getSchedulerName())) {
                others.addPlanned(pod);
            }
            ofItsName(pod).add(pod);
        }
    }

    private GangMembers ofItsName(Pod pod) {
        return gangs.computeIfAbsent(Pods.gangOf(pod), GangMembers::new);
    }

    /** A pod of a DaemonSet has its room from the moment in which it is made: no node is its own to choose. */
    private void addComing(Pod pod) {
        String node = Pods.nodeOfDaemon(pod);
        if (node != null) {
            residents.addForeign(pod, node);
        } else if (candidates.annotated()) {
            others.addUnplanned(pod);
        }
    }

    /**
     * Until when a bound pod closes nodes by anti-affinity: until the planned end of its seat, if it has one, extended
     * as for its room; else for ever. {@link ClosedNodes#NOT_AT_ALL}: it is to be evicted at once. One that disruption
     * budgets keep closes them for as long as they may.
     */
    private long end(Pod pod) {
        if (isLeaving(pod)) {
            long from = leavingFrom(pod);
            return from > now ? from + PodRecreation.gone(pod) : ClosedNodes.NOT_AT_ALL;
        }
        GangId named = Pods.gangOf(pod);
        GangId gang = known.containsKey(named) ? named : Pods.ownGang(pod);
        KnownGang knowledge = known.getOrDefault(gang, KnownGang.NOTHING);
        Placement seat = seats.computeIfAbsent(gang, _ -> PromiseSeats.of(knowledge.promise()))
                .get(pod.getMetadata().getName());
        if (seat == null || !seat.node().equals(Pods.node(pod))) {
            return Interval.FOREVER;
        }
        long start = knowledge.startedAt().orElse(seat.start());
        RuntimeSource source = knowledge.source();
        boolean stated = source == null || source.stated();
        return Math.max(settings.graced(start, start + seat.end() - seat.start(), now, stated), now + 1);
    }

    /** A pod that has a start of its own stays when its gang is rolled back; it goes when its gang is stopped. */
    private boolean isLeaving(Pod pod) {
        KnownGang knowledge = known.get(Pods.gangOf(pod));
        String uid = pod.getMetadata().getUid();
        return knowledge != null
                && knowledge.isLeaving(uid)
                && (knowledge.evicts(uid) || !runsByItself(pod, Pods.gangOf(pod)));
    }

    /** From which second on a pod that is leaving is on its way out. */
    private long leavingFrom(Pod pod) {
        return known.getOrDefault(Pods.gangOf(pod), KnownGang.NOTHING)
                .leavingFrom(pod.getMetadata().getUid(), now);
    }

    /** Whether a pod is on its node, or is on its way there because its start is durable. */
    private boolean runs(Pod pod, GangId gang) {
        return Pods.node(pod) != null
                || known.getOrDefault(gang, KnownGang.NOTHING).hasStartedWith(pod)
                || runsByItself(pod, gang);
    }

    private static List<Pod> there(List<Pod> pods) {
        return pods.stream().filter(pod -> !Pods.isComing(pod)).toList();
    }

    /** Whether a pod with the name of this gang has a start of its own, or may have it at any moment. */
    private boolean runsByItself(Pod pod, GangId gang) {
        if (known.isEmpty()) {
            return false;
        }
        GangId own = Pods.ownGang(pod);
        KnownGang knowledge = own.equals(gang) ? null : known.get(own);
        return knowledge != null && (knowledge.isReleased() || knowledge.hasStartedWith(pod));
    }

    private boolean isOurs(Pod pod) {
        return candidates.isOurs(pod.getSpec().getSchedulerName())
                || (candidates.annotated()
                        && (Pods.label(pod, AnnotationKeys.GANG) != null
                                || Annotations.find(pod, AnnotationKeys.RUNTIME) != null))
                || (Pods.node(pod) == null && candidates.isTried(pod.getSpec().getSchedulerName()));
    }

    /**
     * The pods of one name, as {@link GangRun} sorts them. Those that run or start together speak for the gang, also
     * for those that are planned by themselves.
     */
    private void takeLabelled(GangMembers labelled) {
        if (labelled.isEmpty()) {
            return;
        }
        GangId id = labelled.id();
        GangRun run = GangRun.of(labelled.all(), labelled.gone(), pod -> runs(pod, id));
        List<Pod> inside = Stream.of(run.running(), run.joining(), run.together())
                .flatMap(List::stream)
                .sorted(Pods.BY_NAME)
                .toList();
        GangMembers speaking = GangMembers.of(id, inside, labelled.gone());
        if (inside.isEmpty()) {
            takeOutside(run, labelled);
            return;
        }
        AnnotatedGang.Reading reading = readings.of(speaking, id);
        if (reading instanceof AnnotatedGang.Reading.Apart) {
            takeApart(labelled);
            return;
        }
        takeOutside(run, labelled);
        GangMembers joining = GangMembers.of(id, run.joining(), labelled.gone());
        if (run.isUnderWay() && onlySurplusRuns(run, joining, reading.known())) {
            run.running().forEach(pod -> takeSurplus(pod, speaking));
            take(joining, reading, List.of());
        } else if (run.isUnderWay()) {
            takeRun(run, speaking, reading);
        } else {
            take(speaking, reading, List.of());
        }
    }

    /**
     * Whether a gang that has not started waits beside pods that run by themselves: with all of its members, or with a
     * promise, which holds while a member is made again.
     */
    private boolean onlySurplusRuns(GangRun run, GangMembers joining, @Nullable AnnotatedGang terms) {
        GangId id = joining.id();
        KnownGang knowledge = known.getOrDefault(id, KnownGang.NOTHING);
        return terms != null
                && !joining.isEmpty()
                && knowledge.startedAt().isEmpty()
                && run.running().stream().allMatch(pod -> runsByItself(pod, id))
                && (knowledge.promise() != null || vacant(terms, joining, PromiseSeats.places(run.joining())) == 0);
    }

    /** Pods of another generation than those that run, or than newer ones. */
    private void takeOutside(GangRun run, GangMembers labelled) {
        int others = labelled.bound().size()
                + labelled.waiting().size()
                - run.outside().size();
        for (Pod pod : there(run.outside())) {
            GangMembers alone = GangMembers.of(Pods.ownGang(pod), List.of(pod), List.of());
            members.put(alone.id(), alone.all());
            hold(alone.id(), new Refusal.WaitingForGeneration(others));
        }
    }

    /**
     * A gang of which a member runs: those that it has started with, those that came since and have starts of their
     * own, and those that are to have one. Those that came since take the places of lost members, the earliest first;
     * the others are more than the gang needs, and stand for themselves.
     */
    private void takeRun(GangRun run, GangMembers speaking, AnnotatedGang.Reading reading) {
        GangId id = speaking.id();
        List<Pod> first = new ArrayList<>();
        List<Pod> later = new ArrayList<>();
        run.running().forEach(pod -> (runsByItself(pod, id) ? later : first).add(pod));
        int before = residents.occupations().size();
        List<Pod> joining =
                late.take(speaking, takeStarted(GangMembers.of(id, first, speaking.gone()), run.joining(), reading));
        AnnotatedGang terms = reading.known();
        int vacant = terms == null ? 0 : vacant(terms, speaking, first.size());
        later.sort(Pods.BY_ARRIVAL);
        List<Pod> joined = later.subList(0, Math.min(vacant, later.size()));
        joined.forEach(pod -> takeAlone(pod, speaking));
        List<Occupation> room = held(before);
        later.subList(joined.size(), later.size()).forEach(pod -> takeSurplus(pod, speaking));
        noteEnd(id, before);
        joining.forEach(pod -> takeAlone(pod, speaking));
        KnownGang knowledge = known.getOrDefault(id, KnownGang.NOTHING);
        if (terms != null && (!first.isEmpty() || (knowledge.startedAt().isPresent() && !joined.isEmpty()))) {
            List<Pod> whole = Stream.of(first, joined, replacements(joining, vacant - joined.size()))
                    .flatMap(List::stream)
                    .toList();
            started.add(new Started(
                    GangMembers.of(id, whole, speaking.gone()),
                    knowledge,
                    terms,
                    first.isEmpty() ? joined : first,
                    first.isEmpty() ? ofTheirOwn(joined) : List.of(knowledge),
                    room));
        }
    }

    /** What is known of the starts that these pods have had by themselves. */
    private List<KnownGang> ofTheirOwn(List<Pod> pods) {
        return pods.stream()
                .map(pod -> known.getOrDefault(Pods.ownGang(pod), KnownGang.NOTHING))
                .toList();
    }

    /** How many members of a gang are lost that have not done their work. */
    private static int vacant(AnnotatedGang terms, GangMembers gang, int present) {
        return Math.max(0, terms.size() - present - terms.done(gang.finished()));
    }

    private static List<Pod> replacements(List<Pod> joining, int vacant) {
        return joining.stream()
                .sorted(Pods.BY_ARRIVAL)
                .limit(Math.max(0, vacant))
                .toList();
    }

    /** A pod that is planned by itself beside the gang that it belongs to. */
    private void takeAlone(Pod pod, GangMembers speaking) {
        GangMembers alone = GangMembers.of(Pods.ownGang(pod), List.of(pod), List.of());
        AnnotatedGang.Reading reading = alone(alone.id(), speaking);
        if (runs(pod, alone.id())) {
            int before = residents.occupations().size();
            takeStarted(alone, List.of(), reading);
            noteEnd(alone.id(), before);
        } else {
            take(alone, reading, speaking.bound());
        }
    }

    private AnnotatedGang.Reading alone(GangId own, GangMembers speaking) {
        return readings.of(speaking, own).single(late.paid(own)).afterNone();
    }

    /** A pod that runs by itself and takes no place of its gang: it may be stopped by itself. */
    private void takeSurplus(Pod pod, GangMembers speaking) {
        int before = residents.occupations().size();
        takeAlone(pod, speaking);
        GangMembers alone = GangMembers.of(Pods.ownGang(pod), List.of(pod), List.of());
        AnnotatedGang terms = alone(alone.id(), speaking).known();
        if (terms != null && Pods.node(pod) != null) {
            KnownGang knowledge = known.getOrDefault(alone.id(), KnownGang.NOTHING);
            started.add(new Started(alone, knowledge, terms, List.of(pod), List.of(knowledge), held(before)));
        }
    }

    private List<Occupation> held(int before) {
        return List.copyOf(
                residents.occupations().subList(before, residents.occupations().size()));
    }

    /** The gang ends with the last of those that hold room since there were {@code before}. */
    private void noteEnd(GangId gang, int before) {
        residents.occupations().stream()
                .skip(before)
                .mapToLong(held -> held.interval().end())
                .max()
                .ifPresent(end -> ends.put(gang, Math.max(end, now + 1)));
    }

    /** Pods of one name that are no gang: each speaks for itself and is planned by itself. */
    private void takeApart(GangMembers named) {
        for (Pod pod : there(named.all())) {
            GangMembers alone = GangMembers.of(Pods.ownGang(pod), List.of(pod), List.of());
            GangRun run = GangRun.of(alone.all(), List.of(), one -> runs(one, alone.id()));
            AnnotatedGang.Reading reading = readings.of(alone, alone.id()).single();
            if (run.isUnderWay()) {
                takeRun(run, alone, reading);
            } else {
                take(alone, reading, List.of());
            }
        }
    }

    /** What counts where a gang states nothing, and bounds what it may state. */
    private GangDefaults usual(GangId gang) {
        return grants.get(gang.namespace()) instanceof Grant.Given(Allotment budget)
                ? usual.within(budget.amount())
                : usual;
    }

    /**
     * Takes one gang of which no member runs.
     *
     * @param running bound pods of the same label
     */
    private void take(GangMembers gang, AnnotatedGang.Reading reading, List<Pod> running) {
        KnownGang knowledge = known.getOrDefault(gang.id(), KnownGang.NOTHING);
        if (knowledge.startedAt().isPresent()) {
            // Its record does not say yet that the run before has ended: the next cycle plans these pods.
            members.put(gang.id(), gang.all());
            return;
        }
        switch (reading) {
            case AnnotatedGang.Reading.Unclear(ManifestFlaw flaw) -> {
                members.put(gang.id(), gang.all());
                hold(gang.id(), flaw.refusal());
                promisedRoom.hold(gang.id(), knowledge.promise(), gang.all());
            }
            case AnnotatedGang.Reading.Lacking lacking -> {
                members.put(gang.id(), gang.all());
                hold(gang.id(), lacking.reason());
                promisedRoom.hold(gang.id(), knowledge.promise(), gang.all());
            }
            case AnnotatedGang.Reading.Clear(AnnotatedGang terms) ->
                takeWaiting(gang, knowledge, terms, reading, running);
            case AnnotatedGang.Reading.Apart _ -> takeApart(gang);
        }
    }

    /**
     * The members with which a gang has started hold their room, and so do those that are on their way to their seats.
     *
     * @param joining pods of the gang that wait
     * @return those of them that have no seat
     */
    private List<Pod> takeStarted(GangMembers gang, List<Pod> joining, AnnotatedGang.Reading reading) {
        KnownGang knowledge = known.getOrDefault(gang.id(), KnownGang.NOTHING);
        Map<String, Placement> seats = PromiseSeats.of(knowledge.promise());
        residents.addMembers(gang.bound(), reading.known(), seats, knowledge.started());
        noteRuntime(gang.id(), reading.known());
        List<Pod> staying = new ArrayList<>(gang.bound());
        List<Pod> others = new ArrayList<>();
        Stream.concat(gang.waiting().stream(), joining.stream()).forEach(pod -> {
            Placement seat = seats.get(pod.getMetadata().getName());
            if (seat != null && !Pods.isReplacement(pod, knowledge.started())) {
                long start = knowledge.startedAt().orElse(Math.min(seat.start(), now));
                residents.addStarted(gang.id().namespace(), seat, residents.resources(pod), start);
                staying.add(pod);
            } else {
                others.add(pod);
            }
        });
        staying.sort(Pods.BY_NAME);
        if (!staying.isEmpty()) {
            members.put(gang.id(), staying);
        }
        return others;
    }

    /** Of the gangs that run those that may be stopped; the others are not read as closely. */
    private void takeRunning() {
        int highest = requests.stream()
                .map(Request::gang)
                .filter(Gang::preempts)
                .mapToInt(Gang::priority)
                .max()
                .orElse(Integer.MIN_VALUE);
        for (Started one : started) {
            Isolated.run(() -> takeRunning(one, highest), error -> warn(one.gang, "is not moved", error));
        }
    }

    private void takeRunning(Started one, int highest) {
        List<Pod> pods = one.gang.all();
        if (runners.mayStop(one.gang, one.terms, highest)
                && reader.shapes(
                                pods,
                                one.knowledge.avoidedNodes(),
                                PromiseSeats.of(one.knowledge.promise()),
                                pod -> closed.to(pod, pods))
                        instanceof PodReader.Reading.Clear(List<PodReader.Alike> shapes)) {
            Gang gang = gang(one.id(), pods, one.terms, shapes, List.of());
            runners.add(gang, one.gang.bound(), one.run, one.starts, one.knowledge, one.room, one.terms.migratable());
        }
    }

    private void takeWaiting(
            GangMembers gang,
            KnownGang knowledge,
            AnnotatedGang terms,
            AnnotatedGang.Reading reading,
            List<Pod> running) {
        Set<String> seated = PromiseSeats.of(knowledge.promise()).keySet();
        List<Pod> succeeded = gang.finished();
        int done = terms.done(succeeded);
        boolean goesOn = done < terms.size();
        if (goesOn) {
            finished.put(gang.id(), done);
        }
        int size = goesOn ? terms.size() - done : terms.size();
        RoleMinima roles = terms.whole().roles();
        List<Pod> chosen = PromiseSeats.choose(gang.waiting(), goesOn ? roles.without(succeeded) : roles, size, seated);
        if (chosen.isEmpty()) {
            members.put(gang.id(), gang.all());
            hold(gang.id(), new Refusal.WaitingForMembers(0, size));
            promisedRoom.hold(gang.id(), knowledge.promise(), gang.waiting());
            return;
        }
        members.put(gang.id(), chosen);
        plan(gang.id(), chosen, terms, knowledge, running);
        promisedRoom.holdLate(gang.id(), knowledge.promise(), chosen);
        if (chosen.size() < size) {
            // Of a gang that lacks members no pod is surplus: neither one of another role, nor a second one with the
            // same place.
            members.put(gang.id(), gang.all());
            return;
        }
        Set<String> names = new HashSet<>();
        chosen.forEach(pod -> names.add(pod.getMetadata().getName()));
        for (Pod pod : gang.waiting()) {
            if (!names.contains(pod.getMetadata().getName()) && !Pods.isComing(pod)) {
                GangMembers beyond = GangMembers.of(Pods.ownGang(pod), List.of(pod), List.of());
                surplus.put(beyond.id(), gang.id());
                take(beyond, reading.single(), running);
            }
        }
    }

    /**
     * Makes a request of pods that wait, or holds them with the reason why not. A budget of the namespace that cannot
     * be read holds a gang that has no promise yet.
     */
    private void plan(GangId id, List<Pod> pods, AnnotatedGang terms, KnownGang knowledge, List<Pod> running) {
        Promise promise = knowledge.promise();
        String obstacle = obstacle(pods);
        if (obstacle != null) {
            hold(id, new Refusal.InvalidRequest(obstacle));
            promisedRoom.hold(id, promise, pods);
            return;
        }
        Map<String, Placement> pins = promise != null && promise.released() ? PromiseSeats.of(promise) : Map.of();
        switch (reader.shapes(pods, knowledge.avoidedNodes(), pins, pod -> closed.to(pod, List.of()))) {
            case PodReader.Reading.Unclear(String problem) -> {
                hold(id, new Refusal.InvalidRequest(problem));
                promisedRoom.hold(id, promise, pods);
            }
            case PodReader.Reading.Clear(List<PodReader.Alike> shapes) -> {
                Refusal reason =
                        promise == null && grants.get(id.namespace()) instanceof Grant.Unreadable(String problem)
                                ? new Refusal.InvalidRequest(problem)
                                : reasonToWait(id, pods, terms, promise);
                if (reason == null) {
                    Gang gang = gang(id, pods, terms, shapes, running);
                    requests.add(new Request(gang, reseated(promise, gang)).withBehind(surplus.get(id)));
                    noteRuntime(id, terms);
                    if (terms.reservation() != null) {
                        named.put(id, new GangId(id.namespace(), terms.reservation()));
                    }
                } else {
                    hold(id, reason);
                    promisedRoom.hold(id, promise, pods);
                }
            }
        }
    }

    /** Why these pods cannot be started the way that they name; null: they can. */
    private @Nullable String obstacle(List<Pod> pods) {
        return pods.stream()
                .map(pod -> refused.getOrDefault(Pods.name(pod), recollection.obstacle(pod, candidates)))
                .filter(Objects::nonNull)
                .findFirst()
                .orElseGet(() -> candidates.conflict(pods));
    }

    /**
     * Pods that came instead of others take their places, if all pods ask for the same. A promise of another size is
     * handed on: the gang was edited.
     */
    private static @Nullable Promise reseated(@Nullable Promise promise, Gang gang) {
        return promise == null
                        || !gang.isUniform()
                        || promise.window().placements().size() != gang.size()
                ? promise
                : promise.reseated(gang.pods());
    }

    private @Nullable Refusal reasonToWait(GangId id, List<Pod> pods, AnnotatedGang terms, @Nullable Promise promise) {
        String tooLarge = promise == null ? recordSize.problem(terms.size(), pods) : null;
        if (tooLarge != null) {
            return new Refusal.InvalidRequest(tooLarge);
        }
        int left = terms.size() - finished.getOrDefault(id, 0);
        int present = PromiseSeats.places(pods);
        if (present < left) {
            int coming = (int) pods.stream().filter(Pods::isComing).count();
            return new Refusal.WaitingForMembers(present - coming, left - coming);
        }
        for (Pod pod : pods) {
            String gate = Pods.foreignGate(pod);
            if (gate != null) {
                return new Refusal.ForeignGate(Pods.name(pod), gate);
            }
        }
        // Of a gang that is on its way kube-scheduler is binding the claims, and gives them devices.
        return promise != null && promise.released()
                ? null
                : pods.stream()
                        .flatMap(pod -> Stream.of(volumes.obstacle(pod), devices.obstacle(pod)))
                        .filter(Objects::nonNull)
                        .findFirst()
                        .orElse(null);
    }

    private Gang gang(GangId id, List<Pod> pods, AnnotatedGang terms, List<PodReader.Alike> shapes, List<Pod> running) {
        GangMembers named = gangs.get(id);
        List<Pod> going = named == null
                ? List.of()
                : named.gone().stream()
                        .filter(pod -> Pods.node(pod) != null && !Pods.isTerminal(pod))
                        .toList();
        KnownGang knowledge = known.getOrDefault(id, KnownGang.NOTHING);
        return assembly.gang(
                new GangAssembly.Read(id, pods, terms, shapes, running, going), knowledge, runners.home(knowledge));
    }

    private void hold(GangId id, Refusal refusal) {
        held.add(new Pending(id, refusal));
    }
}
