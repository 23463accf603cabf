package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.core.ledger.UseUnit;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.window.Placement;
import io.slotwise.core.work.InternalFailure;
import io.slotwise.core.work.Isolated;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.manifest.admission.ReservationQuotas;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.gang.AnnotatedGang;
import io.slotwise.kubernetes.manifest.gang.GuessedRuntimes;
import io.slotwise.kubernetes.manifest.gang.KnownGang;
import io.slotwise.kubernetes.manifest.gang.PromiseSeats;
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
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Takes gangs in, each by itself: what goes wrong with one is told of this one. {@link PodSorter} sorts the pods,
 * {@link WaitingGangs} and {@link RunningGangs} take them in, {@link IntakeFindings} has what becomes of them. Scratch
 * of one run.
 */
final class GangIntake {
    private final IntakeInput input;
    /** Gangs that are more than is planned of their namespaces, and why. */
    private final Map<GangId, String> tooMany;

    private final PodNeeds needs;
    private final PodReader reader;
    private final NodeOccupants residents;
    private final PodSorter sorted;
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
        this.residents = new NodeOccupants(input, reader);
        this.sorted = new PodSorter(input, residents);
        this.promisedRoom = new PromisedRoom(residents, input.now());
        this.readings = new GangReadings(input, guessed);
        this.findings = new IntakeFindings(input, guessed);
        this.stoppable = new StoppableGangs(input);
        this.assembly = new GangAssembly(input, sorted, stoppable);
        this.waitingGangs = new WaitingGangs(input, findings, reader, assembly, promisedRoom);
        this.running = new RunningGangs(input, findings, residents, readings, waitingGangs);
    }

    /**
     * Why each gang is too much for its namespace, before it is looked at what its pods ask of others. O(1) where few
     * pods wait.
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
        input.objects().pods().forEach(pod -> Isolated.run(() -> sorted.add(pod), error -> failed(pod, error)));
        Map<GangId, GangMembers> gangs = sorted.gangs();
        List<Reservation> holds = input.objects().reservations().stream()
                .filter(one -> one.getSpec() != null && one.getSpec().hold() != null)
                .toList();
        Map<GangId, String> tooLarge = new ReservationBounds(
                        input.known().gangs(),
                        input.cache().recordSize(),
                        input.settings().reservationSeats(),
                        new ReservationQuotas(input.objects().optional().of(ResourceQuota.class)))
                .problems(holds);
        holds.forEach(hold ->
                Isolated.run(() -> waitingGangs.takeHold(hold, tooLarge, readings), error -> failed(hold, error)));
        findings.holds().stream().map(gangs::remove).filter(Objects::nonNull).forEach(findings::warnOfTakenName);
        tooMany.forEach(this::leaveOut);
        gangs.values().stream().sorted(Comparator.comparing(GangMembers::id)).forEach(gang -> {
            int room = residents.occupations().size();
            Isolated.run(() -> takeLabelled(gang), error -> failed(gang, room, error));
        });
        new TreeMap<>(input.known().gangs())
                .forEach((id, known) ->
                        Isolated.run(() -> awaitPods(id, known), error -> findings.hold(id, Refusal.Failed.by(error))));
        running.findStoppable(reader, assembly);
    }

    private void leaveOut(GangId id, String problem) {
        GangMembers gang = sorted.gangs().remove(id);
        if (gang != null) {
            findings.addMembers(id, gang.all());
            findings.hold(id, new Refusal.InvalidRequest(problem));
        }
    }

    /** A pod that cannot be sorted takes part in nothing; where it is bound it keeps its room. */
    private void failed(Pod pod, Throwable error) {
        findings.warn(
                pod,
                error,
                bug -> "pod %s cannot be read because of %s; it is not planned".formatted(Pods.name(pod), bug));
        String node = pod.getSpec() == null ? null : Pods.node(pod);
        if (node != null) {
            residents.addAnyhow(pod, node);
        }
    }

    private void failed(Reservation hold, Throwable error) {
        GangId id = Objects.requireNonNull(hold.gang());
        findings.forget(id);
        findings.addHold(id);
        findings.refuse(id, error);
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
        findings.forget(id);
        running.forget(id);
        findings.addMembers(id, gang.all());
        gang.bound().forEach(pod -> residents.addAnyhow(pod, String.valueOf(Pods.node(pod))));
        KnownGang known = input.known(id);
        if (known.startedAt().isPresent() || !gang.bound().isEmpty()) {
            findings.warn(gang.all().getFirst(), error, bug -> sentence(gang, "is not planned", bug));
        } else {
            findings.refuse(id, error);
        }
        Isolated.run(() -> promisedRoom.hold(id, known.promise(), gang.waiting()), _ -> {});
    }

    static String sentence(GangMembers gang, String what, InternalFailure bug) {
        return "gang %s %s because of %s".formatted(gang.id(), what, bug);
    }

    /** A gang that was moved keeps the room of its window until its pods have been made again. */
    private void awaitPods(GangId id, KnownGang known) {
        Promise promise = known.promise();
        MigrationHistory past = known.past();
        if (past == null || promise == null || known.startedAt().isPresent() || findings.hasMembers(id)) {
            return;
        }
        int size = promise.window().placements().size();
        findings.hold(id, new Refusal.WaitingForMembers(0, size));
        if (promise.window().start() >= input.now()) {
            for (Placement seat : promise.window().placements()) {
                residents.addSeat(id.namespace(), seat, past.request());
            }
        }
    }

    /** The result; occupations, requests and warnings in an order that does not depend on the pods'. */
    IntakeResult taken(List<IntakeWarning> fromObjects) {
        Policy policy = input.settings().policy();
        List<Ledger> ledgers = input.objects().ledgers();
        Cluster cluster = new Cluster(
                input.cache().nodes(findings.places(stoppable.found()), needs.limits()),
                needs.complete(input.cache().with(residents.occupations()), input));
        List<IntakeWarning> warnings = new ArrayList<>(fromObjects);
        findings.warnings(residents.warnings()).forEach(warnings::add);
        warnings.addAll(sorted.others().warnings(input.candidates().schedulerName()));
        return findings.on(
                cluster,
                sorted.over(),
                warnings,
                snapshot -> snapshot.withAccounts(
                                Ledger.accounts(input.grants(), ledgers, input.now(), input.now() + policy.horizon()))
                        .withRunning(stoppable.found())
                        .withUsed(policy.queue().used(ledgers, input.now(), UseUnit.in(cluster))));
    }

    IntakeFindings findings() {
        return findings;
    }

    PodNeeds needs() {
        return needs;
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
        GangRun run =
                GangRun.of(labelled.all(), labelled.gone(), pod -> input.known().runs(pod, id));
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
            running.takeApart(labelled);
            return;
        }
        takeOutside(run, labelled);
        GangMembers joining = GangMembers.of(id, run.joining(), labelled.gone());
        if (run.isUnderWay() && onlySurplusRuns(run, joining, reading.known())) {
            run.running().forEach(pod -> running.takeSurplus(pod, speaking));
            waitingGangs.take(joining, reading, List.of());
        } else if (run.isUnderWay()) {
            running.take(run, speaking, reading);
        } else {
            waitingGangs.take(speaking, reading, List.of());
        }
    }

    /**
     * Whether a gang that has not started waits beside pods that run by themselves: with all of its members, or with a
     * promise, which holds while a member is made again.
     */
    private boolean onlySurplusRuns(GangRun run, GangMembers joining, @Nullable AnnotatedGang terms) {
        KnownGang known = input.known(joining.id());
        return terms != null
                && !joining.isEmpty()
                && known.startedAt().isEmpty()
                && run.running().stream().allMatch(pod -> input.known().runsByItself(pod, joining.id()))
                && (known.promise() != null
                        || RunningGangs.vacant(terms, joining, PromiseSeats.places(run.joining())) == 0);
    }

    /** Pods of another generation than those that run, or than newer ones. */
    private void takeOutside(GangRun run, GangMembers labelled) {
        int others = labelled.bound().size()
                + labelled.waiting().size()
                - run.outside().size();
        for (Pod pod : Pods.there(run.outside())) {
            findings.addMembers(Pods.ownGang(pod), List.of(pod));
            findings.hold(Pods.ownGang(pod), new Refusal.WaitingForGeneration(others));
        }
    }
}
