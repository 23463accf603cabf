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
import io.slotwise.kubernetes.gangs.GroupObjects;
import io.slotwise.kubernetes.gangs.LatePods;
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
    private final NodeOccupants occupants;
    private final GangReadings readings;
    private final WaitingGangs waiting;
    private final List<Started> started = new ArrayList<>();
    /** What pods that have come late pay for the seats that their gangs have kept for them. */
    private final Map<GangId, Money> latePods = new HashMap<>();

    RunningGangs(
            IntakeInput input,
            IntakeFindings findings,
            NodeOccupants occupants,
            GangReadings readings,
            WaitingGangs waiting) {
        this.input = input;
        this.findings = findings;
        this.occupants = occupants;
        this.readings = readings;
        this.waiting = waiting;
    }

    /** What was found of a gang before counts no more. */
    void forget(GangId id) {
        started.removeIf(started -> started.id().equals(id));
    }

    /**
     * A gang of which a member runs: those that it has started with, those that came since and have starts of their
     * own, and those that are to have one. Those that came since take the places of lost members, the earliest first;
     * the others are more than the gang needs, and stand for themselves.
     */
    void take(GangRun run, GangMembers speakingMembers, AnnotatedGang.Reading reading) {
        GangId id = speakingMembers.id();
        List<Pod> first = new ArrayList<>();
        List<Pod> later = new ArrayList<>();
        run.running().forEach(pod -> (input.known().runsByItself(pod, id) ? later : first).add(pod));
        int before = occupants.occupations().size();
        List<Pod> joining = holdLate(
                speakingMembers, hold(GangMembers.of(id, first, speakingMembers.gone()), run.joining(), reading));
        AnnotatedGang annotated = reading.known();
        int vacant = annotated == null ? 0 : vacant(annotated, speakingMembers, first.size());
        later.sort(Pods.BY_ARRIVAL);
        List<Pod> joined = later.subList(0, Math.min(vacant, later.size()));
        joined.forEach(pod -> takeAlone(pod, speakingMembers));
        List<Occupation> room = occupants.since(before);
        later.subList(joined.size(), later.size()).forEach(pod -> takeSurplus(pod, speakingMembers));
        noteEnd(id, before);
        joining.forEach(pod -> takeAlone(pod, speakingMembers));
        KnownGang known = input.known(id);
        if (annotated != null && (!first.isEmpty() || (known.startedAt().isPresent() && !joined.isEmpty()))) {
            List<Pod> coming = run.joining().stream().filter(Pods::isComing).toList();
            List<Pod> replacements = Stream.concat(
                            coming.stream(), joining.stream().sorted(Pods.BY_ARRIVAL))
                    .limit(Math.max(0, vacant - joined.size()))
                    .toList();
            List<Pod> whole =
                    Stream.of(first, joined, replacements).flatMap(List::stream).toList();
            started.add(new Started(
                    GangMembers.of(id, whole, speakingMembers.gone()),
                    annotated,
                    first.isEmpty() ? joined : first,
                    first.isEmpty()
                            ? joined.stream().map(input.known()::ofItsOwn).toList()
                            : List.of(known),
                    room));
        }
    }

    /**
     * The seats of pods that come late keep their room until these come, and are promised to those that have come.
     *
     * @param joining the pods of a gang that runs which have no seat yet
     * @return those that are there
     */
    private List<Pod> holdLate(GangMembers speakingMembers, List<Pod> joining) {
        KnownGang known = input.known(speakingMembers.id());
        Map<String, Placement> placements = new HashMap<>();
        known.started().keptAt(input.now()).forEach(placement -> placements.put(placement.pod(), placement));
        List<Pod> since = Stream.concat(speakingMembers.all().stream(), speakingMembers.gone().stream())
                .filter(pod -> !Pods.isComing(pod) && !known.hasStartedWith(pod))
                .sorted(Pods.BY_ARRIVAL)
                .toList();
        LatePods.taken(Set.copyOf(placements.keySet()), since)
                .forEach((name, pod) -> promiseLate(pod, Objects.requireNonNull(placements.remove(name)), known));
        List<Pod> there = new ArrayList<>();
        for (Pod pod : joining) {
            Placement placement = placements.get(pod.getMetadata().getName());
            if (!Pods.isComing(pod)) {
                there.add(pod);
            } else if (placement != null) {
                occupants.addStarted(
                        speakingMembers.id().namespace(),
                        placement,
                        occupants.resources(pod),
                        known.startedAt().orElse(input.now()));
            }
        }
        return there;
    }

    /**
     * A pod that has come late is promised its seat from now on, unless it was sent away from it: until the planned end
     * of its gang, since others are promised the room from then on.
     */
    private void promiseLate(Pod pod, Placement placement, KnownGang gang) {
        GangId id = Pods.ownGang(pod);
        KnownGang ownGang = input.known(id);
        latePods.put(id, placement.cost().roundedUp());
        Promise wholePromise = gang.promise();
        if (wholePromise != null
                && ownGang.promise() == null
                && ownGang.startedAt().isEmpty()
                && ownGang.attempts() == 0) {
            long now = input.now();
            long length = placement.end() - placement.start();
            long left = gang.startedAt().orElse(now) + length - now;
            long seconds = left > 0 ? left : length;
            Cost cost = placement.cost().minus(gang.tariff().cost(placement, length - seconds));
            Placement podPlacement =
                    new Placement(pod.getMetadata().getName(), placement.node(), now, now + seconds, cost);
            input.known()
                    .promise(id, new Promise(Window.of(id, now, List.of(podPlacement)), wholePromise.origin(), false));
        }
    }

    /** How many members of a gang are lost that have not done their work. */
    static int vacant(AnnotatedGang annotated, GangMembers gang, int present) {
        return Math.max(0, annotated.size() - present - annotated.done(gang.finished()));
    }

    /** A pod that is planned by itself beside the gang that it belongs to. */
    private void takeAlone(Pod pod, GangMembers speakingMembers) {
        GangMembers singleMembers = alone(pod);
        AnnotatedGang.Reading reading = reading(singleMembers, speakingMembers);
        if (input.known().runs(pod, singleMembers.id())) {
            int before = occupants.occupations().size();
            hold(singleMembers, List.of(), reading);
            noteEnd(singleMembers.id(), before);
        } else {
            waiting.take(singleMembers, reading, speakingMembers.bound());
        }
    }

    private static GangMembers alone(Pod pod) {
        return GangMembers.of(Pods.ownGang(pod), List.of(pod), List.of());
    }

    private AnnotatedGang.Reading reading(GangMembers singleMembers, GangMembers speakingMembers) {
        return readings.of(speakingMembers, singleMembers.id())
                .single(latePods.getOrDefault(singleMembers.id(), Money.ZERO))
                .afterNone();
    }

    /** A pod that runs by itself and takes no place of its gang: it may be stopped by itself. */
    void takeSurplus(Pod pod, GangMembers speakingMembers) {
        int before = occupants.occupations().size();
        takeAlone(pod, speakingMembers);
        GangMembers singleMembers = alone(pod);
        AnnotatedGang annotated = reading(singleMembers, speakingMembers).known();
        if (annotated != null && Pods.node(pod) != null) {
            List<KnownGang> starts = List.of(input.known(singleMembers.id()));
            started.add(new Started(singleMembers, annotated, List.of(pod), starts, occupants.since(before)));
        }
    }

    /** The gang ends with the last of those that hold room since there were {@code before}. */
    private void noteEnd(GangId gang, int before) {
        occupants.occupations().stream()
                .skip(before)
                .mapToLong(occupation -> occupation.interval().end())
                .max()
                .ifPresent(end -> findings.addEnd(gang, end));
    }

    /** Pods of one name that are no gang: each speaks for itself and is planned by itself. */
    void takeApart(GangMembers namedMembers) {
        for (Pod pod : Pods.there(namedMembers.all())) {
            GangMembers singleMembers = alone(pod);
            GangRun run = GangRun.of(
                    singleMembers.all(),
                    List.of(),
                    GroupObjects.NONE,
                    one -> input.known().runs(one, singleMembers.id()));
            AnnotatedGang.Reading reading =
                    readings.of(singleMembers, singleMembers.id()).single();
            if (run.isUnderWay()) {
                take(run, singleMembers, reading);
            } else {
                waiting.take(singleMembers, reading, List.of());
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
        KnownGang known = input.known(gang.id());
        Map<String, Placement> placements = PromiseSeats.of(known.promise());
        occupants.addMembers(gang.bound(), reading.known(), placements, known.started());
        findings.noteRuntime(gang.id(), reading.known());
        List<Pod> staying = new ArrayList<>(gang.bound());
        List<Pod> others = new ArrayList<>();
        Stream.concat(gang.waiting().stream(), joining.stream()).forEach(pod -> {
            Placement placement = placements.get(pod.getMetadata().getName());
            if (placement != null && !Pods.isReplacement(pod, known.started())) {
                long start = known.startedAt().orElse(Math.min(placement.start(), input.now()));
                occupants.addStarted(gang.id().namespace(), placement, occupants.resources(pod), start);
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
                            failure -> GangIntake.sentence(one.gang(), "is not moved", failure)));
        }
    }

    private static void addStoppable(Started started, int highest, PodReader reader, GangAssembly assembly) {
        List<Pod> pods = started.gang().all();
        KnownGang known = assembly.input().known(started.id());
        if (assembly.stoppable().mayStop(started.gang(), started.annotated(), highest)
                && reader.shapes(
                                pods,
                                known.avoidedNodes(),
                                PromiseSeats.of(known.promise()),
                                pod -> assembly.sorter().closed().to(pod, pods))
                        instanceof PodReader.Reading.Clear(List<PodReader.Alike> shapes)) {
            assembly.stoppable()
                    .add(
                            assembly.gang(
                                    new GangAssembly.Read(started.id(), pods, started.annotated(), shapes, List.of())),
                            started);
        }
    }
}
