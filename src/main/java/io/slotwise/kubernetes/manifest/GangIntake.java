package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.combination.Account;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.core.ledger.QueueLedgers;
import io.slotwise.core.ledger.UseUnit;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.queue.QueueState;
import io.slotwise.core.window.Placement;
import io.slotwise.core.work.InternalFailure;
import io.slotwise.core.work.Isolated;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.manifest.admission.ReservationQuotas;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.gang.AnnotatedGang;
import io.slotwise.kubernetes.manifest.gang.GuessedRuntimes;
import io.slotwise.kubernetes.manifest.gang.KnownGang;
import io.slotwise.kubernetes.manifest.gang.PromisePlacements;
import io.slotwise.kubernetes.manifest.holds.ReservationBounds;
import io.slotwise.kubernetes.manifest.pods.GangBounds;
import io.slotwise.kubernetes.manifest.pods.GangMembers;
import io.slotwise.kubernetes.manifest.pods.GangRun;
import io.slotwise.kubernetes.manifest.pods.Pods;
import io.slotwise.live.record.MigrationHistory;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Takes in all gangs. An error in one gang is reported for this gang only. {@link PodSorter} sorts the pods, {@link
 * WaitingGangs} and {@link RunningGangs} take them in, {@link IntakeFindings} has the results. Used for one intake.
 */
final class GangIntake {
    private final IntakeInput input;
    /** The gangs beyond the number that is planned for their namespaces, each with the reason. */
    private final Map<GangId, String> tooMany;

    private final PodNeeds needs;
    private final PodReader reader;
    private final NodeOccupants occupants;
    private final PodSorter sorter;
    private final PromisedRoom promisedRoom;
    private final GangReadings readings;
    private final IntakeFindings findings;
    private final StoppableGangs stoppable;
    private final GangAssembly assembly;
    private final WaitingGangs waitingGangs;
    private final RunningGangs running;

    GangIntake(IntakeInput input) {
        this.input = input;
        GuessedRuntimes guessed = new GuessedRuntimes(
                input.settings().runtimePrediction(),
                input.settings().policy().horizon(),
                input.objects().histories(),
                pod -> input.cache().amounts().stated(pod, input.amounts()));
        List<Pod> waiting = PodSorter.waiting(input);
        this.tooMany = tooMany(waiting, input);
        this.needs = PodNeeds.of(
                tooMany.isEmpty()
                        ? waiting
                        : waiting.stream()
                                .filter(pod -> !Isolated.get(() -> tooMany.containsKey(Pods.gangOf(pod)), _ -> false))
                                .toList(),
                input);
        this.reader = new PodReader(input, needs);
        this.occupants = new NodeOccupants(input, reader);
        this.sorter = new PodSorter(input, occupants);
        this.promisedRoom = new PromisedRoom(occupants, input.now());
        this.readings = new GangReadings(input, guessed);
        this.findings = new IntakeFindings(input, guessed);
        this.stoppable = new StoppableGangs(input);
        this.assembly = new GangAssembly(input, sorter, stoppable);
        this.waitingGangs = new WaitingGangs(input, findings, reader, assembly, promisedRoom);
        this.running = new RunningGangs(input, findings, occupants, readings, waitingGangs);
    }

    /**
     * Returns the gangs beyond the limit of their namespace, with the reason, before the needs of their pods are read.
     * O(1) if few pods wait.
     */
    private static Map<GangId, String> tooMany(List<Pod> waiting, IntakeInput input) {
        if (waiting.size() <= GangBounds.MOST_PODS) {
            return Map.of();
        }
        Map<GangId, GangMembers> gangs = new HashMap<>();
        Stream.concat(
                        waiting.stream(),
                        input.objects().pods().stream().filter(pod -> Pods.node(pod) != null && !Pods.isTerminal(pod)))
                .forEach(pod -> Isolated.run(
                        () -> gangs.computeIfAbsent(Pods.gangOf(pod), GangMembers::new)
                                .add(pod),
                        _ -> {}));
        return GangBounds.problems(gangs.values(), GangBounds.MOST_PODS, input.known()::isSettled);
    }

    void take() {
        input.objects().pods().forEach(pod -> Isolated.run(() -> sorter.add(pod), error -> failed(pod, error)));
        Map<GangId, GangMembers> gangs = sorter.gangs();
        List<Reservation> holds = input.objects().reservations().stream()
                .filter(reservation ->
                        reservation.getSpec() != null && reservation.getSpec().hold() != null)
                .toList();
        Map<GangId, String> tooLarge = new ReservationBounds(
                        input.known().gangs(),
                        input.cache().recordSize(),
                        input.settings().reservationSeats(),
                        new ReservationQuotas(input.objects().optional().of(ResourceQuota.class)))
                .problems(holds);
        holds.forEach(reservation -> Isolated.run(
                () -> waitingGangs.takeHold(reservation, tooLarge, readings), error -> failed(reservation, error)));
        findings.holds().stream().map(gangs::remove).filter(Objects::nonNull).forEach(findings::warnOfTakenName);
        tooMany.forEach(this::leaveOut);
        gangs.values().stream().sorted(Comparator.comparing(GangMembers::id)).forEach(gang -> {
            int room = occupants.occupations().size();
            Isolated.run(() -> takeLabelled(gang), error -> failed(gang, room, error));
        });
        new TreeMap<>(input.known().gangs())
                .forEach((id, known) ->
                        Isolated.run(() -> awaitPods(id, known), error -> findings.hold(id, Refusal.Failed.by(error))));
        running.findStoppable(reader, assembly);
    }

    private void leaveOut(GangId id, String problem) {
        GangMembers gang = sorter.gangs().remove(id);
        if (gang != null) {
            findings.addMembers(id, gang.all());
            findings.hold(id, new Refusal.InvalidRequest(problem));
        }
    }

    /** Handles a pod that cannot be sorted: it is not planned, and keeps its room if it is bound. */
    private void failed(Pod pod, Throwable error) {
        findings.warn(
                pod,
                error,
                failure -> "pod %s cannot be read because of %s; it is not planned".formatted(Pods.name(pod), failure));
        String node = pod.getSpec() == null ? null : Pods.node(pod);
        if (node != null) {
            occupants.addAnyhow(pod, node);
        }
    }

    private void failed(Reservation reservation, Throwable error) {
        GangId id = Objects.requireNonNull(reservation.gang());
        findings.forget(id);
        findings.addHold(id);
        findings.refuse(id, error);
    }

    /**
     * Refuses a gang that cannot be taken in, or warns if it runs. Earlier findings about it are dropped. Its bound
     * pods and promised placements keep their room.
     *
     * @param room the number of occupations before this gang
     */
    private void failed(GangMembers gang, int room, Throwable error) {
        GangId id = gang.id();
        occupants.forgetAllBut(room);
        findings.forget(id);
        running.forget(id);
        findings.addMembers(id, gang.all());
        gang.bound().forEach(pod -> occupants.addAnyhow(pod, String.valueOf(Pods.node(pod))));
        KnownGang known = input.known(id);
        if (known.startedAt().isPresent() || !gang.bound().isEmpty()) {
            findings.warn(gang.all().getFirst(), error, failure -> sentence(gang, "is not planned", failure));
        } else {
            findings.refuse(id, error);
        }
        Isolated.run(() -> promisedRoom.hold(id, known.promise(), gang.waiting()), _ -> {});
    }

    static String sentence(GangMembers gang, String what, InternalFailure failure) {
        return "gang %s %s because of %s".formatted(gang.id(), what, failure);
    }

    /** Keeps the room of a moved gang's window until its pods have been recreated. An advance reservation has none. */
    private void awaitPods(GangId id, KnownGang known) {
        Promise promise = known.promise();
        MigrationHistory history = known.history();
        if (history == null
                || promise == null
                || known.startedAt().isPresent()
                || findings.hasMembers(id)
                || findings.holds().contains(id)) {
            return;
        }
        int size = promise.window().placements().size();
        findings.hold(id, new Refusal.WaitingForMembers(0, size));
        if (promise.window().start() >= input.now()) {
            for (Placement placement : promise.window().placements()) {
                occupants.addPlacement(id.namespace(), placement, history.request());
            }
        }
    }

    /** Returns the result, in an order that does not depend on that of the pods. */
    IntakeResult taken(List<IntakeWarning> fromObjects) {
        Policy policy = input.settings().policy();
        List<Ledger> ledgers = input.objects().ledgers();
        Cluster cluster = new Cluster(
                input.cache().nodes(findings.places(stoppable.found()), needs.limits()),
                needs.complete(input.cache().with(occupants.occupations()), input));
        List<IntakeWarning> warnings = new ArrayList<>(fromObjects);
        QueueState queues = findings.queues(cluster);
        SortedMap<String, Allotment> budgets =
                queues == null ? new TreeMap<>() : input.queues().budgets(queues.tree());
        findings.warnings(occupants.warnings()).forEach(warnings::add);
        warnings.addAll(sorter.others().warnings(input.filter().schedulerName()));
        return findings.on(
                cluster,
                sorter.over(),
                warnings,
                snapshot -> snapshot.withAccounts(accounts(budgets, queues, policy.horizon()))
                        .withRunning(stoppable.found())
                        .withQueues(queues)
                        .withQueueBudgets(budgets)
                        .withUsed(policy.queue().used(ledgers, input.now(), UseUnit.in(cluster))));
    }

    /** Returns the accounts of namespaces and queues, from the ledgers alone. */
    private List<Account> accounts(SortedMap<String, Allotment> budgets, @Nullable QueueState queues, long horizon) {
        List<Ledger> ledgers = input.objects().ledgers();
        long end = input.now() + horizon;
        List<Account> accounts = new ArrayList<>(Ledger.accounts(input.grants(), ledgers, input.now(), end));
        if (queues != null) {
            accounts.addAll(new QueueLedgers(queues.tree(), budgets, ledgers).accounts(Map.of(), input.now(), end));
        }
        return accounts;
    }

    IntakeFindings findings() {
        return findings;
    }

    PodNeeds needs() {
        return needs;
    }

    /**
     * Takes in the pods of one name, as {@link GangRun} sorts them. The annotations of the pods that run or start
     * together also count for those that are planned individually.
     */
    private void takeLabelled(GangMembers labelledMembers) {
        if (labelledMembers.isEmpty()) {
            return;
        }
        GangId id = labelledMembers.id();
        GangRun run = GangRun.of(
                labelledMembers.all(),
                labelledMembers.gone(),
                input.objects().groups(),
                pod -> input.known().runs(pod, id));
        List<Pod> inside = Stream.of(run.running(), run.joining(), run.together())
                .flatMap(List::stream)
                .sorted(Pods.BY_NAME)
                .toList();
        GangMembers speakingMembers = GangMembers.of(id, inside, labelledMembers.gone());
        if (inside.isEmpty()) {
            takeOutside(run, labelledMembers);
            return;
        }
        AnnotatedGang.Reading reading = readings.of(speakingMembers, id);
        if (reading instanceof AnnotatedGang.Reading.Apart) {
            running.takeApart(labelledMembers);
            return;
        }
        takeOutside(run, labelledMembers);
        GangMembers joiningMembers = GangMembers.of(id, run.joining(), labelledMembers.gone());
        if (run.isUnderWay() && onlySurplusRuns(run, joiningMembers, reading.known())) {
            run.running().forEach(pod -> running.takeSurplus(pod, speakingMembers));
            waitingGangs.take(joiningMembers, reading, List.of());
        } else if (run.isUnderWay()) {
            running.take(run, speakingMembers, reading);
        } else {
            waitingGangs.take(speakingMembers, reading, List.of());
        }
    }

    /**
     * Returns whether a gang that has not started waits while other pods of its name run individually. It must have all
     * members, or a promise, which holds while a member is recreated.
     */
    private boolean onlySurplusRuns(GangRun run, GangMembers joiningMembers, @Nullable AnnotatedGang annotated) {
        KnownGang known = input.known(joiningMembers.id());
        return annotated != null
                && !joiningMembers.isEmpty()
                && known.startedAt().isEmpty()
                && run.running().stream().allMatch(pod -> input.known().runsByItself(pod, joiningMembers.id()))
                && (known.promise() != null
                        || RunningGangs.vacant(annotated, joiningMembers, PromisePlacements.places(run.joining()))
                                == 0);
    }

    /** Holds pods of a newer generation than the running pods, and pods of an outdated one. */
    private void takeOutside(GangRun run, GangMembers labelledMembers) {
        int others = labelledMembers.bound().size()
                + labelledMembers.waiting().size()
                - run.outside().size();
        for (Pod pod : Pods.there(run.outside())) {
            findings.addMembers(Pods.ownGang(pod), List.of(pod));
            findings.hold(Pods.ownGang(pod), new Refusal.WaitingForGeneration(others));
        }
    }
}
