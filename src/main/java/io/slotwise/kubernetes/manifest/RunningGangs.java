package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.core.work.Isolated;
import io.slotwise.kubernetes.gangs.LateSeats;
import io.slotwise.kubernetes.manifest.StoppableGangs.Started;
import io.slotwise.kubernetes.manifest.gang.AnnotatedGang;
import io.slotwise.kubernetes.manifest.gang.KnownGang;
import io.slotwise.kubernetes.manifest.gang.PromiseSeats;
import io.slotwise.kubernetes.manifest.pods.GangMembers;
import io.slotwise.kubernetes.manifest.pods.GangRun;
import io.slotwise.kubernetes.manifest.pods.Pods;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Takes the gangs in of which a member runs: they hold their room, and what joins them is planned pod by pod. Scratch
 * of one run.
 */
final class RunningGangs {
    private final IntakeInput input;
    private final IntakeFindings findings;
    private final NodeOccupants residents;
    private final GangReadings readings;
    private final WaitingGangs waiting;
    private final List<Started> started = new ArrayList<>();
    /** What pods that have come late pay for the seats that their gangs have kept for them. */
    private final Map<GangId, Money> lateSeats = new HashMap<>();

    RunningGangs(
            IntakeInput input,
            IntakeFindings findings,
            NodeOccupants residents,
            GangReadings readings,
            WaitingGangs waiting) {
        this.input = input;
        this.findings = findings;
        this.residents = residents;
        this.readings = readings;
        this.waiting = waiting;
    }

    /** What was found of a gang before counts no more. */
    void forget(GangId id) {
        started.removeIf(one -> one.id().equals(id));
    }

    /**
     * A gang of which a member runs: those that it has started with, those that came since and have starts of their
     * own, and those that are to have one. Those that came since take the places of lost members, the earliest first;
     * the others are more than the gang needs, and stand for themselves.
     */
    void take(GangRun run, GangMembers speaking, AnnotatedGang.Reading reading) {
        GangId id = speaking.id();
        List<Pod> first = new ArrayList<>();
        List<Pod> later = new ArrayList<>();
        run.running().forEach(pod -> (input.known().runsByItself(pod, id) ? later : first).add(pod));
        int before = residents.occupations().size();
        List<Pod> joining =
                holdLate(speaking, hold(GangMembers.of(id, first, speaking.gone()), run.joining(), reading));
        AnnotatedGang terms = reading.known();
        int vacant = terms == null ? 0 : vacant(terms, speaking, first.size());
        later.sort(Pods.BY_ARRIVAL);
        List<Pod> joined = later.subList(0, Math.min(vacant, later.size()));
        joined.forEach(pod -> takeAlone(pod, speaking));
        List<Occupation> room = residents.since(before);
        later.subList(joined.size(), later.size()).forEach(pod -> takeSurplus(pod, speaking));
        noteEnd(id, before);
        joining.forEach(pod -> takeAlone(pod, speaking));
        KnownGang knowledge = input.known(id);
        if (terms != null && (!first.isEmpty() || (knowledge.startedAt().isPresent() && !joined.isEmpty()))) {
            List<Pod> coming = run.joining().stream().filter(Pods::isComing).toList();
            List<Pod> replacements = Stream.concat(
                            coming.stream(), joining.stream().sorted(Pods.BY_ARRIVAL))
                    .limit(Math.max(0, vacant - joined.size()))
                    .toList();
            List<Pod> whole =
                    Stream.of(first, joined, replacements).flatMap(List::stream).toList();
            started.add(new Started(
                    GangMembers.of(id, whole, speaking.gone()),
                    terms,
                    first.isEmpty() ? joined : first,
                    first.isEmpty()
                            ? joined.stream().map(input.known()::ofItsOwn).toList()
                            : List.of(knowledge),
                    room));
        }
    }

    /**
     * The seats of pods that come late keep their room until these come, and are promised to those that have come.
     *
     * @param joining the pods of a gang that runs which have no seat yet
     * @return those that are there
     */
    private List<Pod> holdLate(GangMembers speaking, List<Pod> joining) {
        KnownGang knowledge = input.known(speaking.id());
        Map<String, Placement> seats = new HashMap<>();
        knowledge.started().keptAt(input.now()).forEach(seat -> seats.put(seat.pod(), seat));
        List<Pod> since = Stream.concat(speaking.all().stream(), speaking.gone().stream())
                .filter(pod -> !Pods.isComing(pod) && !knowledge.hasStartedWith(pod))
                .sorted(Pods.BY_ARRIVAL)
                .toList();
        LateSeats.taken(Set.copyOf(seats.keySet()), since)
                .forEach((name, pod) -> promiseLate(pod, Objects.requireNonNull(seats.remove(name)), knowledge));
        List<Pod> there = new ArrayList<>();
        for (Pod pod : joining) {
            Placement seat = seats.get(pod.getMetadata().getName());
            if (!Pods.isComing(pod)) {
                there.add(pod);
            } else if (seat != null) {
                residents.addStarted(
                        speaking.id().namespace(),
                        seat,
                        residents.resources(pod),
                        knowledge.startedAt().orElse(input.now()));
            }
        }
        return there;
    }

    /**
     * A pod that has come late is promised its seat from now on, unless it was sent away from it: until the planned end
     * of its gang, since others are promised the room from then on.
     */
    private void promiseLate(Pod pod, Placement seat, KnownGang gang) {
        GangId id = Pods.ownGang(pod);
        KnownGang own = input.known(id);
        lateSeats.put(id, seat.cost().roundedUp());
        Promise whole = gang.promise();
        if (whole != null && own.promise() == null && own.startedAt().isEmpty() && own.attempts() == 0) {
            long now = input.now();
            long length = seat.end() - seat.start();
            long left = gang.startedAt().orElse(now) + length - now;
            long seconds = left > 0 ? left : length;
            Cost cost = seat.cost().minus(gang.tariff().cost(seat, length - seconds));
            Placement place = new Placement(pod.getMetadata().getName(), seat.node(), now, now + seconds, cost);
            input.known().promise(id, new Promise(Window.of(id, now, List.of(place)), whole.via(), false));
        }
    }

    /** How many members of a gang are lost that have not done their work. */
    static int vacant(AnnotatedGang terms, GangMembers gang, int present) {
        return Math.max(0, terms.size() - present - terms.done(gang.finished()));
    }

    /** A pod that is planned by itself beside the gang that it belongs to. */
    private void takeAlone(Pod pod, GangMembers speaking) {
        GangMembers alone = alone(pod);
        AnnotatedGang.Reading reading = reading(alone, speaking);
        if (input.known().runs(pod, alone.id())) {
            int before = residents.occupations().size();
            hold(alone, List.of(), reading);
            noteEnd(alone.id(), before);
        } else {
            waiting.take(alone, reading, speaking.bound());
        }
    }

    private static GangMembers alone(Pod pod) {
        return GangMembers.of(Pods.ownGang(pod), List.of(pod), List.of());
    }

    private AnnotatedGang.Reading reading(GangMembers alone, GangMembers speaking) {
        return readings.of(speaking, alone.id())
                .single(lateSeats.getOrDefault(alone.id(), Money.ZERO))
                .afterNone();
    }

    /** A pod that runs by itself and takes no place of its gang: it may be stopped by itself. */
    void takeSurplus(Pod pod, GangMembers speaking) {
        int before = residents.occupations().size();
        takeAlone(pod, speaking);
        GangMembers alone = alone(pod);
        AnnotatedGang terms = reading(alone, speaking).known();
        if (terms != null && Pods.node(pod) != null) {
            List<KnownGang> starts = List.of(input.known(alone.id()));
            started.add(new Started(alone, terms, List.of(pod), starts, residents.since(before)));
        }
    }

    /** The gang ends with the last of those that hold room since there were {@code before}. */
    private void noteEnd(GangId gang, int before) {
        residents.occupations().stream()
                .skip(before)
                .mapToLong(held -> held.interval().end())
                .max()
                .ifPresent(end -> findings.addEnd(gang, end));
    }

    /** Pods of one name that are no gang: each speaks for itself and is planned by itself. */
    void takeApart(GangMembers named) {
        for (Pod pod : Pods.there(named.all())) {
            GangMembers alone = alone(pod);
            GangRun run =
                    GangRun.of(alone.all(), List.of(), one -> input.known().runs(one, alone.id()));
            AnnotatedGang.Reading reading = readings.of(alone, alone.id()).single();
            if (run.isUnderWay()) {
                take(run, alone, reading);
            } else {
                waiting.take(alone, reading, List.of());
            }
        }
    }

    /**
     * The members with which a gang has started hold their room, and so do those that are on their way to their seats.
     *
     * @param joining pods of the gang that wait
     * @return those of them that have no seat
     */
    private List<Pod> hold(GangMembers gang, List<Pod> joining, AnnotatedGang.Reading reading) {
        KnownGang knowledge = input.known(gang.id());
        Map<String, Placement> seats = PromiseSeats.of(knowledge.promise());
        residents.addMembers(gang.bound(), reading.known(), seats, knowledge.started());
        findings.noteRuntime(gang.id(), reading.known());
        List<Pod> staying = new ArrayList<>(gang.bound());
        List<Pod> others = new ArrayList<>();
        Stream.concat(gang.waiting().stream(), joining.stream()).forEach(pod -> {
            Placement seat = seats.get(pod.getMetadata().getName());
            if (seat != null && !Pods.isReplacement(pod, knowledge.started())) {
                long start = knowledge.startedAt().orElse(Math.min(seat.start(), input.now()));
                residents.addStarted(gang.id().namespace(), seat, residents.resources(pod), start);
                staying.add(pod);
            } else {
                others.add(pod);
            }
        });
        staying.sort(Pods.BY_NAME);
        if (!staying.isEmpty()) {
            findings.addMembers(gang.id(), staying);
        }
        return others;
    }

    /** Finds those that may be stopped, once all gangs are taken in; the others are not read as closely. */
    void findStoppable(PodReader reader, GangAssembly assembly) {
        int highest = findings.highestPriority();
        for (Started one : started) {
            Isolated.run(
                    () -> addStoppable(one, highest, reader, assembly),
                    error -> findings.warn(
                            one.gang().all().getFirst(),
                            error,
                            bug -> GangIntake.sentence(one.gang(), "is not moved", bug)));
        }
    }

    private static void addStoppable(Started one, int highest, PodReader reader, GangAssembly assembly) {
        List<Pod> pods = one.gang().all();
        KnownGang knowledge = assembly.input().known(one.id());
        if (assembly.stoppable().mayStop(one.gang(), one.terms(), highest)
                && reader.shapes(
                                pods,
                                knowledge.avoidedNodes(),
                                PromiseSeats.of(knowledge.promise()),
                                pod -> assembly.sorted().closed().to(pod, pods))
                        instanceof PodReader.Reading.Clear(List<PodReader.Alike> shapes)) {
            assembly.stoppable()
                    .add(assembly.gang(new GangAssembly.Read(one.id(), pods, one.terms(), shapes, List.of())), one);
        }
    }
}
