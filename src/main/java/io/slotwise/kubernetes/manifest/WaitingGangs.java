package io.slotwise.kubernetes.manifest;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Grant;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Request;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.gangs.RoleMinima;
import io.slotwise.kubernetes.manifest.field.ManifestFlaw;
import io.slotwise.kubernetes.manifest.gang.AnnotatedGang;
import io.slotwise.kubernetes.manifest.gang.PromisePlacements;
import io.slotwise.kubernetes.manifest.holds.HoldTerms;
import io.slotwise.kubernetes.manifest.neighbours.ClosedNodes;
import io.slotwise.kubernetes.manifest.pods.GangMembers;
import io.slotwise.kubernetes.manifest.pods.Pods;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes requests from advance reservations and from gangs of which no member runs, or holds them with a reason. A held
 * gang keeps the room of its promise. Used for one intake.
 */
final class WaitingGangs {
    private final IntakeInput input;
    private final IntakeFindings findings;
    private final PodReader reader;
    private final ClosedNodes closed;
    private final GangAssembly assembly;
    private final PromisedRoom promisedRoom;
    /** The number of finished members of waiting gangs; always less than the gang's size. */
    private final Map<GangId, Integer> finished = new HashMap<>();
    /** The gang of each surplus pod, which is planned individually. */
    private final Map<GangId, GangId> surplus = new HashMap<>();

    WaitingGangs(
            IntakeInput input,
            IntakeFindings findings,
            PodReader reader,
            GangAssembly assembly,
            PromisedRoom promisedRoom) {
        this.input = input;
        this.findings = findings;
        this.reader = reader;
        this.closed = assembly.sorter().closed();
        this.assembly = assembly;
        this.promisedRoom = promisedRoom;
    }

    /** Plans an advance reservation with one artificial pod for each seat. */
    void takeHold(Reservation reservation, Map<GangId, String> tooLarge, GangReadings readings) {
        GangId id = Objects.requireNonNull(reservation.gang());
        findings.addHold(id);
        String problem = tooLarge.get(id);
        if (problem != null) {
            findings.hold(id, new Refusal.InvalidRequest(problem));
            return;
        }
        switch (HoldTerms.read(reservation, input.known(id).defaults(readings.usual(id)))) {
            case HoldTerms.Unclear(Refusal refusal) -> findings.hold(id, refusal);
            case HoldTerms.Clear(AnnotatedGang annotated, List<Pod> seats) -> plan(id, seats, annotated, List.of());
        }
    }

    /**
     * @param running bound pods of the same name
     */
    void take(GangMembers gang, AnnotatedGang.Reading reading, List<Pod> running) {
        findings.addMembers(gang.id(), gang.all());
        if (input.known(gang.id()).startedAt().isPresent()) {
            // Its record does not say yet that the previous run has ended. The next cycle plans these pods.
            return;
        }
        switch (reading) {
            case AnnotatedGang.Reading.Unclear(ManifestFlaw flaw) -> hold(gang.id(), flaw.refusal(), gang.all());
            case AnnotatedGang.Reading.Lacking lacking -> hold(gang.id(), lacking.waiting(), gang.all());
            case AnnotatedGang.Reading.Clear(AnnotatedGang annotated) -> take(gang, annotated, reading, running);
            case AnnotatedGang.Reading.Apart(AnnotatedGang annotated) -> take(gang, annotated, reading, running);
        }
    }

    private void take(GangMembers gang, AnnotatedGang annotated, AnnotatedGang.Reading reading, List<Pod> running) {
        Promise promise = input.promise(gang.id());
        List<Pod> succeeded = gang.finished();
        int done = annotated.done(succeeded);
        boolean goesOn = done < annotated.size();
        if (goesOn) {
            finished.put(gang.id(), done);
        }
        int size = goesOn ? annotated.size() - done : annotated.size();
        RoleMinima roles = annotated.together().roles();
        List<Pod> chosen = PromisePlacements.choose(
                gang.waiting(),
                goesOn ? roles.without(succeeded) : roles,
                size,
                PromisePlacements.of(promise).keySet());
        if (chosen.isEmpty()) {
            hold(gang.id(), new Refusal.WaitingForMembers(0, size), gang.waiting());
            return;
        }
        plan(gang.id(), chosen, annotated, running);
        promisedRoom.holdLate(gang.id(), promise, chosen);
        if (chosen.size() < size) {
            // A gang that lacks members has no surplus pods, neither of another role nor a second pod for the same
            // place.
            return;
        }
        findings.addMembers(gang.id(), chosen);
        Set<String> names = new HashSet<>();
        chosen.forEach(pod -> names.add(pod.getMetadata().getName()));
        for (Pod pod : gang.waiting()) {
            if (!names.contains(pod.getMetadata().getName()) && !Pods.isComing(pod)) {
                GangMembers excessMembers = GangMembers.of(Pods.ownGang(pod), List.of(pod), List.of());
                surplus.put(excessMembers.id(), gang.id());
                take(excessMembers, reading.single(), running);
            }
        }
    }

    private void hold(GangId id, Refusal refusal, List<Pod> pods) {
        findings.hold(id, refusal);
        promisedRoom.hold(id, input.promise(id), pods);
    }

    private void plan(GangId id, List<Pod> pods, AnnotatedGang annotated, List<Pod> running) {
        String obstacle = obstacle(pods);
        if (obstacle != null) {
            hold(id, new Refusal.InvalidRequest(obstacle), pods);
            return;
        }
        Promise promise = input.promise(id);
        Map<String, Placement> pins = promise != null && promise.released() ? PromisePlacements.of(promise) : Map.of();
        switch (reader.shapes(pods, input.known(id).avoidedNodes(), pins, pod -> closed.to(pod, List.of()))) {
            case PodReader.Reading.Unclear(String problem) -> hold(id, new Refusal.InvalidRequest(problem), pods);
            case PodReader.Reading.Clear(List<PodReader.Alike> shapes) -> {
                Refusal refusal = reasonToWait(id, pods, annotated, promise);
                if (refusal != null) {
                    hold(id, refusal, pods);
                    return;
                }
                Gang gang = assembly.gang(new GangAssembly.Read(id, pods, annotated, shapes, running));
                boolean follows = !assembly.sorter().going(id).isEmpty();
                findings.plan(
                        new Request(gang, reassigned(promise, gang))
                                .withBehindId(surplus.get(id))
                                .withSuccessorSince(follows ? Pods.arrival(pods, input.now()) : Interval.FOREVER),
                        annotated);
            }
        }
    }

    /** Returns why these pods cannot be started through the scheduler that they name, or null if they can. */
    private @Nullable String obstacle(List<Pod> pods) {
        Map<String, String> refused = input.objects().admissions().refused();
        return pods.stream()
                .map(pod -> refused.getOrDefault(Pods.name(pod), input.cache().obstacle(pod, input.filter())))
                .filter(Objects::nonNull)
                .findFirst()
                .orElseGet(() -> input.filter().conflict(pods));
    }

    /**
     * Gives replacement pods the placements of their predecessors, if all pods have the same request. A promise of
     * another size stays unchanged: the gang was edited.
     */
    private static @Nullable Promise reassigned(@Nullable Promise promise, Gang gang) {
        return promise == null
                        || !gang.isUniform()
                        || promise.window().placements().size() != gang.size()
                ? promise
                : promise.reassigned(gang.pods());
    }

    /**
     * Returns why a gang has to wait, or null. An unreadable budget of the namespace holds only gangs without a
     * promise.
     */
    private @Nullable Refusal reasonToWait(
            GangId id, List<Pod> pods, AnnotatedGang annotated, @Nullable Promise promise) {
        if (promise == null && input.grants().get(id.namespace()) instanceof Grant.Unreadable(String problem)) {
            return new Refusal.InvalidRequest(problem);
        }
        String tooLarge = promise == null ? input.cache().recordSize().problem(annotated.size(), pods) : null;
        if (tooLarge != null) {
            return new Refusal.InvalidRequest(tooLarge);
        }
        String excluded = promise == null ? input.queueProblem(id, annotated, pods) : null;
        if (excluded != null) {
            return new Refusal.InvalidRequest(excluded);
        }
        int left = annotated.size() - finished.getOrDefault(id, 0);
        if (left < annotated.size() && !annotated.demand().topology().slices().isEmpty()) {
            return new Refusal.InvalidRequest(
                    "%d pods of its topology slices (%s) have finished: expected all pods of the slices together"
                            .formatted(
                                    annotated.size() - left,
                                    annotated.demand().topology().slicesText()));
        }
        int present = PromisePlacements.places(pods);
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
        // For a released gang kube-scheduler is already binding the claims and allocating devices.
        return promise != null && promise.released() ? null : reader.needs().obstacle(pods);
    }
}
