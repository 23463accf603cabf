package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.migration.Running;
import io.slotwise.core.plan.GangEnds;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.queue.QueueState;
import io.slotwise.core.queue.QueueTree;
import io.slotwise.core.queue.QueueUse;
import io.slotwise.core.reservation.ReservationNames;
import io.slotwise.core.runtime.RuntimeSource;
import io.slotwise.core.work.InternalFailure;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Subject;
import io.slotwise.kubernetes.manifest.gang.AnnotatedGang;
import io.slotwise.kubernetes.manifest.gang.GuessedRuntimes;
import io.slotwise.kubernetes.manifest.pods.GangMembers;
import io.slotwise.kubernetes.manifest.pods.Pods;
import io.slotwise.kubernetes.manifest.queues.ClusterQueues;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The result for each gang: planned, held with a reason, or running. Used for one intake. */
final class IntakeFindings {
    private final IntakeInput input;
    private final GuessedRuntimes guessed;
    private final List<Request> requests = new ArrayList<>();
    private final List<Pending> held = new ArrayList<>();
    private final Map<GangId, GangId> named = new HashMap<>();
    private final Set<GangId> holds = new HashSet<>();
    private final SortedMap<GangId, List<Pod>> members = new TreeMap<>();
    private final List<IntakeWarning> warnings = new ArrayList<>();
    private final Map<GangId, Long> ends = new HashMap<>();
    private final Set<GangId> assumed = new TreeSet<>();
    private final List<QueueUse> uses = new ArrayList<>();

    IntakeFindings(IntakeInput input, GuessedRuntimes guessed) {
        this.input = input;
        this.guessed = guessed;
    }

    void plan(Request request, AnnotatedGang annotated) {
        GangId id = request.gang().id();
        requests.add(request);
        noteRuntime(id, annotated);
        if (annotated.reservation() != null) {
            named.put(id, new GangId(id.namespace(), annotated.reservation()));
        }
    }

    void hold(GangId id, Refusal refusal) {
        held.add(new Pending(id, refusal));
    }

    void forget(GangId id) {
        requests.removeIf(request -> request.gang().id().equals(id));
    }

    void refuse(GangId id, Throwable error) {
        held.removeIf(pending -> pending.gang().equals(id));
        hold(id, Refusal.Failed.by(error));
    }

    void addHold(GangId id) {
        holds.add(id);
    }

    Set<GangId> holds() {
        return holds;
    }

    void addMembers(GangId id, List<Pod> pods) {
        members.put(id, pods);
    }

    boolean hasMembers(GangId id) {
        return members.containsKey(id);
    }

    /** Notes that a gang runs until this second. */
    void addEnd(GangId id, long end) {
        ends.put(id, Math.max(end, input.now() + 1));
    }

    void addUse(QueueUse use) {
        uses.add(use);
    }

    /** Returns the queues with what their gangs use, or null if no queue bounds any gang. O(nodes + queues). */
    @Nullable
    QueueState queues(Cluster cluster) {
        ClusterQueues queues = input.queues();
        if (queues.isEmpty()
                && requests.stream().allMatch(request -> request.gang().queue() == null)) {
            return null;
        }
        uses.sort(Comparator.comparing(QueueUse::holder));
        QueueTree tree = queues.tree(cluster.inventory().total());
        queues.problems(tree)
                .forEach(problem -> warnings.add(new IntakeWarning(
                        problem.reason(),
                        Subject.of("Queue", problem.queue()),
                        "queue %s: %s%s"
                                .formatted(
                                        problem.queue(),
                                        problem.message(),
                                        problem.isLeftOut() ? "; it is left out, and its gangs wait" : ""),
                        problem.failure())));
        return new QueueState(tree, uses);
    }

    /** Remembers a gang that is planned with the policy's default runtime. */
    void noteRuntime(GangId id, @Nullable AnnotatedGang annotated) {
        RuntimeSource source = guessed.sources().get(id);
        if (annotated != null && !annotated.statesRuntime() && (source == null || source.prediction() == null)) {
            assumed.add(id);
        }
    }

    Set<GangId> assumed() {
        return assumed;
    }

    /** Returns the highest priority of the planned gangs that may displace others. */
    int highestPriority() {
        return requests.stream()
                .map(Request::gang)
                .filter(Gang::preempts)
                .mapToInt(Gang::priority)
                .max()
                .orElse(Integer.MIN_VALUE);
    }

    /**
     * Warns about a gang with the name of an advance reservation. A record belongs to one of the two, so these pods
     * have no record and are not planned.
     */
    void warnOfTakenName(GangMembers gang) {
        for (Pod pod : gang.all()) {
            warnings.add(new IntakeWarning(
                    IntakeWarning.Reason.INVALID_VALUE,
                    Subject.of(pod),
                    "`%s` (%s) of pod %s is the name of an advance reservation: expected another name for the gang"
                            .formatted(AnnotationKeys.GANG, gang.id().name(), Pods.name(pod))));
        }
    }

    void warn(Pod pod, Throwable error, Function<InternalFailure, String> sentence) {
        InternalFailure failure = InternalFailure.of(error);
        warnings.add(new IntakeWarning(
                IntakeWarning.Reason.INTERNAL_ERROR, Subject.of(pod), sentence.apply(failure), failure));
    }

    Stream<IntakeWarning> warnings(Collection<IntakeWarning> others) {
        return Stream.concat(others.stream(), warnings.stream())
                .sorted(Comparator.comparing(IntakeWarning::namespace).thenComparing(IntakeWarning::name));
    }

    /** Returns the places and marks that gangs to be planned refer to. Only these are counted on nodes. */
    Set<String> places(Collection<Running> running) {
        Set<String> places = new TreeSet<>();
        Stream.concat(requests.stream().map(Request::gang), running.stream().map(Running::gang))
                .forEach(gang -> {
                    gang.rules().forEach(rule -> places.add(rule.mark()));
                    gang.shapes()
                            .forEach(shape -> places.addAll(
                                    shape.request().resources().places().asMap().keySet()));
                });
        return places;
    }

    /**
     * Returns the result, in an order that does not depend on that of the pods.
     *
     * @param over when the pods of ended gangs ended
     * @param rest adds the rest of the snapshot
     */
    IntakeResult on(Cluster cluster, Map<GangId, Long> over, List<IntakeWarning> all, UnaryOperator<Snapshot> rest) {
        requests.sort(Comparator.comparing(request -> request.gang().id()));
        held.sort(Comparator.comparing(Pending::gang));
        GangEnds gangEnds = new GangEnds(
                ends(over), NamespaceReader.admitted(input.objects().namespaces()));
        return new IntakeResult(
                rest.apply(new Snapshot(input.now(), cluster, requests, held))
                        .ending(gangEnds)
                        .withLevels(input.settings().topology()),
                new ReservationNames(named, holds),
                members,
                all,
                guessed.sources());
    }

    /**
     * Returns when gangs that do not wait end: running gangs, ended gangs whose pods still exist, and gangs that cannot
     * be planned now but keep their promise.
     */
    private Map<GangId, Long> ends(Map<GangId, Long> over) {
        Map<GangId, Long> all = new HashMap<>(over);
        requests.forEach(request -> all.remove(request.gang().id()));
        for (Pending pending : held) {
            Promise promise = input.promise(pending.gang());
            all.remove(pending.gang());
            if (promise != null && promise.window().start() >= input.now()) {
                all.put(pending.gang(), promise.window().end());
            }
        }
        all.putAll(ends);
        return all;
    }
}
