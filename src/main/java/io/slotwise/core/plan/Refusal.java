package io.slotwise.core.plan;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint.Exclusion;
import io.slotwise.core.money.Currency;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.RefusalKind.Moment;
import io.slotwise.core.plan.RefusalKind.Says;
import io.slotwise.core.text.Keyed;
import io.slotwise.core.text.ReasonStatement;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.time.Durations;
import io.slotwise.core.work.InternalFailure;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The reason why a gang has no window, worded in the same way by every interface of Slotwise. A kind of reason is
 * defined by three things: its line of {@link RefusalKind}, its record with the typed figures as components, and the
 * template of its sentence. The sentence stays the same while only time passes: instants in it are absolute, and a
 * start in the first second is stated without an instant.
 */
public sealed interface Refusal extends ReasonStatement {
    default RefusalKind ofKind() {
        return RefusalKind.of(getClass());
    }

    /** Returns the reason in one word for programs, such as {@code over-budget}. */
    default String key() {
        return ofKind().key();
    }

    default String says() {
        return ofKind().says();
    }

    @Override
    default String message() {
        return message(Currency.NONE);
    }

    @Override
    default String message(Currency currency) {
        return ofKind().sentence(this, currency);
    }

    /** Returns the figures by name, in the order in which they are reported. The key determines which there are. */
    default SequencedMap<String, ReasonFigure> figures() {
        return ofKind().figures(this);
    }

    /** Returns the gangs that the reason names, in the order of its figures. */
    default List<GangId> gangs() {
        List<GangId> gangs = new ArrayList<>();
        for (ReasonFigure figure : figures().values()) {
            if (figure instanceof ReasonFigure.Named(GangId gang) && gang != null) {
                gangs.add(gang);
            }
        }
        return gangs;
    }

    @Override
    default Refusal asSeen(Predicate<String> namespaces) {
        return ofKind().make(part -> part.of(this, namespaces));
    }

    /** Returns the reason with the gangs of another reason of this kind, since a stored reason may lack them. */
    default Refusal naming(Refusal refusal) {
        return refusal.ofKind() == ofKind() ? ofKind().make(part -> part.of(part.isHidden() ? refusal : this)) : this;
    }

    /** Returns the subject: the kind, with the figures that identify it. A user is notified once of each topic. */
    @Override
    default String topic() {
        SequencedMap<String, ReasonFigure> figures = figures();
        return ofKind().subject().stream()
                .map(name -> " " + name + "=" + figures.get(name))
                .collect(Collectors.joining("", key(), this instanceof InvalidRequest ? " " + message() : ""));
    }

    /** Returns whether another reason has the same topic. */
    default boolean isLike(Refusal other) {
        return topic().equals(other.topic());
    }

    /** Returns whether another reason is the same except for instants that are near or move. */
    default boolean isNear(Refusal other, long seconds) {
        return equals(other)
                || (ofKind() == other.ofKind()
                        && !(this instanceof InvalidRequest)
                        && ReasonFigure.areNear(figures(), other.figures(), seconds));
    }

    /** A part of the request is unreadable, contradictory or not supported. Null if no single field is at fault. */
    @Says("{message}")
    record InvalidRequest(String message, @Nullable String field) implements Refusal {
        public InvalidRequest {
            message = SafeText.line(message);
        }

        public InvalidRequest(String message) {
            this(message, null);
        }
    }

    @Says("waiting for members: {present} of {size} pods exist")
    record WaitingForMembers(int present, int size) implements Refusal {}

    /** Pods of another generation of the gang still exist: its owner has restarted the gang. */
    @Says("waiting for another generation of its gang to end: {pods} of its pods still exist")
    record WaitingForGeneration(int pods) implements Refusal {}

    /** An object that states how many pods start together does not exist. */
    @Says("waiting for {kind} {name:short} ({api}): it defines how many pods start together, and does not " + "exist")
    record WaitingForGroup(String kind, String api, String name) implements Refusal {}

    /** A pod has a scheduling gate of another party. */
    @Says("waiting for pod {pod}: another controller must remove its scheduling gate ({gate:short})")
    record ForeignGate(String pod, String gate) implements Refusal {}

    /** A pod cannot start anywhere because of a PersistentVolumeClaim. {@code other} is the obstacle. */
    record WaitingForVolume(
            String pod,
            String claim,
            ClaimState state,
            @Nullable String other) implements Refusal {
        public WaitingForVolume {
            other = other == null || other.isEmpty() ? null : other;
        }

        /** The obstacle to using a PersistentVolumeClaim. */
        public enum ClaimState implements Keyed {
            MISSING("it does not exist"),
            /** A claim with the name of the ephemeral volume's claim, made by another user or controller. */
            FOREIGN("it was not made for this pod"),
            DELETING("it is being deleted"),
            LOST("its volume ({other:short}) does not exist"),
            UNBOUND("it is not bound to a volume, and its storage class ({other:short}) does not wait for a pod to "
                    + "bind it"),
            NO_CLASS("it is not bound to a volume, and its storage class ({other:short}) does not exist"),
            IN_USE("it is ReadWriteOncePod, and pod {other:short} uses it");

            private final String words;

            ClaimState(String words) {
                this.words = words;
            }
        }

        @Override
        public String says() {
            return "waiting for the volume claim {claim:short} of pod {pod}: " + state.words;
        }
    }

    /** A pod cannot start anywhere because of a ResourceClaim. {@code other} is the obstacle or the error. */
    record WaitingForDevice(
            String pod,
            String claim,
            DeviceClaimState state,
            @Nullable String other) implements Refusal {
        public WaitingForDevice {
            other = other == null || other.isEmpty() ? null : other;
        }

        /** The obstacle to using a ResourceClaim. */
        public enum DeviceClaimState implements Keyed {
            MISSING("it does not exist"),
            NO_TEMPLATE("its ResourceClaimTemplate ({other:short}) does not exist"),
            /** A claim with the name of this pod's claim, made by another user or controller. */
            FOREIGN("it was not made for this pod"),
            DELETING("it is being deleted"),
            NO_CLASS("its DeviceClass ({other:short}) does not exist"),
            IN_USE("{other:short} pods use it, which is the maximum"),
            TOO_MANY("it asks for {other:short} devices, and a claim has at most 32"),
            SELECTOR("{other}");

            private final String words;

            DeviceClaimState(String words) {
                this.words = words;
            }
        }

        @Override
        public String says() {
            return "waiting for the device claim {claim:short} of pod {pod}: " + state.words;
        }
    }

    /** A pod requests devices, by ResourceClaim or extended resource, in a way that is not supported. */
    @Says("the devices of pod {pod} ({claim:short}) cannot be planned: {feature:short}")
    record UnplannedDevice(String pod, String claim, String feature) implements Refusal {}

    /**
     * No node may run the pods.
     *
     * @param lacking how many of the nodes that are too small have too little of each resource, by name, or null or
     *     empty if unknown
     */
    record NoEligibleNode(
            int nodes,
            Map<Exclusion, Integer> excluded,
            @Nullable Map<String, Integer> lacking) implements Refusal {
        public NoEligibleNode {
            excluded = Map.copyOf(excluded);
            lacking = lacking == null || lacking.isEmpty() ? null : Collections.unmodifiableMap(new TreeMap<>(lacking));
        }

        @Override
        public String message(Currency currency) {
            if (nodes == 0) {
                return "no eligible node: the cluster has no nodes";
            }
            return Arrays.stream(Exclusion.values())
                    .filter(excluded::containsKey)
                    .map(exclusion -> excluded.get(exclusion)
                            + " "
                            + exclusion.words()
                            + (exclusion == Exclusion.TOO_SMALL && lacking != null ? " " + ofWhat(lacking) : ""))
                    .collect(Collectors.joining(", ", "no eligible node among %d: ".formatted(nodes), ""));
        }

        /** Returns the resources, with the number of nodes that lack each if these differ. */
        private static String ofWhat(Map<String, Integer> lacking) {
            boolean isOne = lacking.size() == 1;
            return lacking.entrySet().stream()
                    .map(entry -> SafeText.value(entry.getKey()) + (isOne ? "" : " on " + entry.getValue()))
                    .collect(Collectors.joining(", ", "(", ")"));
        }
    }

    /**
     * Even the empty eligible nodes, or those of one topology value, cannot take all pods at once.
     *
     * @param domain the topology value whose nodes take the most; null if no node has one, or without a topology
     * @param slices the slices that the pods form, or null
     */
    record TooLarge(
            int size,
            long room,
            @Nullable String topology,
            @Nullable String domain,
            @Nullable String slices) implements Refusal {
        public TooLarge(int size, long room) {
            this(size, room, null, null, null);
        }

        @Override
        public String says() {
            if (room == 0 && topology != null && slices == null) {
                return "no eligible node has the label {topology:short}, of which all pods of the gang must be in one "
                        + "value";
            }
            return "too large for the cluster: %s, the eligible nodes%s take {room} when they are empty%s%s"
                    .formatted(
                            size == 1 ? "1 pod" : "{size} pods",
                            topology == null ? "" : " of one {topology:short}",
                            slices == null ? "" : " in slices of {slices}",
                            domain == null ? "" : ", most of all {domain}");
        }
    }

    /** A window exists, but costs more. {@code atOnce}: it starts in the first second that could be planned. */
    record OverBudget(Money cheapest, @Moment(moves = true) long start, Money budget, boolean atOnce)
            implements Refusal {
        @Override
        public String says() {
            return "no window within budget: the cheapest costs {cheapest}%s, the budget is {budget}"
                    .formatted(atOnce ? "" : " at {start}");
        }
    }

    /** A window exists, but not with every slot at or below this price. */
    @Says("no window within the price limit of {limit} per hour and pod")
    record OverSlotPrice(Money limit) implements Refusal {}

    /** A window exists, but ends too late. {@code atOnce}: it starts in the first second that could be planned. */
    record Deadline(
            @Moment long deadline,
            @Moment(moves = true) long start,
            @Moment(moves = true) long end,
            boolean atOnce) implements Refusal {
        @Override
        public String says() {
            return "the deadline {deadline} cannot be met: "
                    + (atOnce
                            ? "it would take %s from now".formatted(Durations.brief(end - start))
                            : "the earliest end is {end}");
        }

        @Override
        public SequencedMap<String, ReasonFigure> figures() {
            SequencedMap<String, ReasonFigure> figures = Refusal.super.figures();
            if (atOnce) {
                figures.put("durationSeconds", new ReasonFigure.Seconds(end - start));
            }
            return figures;
        }
    }

    /** The pods take longer than the horizon. */
    @Says("longer than the horizon: it takes at least {runtimeSeconds}, windows are planned {horizonSeconds} "
            + "ahead")
    record LongerThanHorizon(long runtimeSeconds, long horizonSeconds) implements Refusal {}

    /** The earliest start is too far away for a window within the horizon. */
    @Says("its earliest start {earliestStart} is too far away: windows are planned {horizonSeconds} ahead")
    record BeyondHorizon(@Moment long earliestStart, long horizonSeconds) implements Refusal {}

    /** The gang could start within the horizon, but not end there, even if the eligible nodes were empty. */
    @Says("it would end beyond the horizon: from its earliest start {earliestStart} it takes at least "
            + "{runtimeSeconds}, windows are planned {horizonSeconds} ahead")
    record EndsBeyondHorizon(@Moment long earliestStart, long runtimeSeconds, long horizonSeconds) implements Refusal {}

    /** There would be a window without the windows of others. The first of these gangs is null if it is hidden. */
    record BehindPromises(@Nullable GangId gang, @Moment long start, int others) implements Refusal {
        @Override
        public String says() {
            return "behind promised gangs: {gang}, which starts at {start},%s the room up to the horizon"
                    .formatted(
                            switch (others) {
                                case 0 -> " takes";
                                case 1 -> " and 1 other take";
                                default -> " and {others} others take";
                            });
        }
    }

    /** No window at any price: running pods and the owners' own use of nodes prevent it. */
    @Says("no window for {size} pods at once in the next {horizonSeconds}: what runs and what owners keep for "
            + "themselves leaves too little room")
    record NoWindow(int size, long horizonSeconds) implements Refusal {}

    /** A window exists, but none that keeps a rule between the gang's pods and other pods. */
    record PodRules(String rule, String label, int pods, int domains) implements Refusal {
        @Override
        public String says() {
            return ("no window that keeps its {rule} for {pods} %s: the eligible nodes have {domains} %s of "
                            + "{label:short}")
                    .formatted(pods == 1 ? "pod" : "pods", domains == 1 ? "value" : "values");
        }
    }

    /** Each window that was found would break a rule of a gang, which is null if the reader may not see it. */
    @Says("no window that leaves {gang} its {rule}")
    record BehindRule(String rule, @Nullable GangId gang) implements Refusal {}

    /** A window exists, but not inside one domain of this label, as the gang's mode requires. */
    @Says("no window on nodes with one value of the label {label}, as its mode requires")
    record NoDomain(String label) implements Refusal {}

    /** The policy plans only a part of the batch, without this gang. */
    @Says("the cyclic part of the plan left it out, and the policy does not backfill")
    record NotBackfilled() implements Refusal {}

    /** The earliest start is in the future, and the policy reserves nothing behind the first waiting gang. */
    @Says("its earliest start ({earliestStart}) is in the future, and study.backfill: easy does not reserve ahead")
    record NotBefore(@Moment long earliestStart) implements Refusal {}

    /** The gang's start was refused repeatedly. Until the next try it takes no other gang's room. */
    @Says("rolled back {attempts} times, planned again from {until} on: {why}")
    record BackingOff(int attempts, @Moment long until, String why) implements Refusal {
        public BackingOff {
            why = SafeText.line(why);
        }
    }

    /** The API server refuses a call that the gang needs. The call is retried later. */
    @Says("the API server refuses its {what}: {why}")
    record WriteRefused(String what, String why) implements Refusal {
        public WriteRefused {
            why = SafeText.line(why);
        }
    }

    /** Left out so that the rest of the batch stays within the policy's limit, with the least that the gang needs. */
    @Says("left out of the batch: with it the least {limit} is {least}, the policy's limit is {allowed}; the "
            + "whole batch needs {whole}")
    record BatchLimit(String limit, String least, String allowed, String whole) implements Refusal {}

    /** The gang's queue gives no windows, for a reason in words that follow "it". */
    @Says("its queue {queue} takes no gangs: it {state}")
    record QueueClosed(String queue, String state) implements Refusal {}

    /** Only the gang's queue and those above it prevent a window. */
    @Says("its queue {queue} has no room for it in the next {horizonSeconds}, by its limit and by what others lend")
    record QueueFull(String queue, long horizonSeconds) implements Refusal {}

    /** A window exists, but its namespace cannot pay for it in the period that ends before {@code until}. */
    @Says("no window within the budget of namespace {namespace}: the cheapest costs {cheapest}, {left} is left "
            + "until {until}")
    record NamespaceBudget(
            String namespace,
            Money cheapest,
            Money left,
            @Moment long until) implements Refusal {}

    /** A window exists, but a queue cannot pay for it in the period that ends before {@code until}. */
    @Says("no window within the budget of queue {queue}: the cheapest costs {money}, {left} is left until {until}")
    record QueueBudget(
            String queue, Money money, Money left, @Moment long until) implements Refusal {}

    /** The gang cannot start now without delaying the first gang, which is null if the reader may not see it. */
    @Says("behind {gang}, which starts at {start}: it cannot start now without delaying that gang")
    record Behind(@Nullable GangId gang, @Moment long start) implements Refusal {}

    /** The gang names an advance reservation that cannot take it now. */
    @Says("waiting for reservation {reservation}: {why}")
    record AwaitsReservation(GangId reservation, String why) implements Refusal {}

    /** A predecessor does not exist or is not admitted. The reader cannot tell which. */
    @Says("waiting for {gang}, which it starts after: there is no such gang that it may wait for")
    record AfterMissing(@Nullable GangId gang) implements Refusal {}

    /** A predecessor has no window yet. */
    @Says("waiting for {gang}, which it starts after and which has no window")
    record AfterPending(@Nullable GangId gang) implements Refusal {}

    /** A predecessor starts after this gang, so neither can ever start. */
    @Says("it starts after {gang}, which starts after it: expected no circle")
    record AfterCircle(@Nullable GangId gang) implements Refusal {}

    /** Slotwise failed with an internal error on this gang alone. The others are planned without it. */
    @Says("not planned because of {error}; see the log of Slotwise for the cause")
    record Failed(InternalFailure error) implements Refusal {
        public static Failed by(Throwable error) {
            return new Failed(InternalFailure.of(error));
        }
    }
}
