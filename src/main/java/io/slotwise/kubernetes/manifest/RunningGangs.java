package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.queue.QueueUse;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.core.work.Isolated;
import io.slotwise.kubernetes.gangs.GroupObjects;
import io.slotwise.kubernetes.gangs.LatePods;
import io.slotwise.kubernetes.manifest.StoppableGangs.Started;
import io.slotwise.kubernetes.manifest.gang.AnnotatedGang;
import io.slotwise.kubernetes.manifest.gang.KnownGang;
import io.slotwise.kubernetes.manifest.gang.PromisePlacements;
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
import org.jspecify.annotations.Nullable;

/**
 * Takes in the gangs of which a member runs. They occupy room, and pods that join them are planned individually. Used
 * for one intake.
 */
final class RunningGangs {
    private final IntakeInput input;
    private final IntakeFindings findings;
    private final NodeOccupants occupants;
    private final GangReadings readings;
    private final WaitingGangs waiting;
    private final List<Started> started = new ArrayList<>();
    /** The cost of the kept placement of each late pod. */
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

    void forget(GangId id) {
        started.removeIf(started -> started.id().equals(id));
    }

    /**
     * Takes in a gang of which a member runs: the members that it started with, pods that joined later with starts of
     * their own, and pods yet to start. Pods that joined take the places of lost members, the earliest first. Further
     * pods are surplus and count individually.
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
        noteUse(id, annotated, before);
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
     * Keeps the placements of late pods, and promises them to those that have arrived.
     *
     * @param joining pods of a running gang without a placement
     * @return the pods of these that exist
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
        List<Pod> existing = new ArrayList<>();
        for (Pod pod : joining) {
            Placement placement = placements.get(pod.getMetadata().getName());
            if (!Pods.isComing(pod)) {
                existing.add(pod);
            } else if (placement != null) {
                occupants.addStarted(
                        speakingMembers.id().namespace(),
                        placement,
                        occupants.resources(pod),
                        known.startedAt().orElse(input.now()));
            }
        }
        return existing;
    }

    /**
     * Promises a late pod its placement from now until the planned end of its gang, when the room is promised to
     * others. Not if the pod was rolled back from it.
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

    /** Returns the number of lost members that have not finished their work. */
    static int vacant(AnnotatedGang annotated, GangMembers gang, int present) {
        return Math.max(0, annotated.size() - present - annotated.done(gang.finished()));
    }

    /** Takes in a pod that is planned individually next to its gang. */
    private void takeAlone(Pod pod, GangMembers speakingMembers) {
        GangMembers singleMembers = alone(pod);
        AnnotatedGang.Reading reading = reading(singleMembers, speakingMembers);
        if (input.known().runs(pod, singleMembers.id())) {
            int before = occupants.occupations().size();
            hold(singleMembers, List.of(), reading);
            noteUse(singleMembers.id(), reading.known(), before);
            noteEnd(singleMembers.id(), before);
        } else {
            waiting.take(singleMembers, reading, beside(speakingMembers));
        }
    }

    /** Returns the pods next to which a pod of the gang runs. None in slices if more than this pod is missing. */
    private List<Pod> beside(GangMembers speakingMembers) {
        AnnotatedGang annotated =
                readings.of(speakingMembers, speakingMembers.id()).known();
        List<Pod> bound = speakingMembers.bound();
        return annotated == null
                        || annotated.demand().topology().slices().isEmpty()
                        || bound.size() + 1 == annotated.size()
                ? bound
                : List.of();
    }

    private static GangMembers alone(Pod pod) {
        return GangMembers.of(Pods.ownGang(pod), List.of(pod), List.of());
    }

    private AnnotatedGang.Reading reading(GangMembers singleMembers, GangMembers speakingMembers) {
        return readings.of(speakingMembers, singleMembers.id())
                .single(latePods.getOrDefault(singleMembers.id(), Money.ZERO))
                .afterNone();
    }

    /** Takes in a running pod beyond its gang's size. It may be stopped individually. */
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

    /** Notes what a queue's gang occupies since an earlier number of occupations. */
    private void noteUse(GangId gang, @Nullable AnnotatedGang annotated, int before) {
        String queue = input.inQueue(gang, annotated).queue();
        List<Occupation> room = occupants.since(before);
        if (queue != null && !room.isEmpty()) {
            long start = room.stream()
                    .mapToLong(occupation -> occupation.interval().start())
                    .min()
                    .orElseThrow();
            long end = room.stream()
                    .mapToLong(occupation -> occupation.interval().end())
                    .max()
                    .orElseThrow();
            Resources total = room.stream().map(Occupation::resources).reduce(Resources.NONE, Resources::plus);
            findings.addUse(new QueueUse(gang.toString(), queue, total.amounts(), new Interval(start, end)));
        }
    }

    private void noteEnd(GangId gang, int before) {
        occupants.occupations().stream()
                .skip(before)
                .mapToLong(occupation -> occupation.interval().end())
                .max()
                .ifPresent(end -> findings.addEnd(gang, end));
    }

    /** Takes in pods that share a name but form no gang. Each states its own terms and is planned individually. */
    void takeApart(GangMembers namedMembers) {
        for (Pod pod : Pods.there(namedMembers.all())) {
            GangMembers singleMembers = alone(pod);
            GangRun run = GangRun.of(
                    singleMembers.all(),
                    List.of(),
                    GroupObjects.NONE,
                    startedGang -> input.known().runs(startedGang, singleMembers.id()));
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
     * @param joining waiting pods of the gang
     * @return the waiting pods without a placement
     */
    private List<Pod> hold(GangMembers gang, List<Pod> joining, AnnotatedGang.Reading reading) {
        KnownGang known = input.known(gang.id());
        Map<String, Placement> placements = PromisePlacements.of(known.promise());
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

    /** Finds the gangs that may be stopped, after all gangs are taken in. Only these are read in full. */
    void findStoppable(PodReader reader, GangAssembly assembly) {
        int highest = findings.highestPriority();
        for (Started startedGang : started) {
            Isolated.run(
                    () -> addStoppable(startedGang, highest, reader, assembly),
                    error -> findings.warn(
                            startedGang.gang().all().getFirst(),
                            error,
                            failure -> GangIntake.sentence(startedGang.gang(), "is not moved", failure)));
        }
    }

    private static void addStoppable(Started started, int highest, PodReader reader, GangAssembly assembly) {
        List<Pod> pods = started.gang().all();
        KnownGang known = assembly.input().known(started.id());
        if (assembly.stoppable().mayStop(started.gang(), started.annotated(), highest)
                && reader.shapes(
                                pods,
                                known.avoidedNodes(),
                                PromisePlacements.of(known.promise()),
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
