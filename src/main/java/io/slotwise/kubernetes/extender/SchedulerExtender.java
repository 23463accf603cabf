package io.slotwise.kubernetes.extender;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.slotwise.kubernetes.crd.v1alpha1.PlacementSpec;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationStatus;
import io.slotwise.kubernetes.extender.ExtenderMessages.ExtenderArgs;
import io.slotwise.kubernetes.extender.ExtenderMessages.ExtenderFilterResult;
import io.slotwise.kubernetes.extender.ExtenderMessages.ExtenderPreemptionArgs;
import io.slotwise.kubernetes.extender.ExtenderMessages.ExtenderPreemptionResult;
import io.slotwise.kubernetes.extender.ExtenderMessages.HostPriority;
import io.slotwise.kubernetes.extender.ExtenderMessages.MetaPod;
import io.slotwise.kubernetes.extender.ExtenderMessages.PodRef;
import io.slotwise.kubernetes.extender.ExtenderMessages.Victims;
import io.slotwise.live.port.SchedulerBackoff;
import io.slotwise.live.record.Phase;
import io.slotwise.live.start.Waits;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Answers kube-scheduler from the plan. Every answer is a function of the request, the currently known reservations and
 * the second. Nothing is written or remembered, so kube-scheduler may ask any number of times.
 *
 * <p>A node that does not pass is always unresolvable, because a merely failed one would become a candidate for
 * preemption. Its reason stays the same for as long as possible, because kube-scheduler writes the pod's status
 * whenever the text changes. A pod whose window is far ahead gets an error instead, so that kube-scheduler backs off:
 * {@link SchedulerBackoff}.
 */
public final class SchedulerExtender {
    private static final String WAITS_FOR_A_PLAN = ExtenderReason.WAITING.of(Waits.FOR_A_PLAN);
    /** The reason without node and time, because each change of these would cause a write. */
    private static final String WAITS_FOR_ITS_WINDOW = ExtenderReason.WAITING.of("waits for its window");

    private static final int MOST_NODES = 100_000;

    private final ReservationView reservations;
    private final String schedulerName;
    private final InstantSource clock;
    private final BooleanSupplier current;

    /**
     * @param schedulerName the scheduler name of Slotwise's pods
     * @param current tells whether the view of the cluster is current; otherwise no pod may go to a node
     */
    public SchedulerExtender(
            ReservationView reservations, String schedulerName, InstantSource clock, BooleanSupplier current) {
        this.current = current;
        this.reservations = reservations;
        this.schedulerName = schedulerName;
        this.clock = clock;
    }

    /** Returns the allowed nodes: the promised node once the gang is released, else none. O(nodes). */
    public ExtenderFilterResult filter(ExtenderArgs args) {
        PodRef pod = args.pod();
        if (pod == null || !pod.isNamed()) {
            return ExtenderFilterResult.failed("The pod (Pod) has no name or no namespace; expected both.");
        }
        if (args.nodes() == null && args.nodeNames() == null) {
            return ExtenderFilterResult.failed("The candidates (Nodes, NodeNames) are missing; expected one of them.");
        }
        if (args.candidates().size() > MOST_NODES) {
            return ExtenderFilterResult.failed("The candidates (Nodes, NodeNames) are %d; expected at most %d."
                    .formatted(args.candidates().size(), MOST_NODES));
        }
        return switch (rule(pod)) {
            case FilterDecision.Anywhere ignoredAnywhere ->
                new ExtenderFilterResult(args.nodes(), args.nodeNames(), Map.of(), Map.of(), "");
            case FilterDecision.OnlyOn(String node, String elsewhere) -> pass(args, node, elsewhere);
            case FilterDecision.Nowhere(String reason) -> pass(args, null, reason);
            case FilterDecision.NotForLong(String reason) -> ExtenderFilterResult.failed(reason);
        };
    }

    /** Scores the promised node above all others. O(nodes). */
    public List<HostPriority> prioritize(ExtenderArgs args) {
        PodRef pod = args.pod();
        String promised = pod != null && rule(pod) instanceof FilterDecision.OnlyOn only ? only.node() : null;
        List<HostPriority> scores = new ArrayList<>();
        for (String node : args.candidates()) {
            scores.add(new HostPriority(node, node.equals(promised) ? HostPriority.HIGHEST : 0));
        }
        return scores;
    }

    /**
     * Returns the candidates without victims that the plan protects. A planned pod may preempt only on its promised
     * node. Members of a gang that starts or runs are never evicted, not even those of a gang of one. This answer can
     * name victims on the candidate only, so the rest of their gang would stay behind. The plan has already decided
     * which gangs make way, by priority, least run, disruption budgets and least loss. A gang that the plan has
     * displaced waits again, so the eviction of its remaining pods harms no gang.
     */
    public ExtenderPreemptionResult preempt(ExtenderPreemptionArgs args) {
        PodRef pod = args.pod();
        FilterDecision decision = pod == null ? new FilterDecision.Nowhere(WAITS_FOR_A_PLAN) : rule(pod);
        Map<String, Victims<MetaPod>> remaining = new TreeMap<>();
        if (args.nodeNameToMetaVictims() != null) {
            args.nodeNameToMetaVictims().forEach((node, victims) -> {
                if (allows(decision, node)
                        && victims.pods().stream().noneMatch(v -> isProtected(reservations.byPodUid(v.uid())))) {
                    remaining.put(node, victims);
                }
            });
        } else if (args.nodeNameToVictims() != null) {
            args.nodeNameToVictims().forEach((node, victims) -> {
                if (allows(decision, node) && victims.pods().stream().noneMatch(v -> isProtected(reservationOf(v)))) {
                    remaining.put(node, byUid(victims));
                }
            });
        }
        return new ExtenderPreemptionResult(remaining);
    }

    private FilterDecision rule(PodRef pod) {
        if (!pod.spec().schedulerName().equals(schedulerName)) {
            return new FilterDecision.Anywhere();
        }
        PodReservation podReservation =
                reservations.ofPod(pod.metadata().namespace(), pod.metadata().name());
        if (podReservation == null || podReservation.reservation().getMetadata().getDeletionTimestamp() != null) {
            return new FilterDecision.Nowhere(WAITS_FOR_A_PLAN);
        }
        return switch (podReservation.reservation().phase()) {
            case PENDING -> pending(podReservation.reservation().getStatus());
            case PROMISED ->
                podReservation.placement() == null
                        ? new FilterDecision.Nowhere(WAITS_FOR_A_PLAN)
                        : waiting(podReservation.placement());
            case STARTING, RUNNING ->
                podReservation.placement() == null
                        ? new FilterDecision.Nowhere(WAITS_FOR_A_PLAN)
                        : released(podReservation.placement());
            case COMPLETED, BROKEN -> new FilterDecision.Nowhere(WAITS_FOR_A_PLAN);
        };
    }

    /**
     * Returns the decision for a released pod. Without a current view it is an error, so that kube-scheduler tries
     * again soon, and not only after a change.
     */
    private FilterDecision released(PlacementSpec placement) {
        return current.getAsBoolean()
                ? new FilterDecision.OnlyOn(placement.node(), promise(placement))
                : new FilterDecision.NotForLong(Waits.FOR_LATEST_CHANGES);
    }

    /** Returns the reason of the condition. Its message may contain figures that change from cycle to cycle. */
    private static String whyPending(@Nullable ReservationStatus status) {
        if (status != null) {
            for (ReservationStatus.Condition condition : status.conditions()) {
                if (condition.type().equals("Planned") && condition.status().equals("False")) {
                    return ExtenderReason.WAITING.of("waits for a window: " + condition.reason());
                }
            }
        }
        return WAITS_FOR_A_PLAN;
    }

    /**
     * Returns the decision before the window. Its words differ from those for a released pod, so that they show that
     * kube-scheduler has not tried the pod since its release.
     */
    private FilterDecision waiting(PlacementSpec placement) {
        boolean far = Instant.parse(placement.start()).isAfter(clock.instant().plus(SchedulerBackoff.FAR));
        return far
                ? new FilterDecision.NotForLong(WAITS_FOR_ITS_WINDOW)
                : new FilterDecision.Nowhere(WAITS_FOR_ITS_WINDOW);
    }

    /** Returns the decision for a waiting gang. A gang that was rolled back gets no window in the next seconds. */
    private static FilterDecision pending(@Nullable ReservationStatus status) {
        String reason = whyPending(status);
        return status != null && status.attempts() > 0
                ? new FilterDecision.NotForLong(reason)
                : new FilterDecision.Nowhere(reason);
    }

    private static String promise(PlacementSpec placement) {
        return ExtenderReason.PROMISED.of("promised on node " + placement.node() + " from " + placement.start());
    }

    /**
     * Returns the answer. Reasons are given only if no node passes; otherwise kube-scheduler would read reasons for
     * thousands of nodes without using them. It treats a node without a reason as unresolvable.
     */
    private static ExtenderFilterResult pass(ExtenderArgs args, @Nullable String passing, String reason) {
        List<String> candidates = args.candidates();
        boolean passes = passing != null && candidates.contains(passing);
        Map<String, String> failed = new LinkedHashMap<>();
        if (!passes) {
            candidates.forEach(node -> failed.put(node, reason));
        }
        return args.byName()
                ? new ExtenderFilterResult(null, passes ? List.of(passing) : List.of(), Map.of(), failed, "")
                : new ExtenderFilterResult(only(args.nodes(), passing), null, Map.of(), failed, "");
    }

    private static JsonNode only(@Nullable JsonNode nodes, @Nullable String passing) {
        ArrayNode items = JsonNodeFactory.instance.arrayNode();
        ObjectNode list = JsonNodeFactory.instance.objectNode();
        if (nodes instanceof ObjectNode given) {
            list.setAll(given);
            for (JsonNode node : given.path("items")) {
                if (ExtenderArgs.nameOf(node).equals(passing)) {
                    items.add(node);
                }
            }
        }
        return list.set("items", items);
    }

    private static boolean allows(FilterDecision decision, String node) {
        return switch (decision) {
            case FilterDecision.Anywhere ignoredAnywhere -> true;
            case FilterDecision.OnlyOn only -> only.node().equals(node);
            case FilterDecision.Nowhere ignoredNowhere -> false;
            case FilterDecision.NotForLong ignoredLong -> false;
        };
    }

    private @Nullable Reservation reservationOf(PodRef pod) {
        Reservation reservation = reservations.byPodUid(pod.metadata().uid());
        if (reservation != null) {
            return reservation;
        }
        PodReservation podReservation =
                reservations.ofPod(pod.metadata().namespace(), pod.metadata().name());
        return podReservation == null ? null : podReservation.reservation();
    }

    private static boolean isProtected(@Nullable Reservation reservation) {
        if (reservation == null) {
            return false;
        }
        Phase phase = reservation.phase();
        return reservation.window() != null && (phase == Phase.STARTING || phase == Phase.RUNNING);
    }

    private static Victims<MetaPod> byUid(Victims<PodRef> victims) {
        return new Victims<>(
                victims.pods().stream()
                        .map(pod -> new MetaPod(pod.metadata().uid()))
                        .toList(),
                victims.numPdbViolations());
    }

    /** The nodes that the plan allows for a pod now. */
    private sealed interface FilterDecision {
        /** The plan does not concern this pod. */
        record Anywhere() implements FilterDecision {}

        /**
         * Only the promised node is allowed.
         *
         * @param elsewhere why other nodes are not allowed; the same in every call
         */
        record OnlyOn(String node, String elsewhere) implements FilterDecision {}

        /** No node is allowed yet. The reason stays the same while nothing has changed. */
        record Nowhere(String reason) implements FilterDecision {}

        /** No node is allowed for a long time. The reason stays the same while nothing has changed. */
        record NotForLong(String reason) implements FilterDecision {}
    }
}
