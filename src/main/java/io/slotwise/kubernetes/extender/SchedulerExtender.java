package io.slotwise.kubernetes.extender;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.slotwise.kubernetes.crd.v1alpha1.PlacementSpec;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.ReservationStatus;
import io.slotwise.kubernetes.extender.ExtenderPreemptionArgs.MetaPod;
import io.slotwise.kubernetes.extender.ExtenderPreemptionArgs.Victims;
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
 * Answers kube-scheduler from the plan. Every answer is a function of the question, of the reservations as they are
 * known now and of the second; nothing is written and nothing is remembered, so kube-scheduler may ask as often as it
 * likes.
 *
 * <p>A node that does not pass is always unresolvable: a merely failed one would become a candidate for preemption. Its
 * reason says the same for as long as it can, because kube-scheduler writes the pod's status again whenever the text
 * changes. A pod whose window is far ahead meets an error instead, so that kube-scheduler leaves it alone for a while:
 * {@link SchedulerBackoff}.
 */
public final class SchedulerExtender {
    private static final String WAITS_FOR_A_PLAN = ExtenderReason.WAITING.of(Waits.FOR_A_PLAN);
    /** Without its node and time, which change: each change would be one more write. */
    private static final String WAITS_FOR_ITS_WINDOW = ExtenderReason.WAITING.of("waits for its window");

    private static final int MOST_NODES = 100_000;

    private final ReservationView reservations;
    private final String schedulerName;
    private final InstantSource clock;
    private final BooleanSupplier current;

    /**
     * @param schedulerName the scheduler name that pods of ours ask for
     * @param current whether the cluster is seen as it is; no pod may go to a node otherwise
     */
    public SchedulerExtender(
            ReservationView reservations, String schedulerName, InstantSource clock, BooleanSupplier current) {
        this.current = current;
        this.reservations = reservations;
        this.schedulerName = schedulerName;
        this.clock = clock;
    }

    /** Which of the nodes the pod may go to: its promised one once its gang is released, else none; O(nodes). */
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

    /** The promised node before all others; O(nodes). */
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
     * The candidates that remain, none of them with a gang that the plan has not displaced itself. A planned pod makes
     * room on its promised node only, and no preemption evicts a member of a gang that starts or runs, be it a gang of
     * one: this answer can name victims on the candidate alone, so siblings elsewhere would be left without it, and who
     * has to make way for whom was decided by the plan, by priority, least run, disruption budgets and least loss.
     * Members of a gang that the plan has displaced belong to a gang that waits again; they are on their way out, and
     * their eviction harms no gang.
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
        ReservedSeat seat =
                reservations.seat(pod.metadata().namespace(), pod.metadata().name());
        if (seat == null || seat.reservation().getMetadata().getDeletionTimestamp() != null) {
            return new FilterDecision.Nowhere(WAITS_FOR_A_PLAN);
        }
        return switch (seat.reservation().phase()) {
            case PENDING -> pending(seat.reservation().getStatus());
            case PROMISED ->
                seat.placement() == null ? new FilterDecision.Nowhere(WAITS_FOR_A_PLAN) : waiting(seat.placement());
            case STARTING, RUNNING ->
                seat.placement() == null ? new FilterDecision.Nowhere(WAITS_FOR_A_PLAN) : released(seat.placement());
            case COMPLETED, BROKEN -> new FilterDecision.Nowhere(WAITS_FOR_A_PLAN);
        };
    }

    /** Without sight as an error: kube-scheduler tries again soon, and not only when something changes. */
    private FilterDecision released(PlacementSpec placement) {
        return current.getAsBoolean()
                ? new FilterDecision.OnlyOn(placement.node(), promise(placement))
                : new FilterDecision.NotForLong(Waits.FOR_SIGHT);
    }

    /** The condition's reason, not its message: a message may have figures that change from cycle to cycle. */
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
     * Other words than those of a released pod: a reader who sees them later knows that kube-scheduler has not tried it
     * since.
     */
    private FilterDecision waiting(PlacementSpec placement) {
        boolean far = Instant.parse(placement.start()).isAfter(clock.instant().plus(SchedulerBackoff.FAR));
        return far
                ? new FilterDecision.NotForLong(WAITS_FOR_ITS_WINDOW)
                : new FilterDecision.Nowhere(WAITS_FOR_ITS_WINDOW);
    }

    /** A gang that was rolled back gets no window in the next seconds. */
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
     * Why nodes do not pass is only told where none does: otherwise kube-scheduler would read a reason for each of
     * thousands of nodes and use none of them. A node of which it hears nothing is unresolvable for it.
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
        ReservedSeat seat =
                reservations.seat(pod.metadata().namespace(), pod.metadata().name());
        return seat == null ? null : seat.reservation();
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
}
