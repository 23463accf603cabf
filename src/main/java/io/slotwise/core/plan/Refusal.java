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
 * Why a gang has no window: a value that every face of Slotwise words in the same way. A kind of reason is stated once:
 * its line of {@link RefusalKind}, its record, whose components are the typed figures, and the template of its
 * sentence; all else follows from these. The sentence does not change while time passes and nothing else happens:
 * instants in it are absolute, and what could start at once is said without one.
 */
public sealed interface Refusal extends ReasonStatement {
    default RefusalKind ofKind() {
        return RefusalKind.of(getClass());
    }

    /** The reason in one word that programs compare, such as {@code over-budget}. */
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

    /** The figures by name, in the order in which they are told; the key says which there are. */
    default SequencedMap<String, ReasonFigure> figures() {
        return ofKind().figures(this);
    }

    /** The gangs that the reason names, in the order of its figures. */
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

    /** The same with the gangs that another reason of this kind names: its own may be unknown to those who keep it. */
    default Refusal naming(Refusal refusal) {
        return refusal.ofKind() == ofKind() ? ofKind().make(part -> part.of(part.isHidden() ? refusal : this)) : this;
    }

    /** What it is about: the kind, and those of its figures that are its subject. People are told of it once. */
    @Override
    default String topic() {
        SequencedMap<String, ReasonFigure> figures = figures();
        return ofKind().subject().stream()
                .map(name -> " " + name + "=" + figures.get(name))
                .collect(Collectors.joining("", key(), this instanceof InvalidRequest ? " " + message() : ""));
    }

    /** Whether another reason is about the same, whatever its other figures. */
    default boolean isLike(Refusal other) {
        return topic().equals(other.topic());
    }

    /** Whether another reason says the same, with each instant less than so far away or moving. */
    default boolean isNear(Refusal other, long seconds) {
        return equals(other)
                || (ofKind() == other.ofKind()
                        && !(this instanceof InvalidRequest)
                        && ReasonFigure.areNear(figures(), other.figures(), seconds));
    }

    /** A part of the request is unreadable, contradictory or not supported; null: no single field is at fault. */
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

    /** Pods of another generation of its gang are still there: its owner has restarted the gang. */
    @Says("waiting for another generation of its gang to end: {pods} of its pods still exist")
    record WaitingForGeneration(int pods) implements Refusal {}

    /** An object says how many of its pods start together, and is not there. */
    @Says("waiting for {kind} {name:short} ({api}): it defines how many pods start together, and does not " + "exist")
    record WaitingForGroup(String kind, String api, String name) implements Refusal {}

    /** A pod has a scheduling gate that is not Slotwise's. */
    @Says("waiting for pod {pod}: another controller must remove its scheduling gate ({gate:short})")
    record ForeignGate(String pod, String gate) implements Refusal {}

    /** A pod cannot start anywhere because of a volume claim; {@code other}: what is in the way. */
    record WaitingForVolume(
            String pod,
            String claim,
            ClaimState state,
            @Nullable String other) implements Refusal {
        public WaitingForVolume {
            other = other == null || other.isEmpty() ? null : other;
        }

        /** What keeps a claim from being used. */
        public enum ClaimState implements Keyed {
            MISSING("it does not exist"),
            /** It has the name of the claim of an ephemeral volume, and another user or controller has made it. */
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

    /** A pod cannot start anywhere because of a device claim; {@code other}: what is in the way or wrong. */
    record WaitingForDevice(
            String pod,
            String claim,
            DeviceClaimState state,
            @Nullable String other) implements Refusal {
        public WaitingForDevice {
            other = other == null || other.isEmpty() ? null : other;
        }

        /** What keeps a device claim from being used. */
        public enum DeviceClaimState implements Keyed {
            MISSING("it does not exist"),
            NO_TEMPLATE("its ResourceClaimTemplate ({other:short}) does not exist"),
            /** It has the name of the claim that is made for this pod, and another user or controller has made it. */
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

    /** A pod asks, by a claim or an extended resource, for devices in a way that the planner does not know. */
    @Says("the devices of pod {pod} ({claim:short}) cannot be planned: {feature:short}")
    record UnplannedDevice(String pod, String claim, String feature) implements Refusal {}

    /**
     * No node may run its pods at all.
     *
     * @param lacking how many of those that are too small have too little of a resource, by its name; null or
     *     empty: it is not known
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

        /** The resources, with the nodes that have too little of each where these differ. */
        private static String ofWhat(Map<String, Integer> lacking) {
            boolean isOne = lacking.size() == 1;
            return lacking.entrySet().stream()
                    .map(entry -> SafeText.value(entry.getKey()) + (isOne ? "" : " on " + entry.getValue()))
                    .collect(Collectors.joining(", ", "(", ")"));
        }
    }

    /** Even the empty eligible nodes, or those of one topology value, do not take all its pods at one time. */
    record TooLarge(int size, long room, @Nullable String topology) implements Refusal {
        @Override
        public String says() {
            if (room == 0 && topology != null) {
                return "no eligible node has the label {topology:short}, of which all pods of the gang must be in one "
                        + "value";
            }
            return "too large for the cluster: %s, the eligible nodes%s take {room} when they are empty"
                    .formatted(size == 1 ? "1 pod" : "{size} pods", topology == null ? "" : " of one {topology:short}");
        }
    }

    /** A window exists, but not for this money; {@code atOnce}: it is the first second that could be planned. */
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

    /** A window exists, but it ends too late; {@code atOnce}: it starts in the first second that could be planned. */
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

    /** Its pods take longer than windows are planned ahead. */
    @Says("longer than the horizon: it takes at least {runtimeSeconds}, windows are planned {horizonSeconds} "
            + "ahead")
    record LongerThanHorizon(long runtimeSeconds, long horizonSeconds) implements Refusal {}

    /** Its earliest start is too far away for its window to lie within the horizon. */
    @Says("its earliest start {earliestStart} is too far away: windows are planned {horizonSeconds} ahead")
    record BeyondHorizon(@Moment long earliestStart, long horizonSeconds) implements Refusal {}

    /** It could start within the horizon, but not end there, even if the eligible nodes were empty. */
    @Says("it would end beyond the horizon: from its earliest start {earliestStart} it takes at least "
            + "{runtimeSeconds}, windows are planned {horizonSeconds} ahead")
    record EndsBeyondHorizon(@Moment long earliestStart, long runtimeSeconds, long horizonSeconds) implements Refusal {}

    /** There would be a window if other gangs had none; null: the reader may not know the first of them. */
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

    /** No window, whatever the money: what runs and what owners keep for themselves is in the way. */
    @Says("no window for {size} pods at once in the next {horizonSeconds}: what runs and what owners keep for "
            + "themselves leaves too little room")
    record NoWindow(int size, long horizonSeconds) implements Refusal {}

    /** A window exists, but none in which its pods keep a rule about each other and those that are there. */
    record PodRules(String rule, String label, int pods, int domains) implements Refusal {
        @Override
        public String says() {
            return ("no window that keeps its {rule} for {pods} %s: the eligible nodes have {domains} %s of "
                            + "{label:short}")
                    .formatted(pods == 1 ? "pod" : "pods", domains == 1 ? "value" : "values");
        }
    }

    /** Each window that was looked at would break a rule of a gang; null: the reader may not know which. */
    @Says("no window that leaves {gang} its {rule}")
    record BehindRule(String rule, @Nullable GangId gang) implements Refusal {}

    /** A window exists, but not inside one domain, as its mode asks: on nodes with one value of this label. */
    @Says("no window on nodes with one value of the label {label}, as its mode requires")
    record NoDomain(String label) implements Refusal {}

    /** The policy plans only a part of the batch, and this gang is not in it. */
    @Says("the cyclic part of the plan left it out, and the policy does not backfill")
    record NotBackfilled() implements Refusal {}

    /** Its earliest start has not come, and the policy reserves nothing for those that wait behind the first gang. */
    @Says("its earliest start ({earliestStart}) is in the future, and study.backfill: easy does not reserve ahead")
    record NotBefore(@Moment long earliestStart) implements Refusal {}

    /** Its start was refused again and again; until it is tried again it takes no other gang's room. */
    @Says("rolled back {attempts} times, planned again from {until} on: {why}")
    record BackingOff(int attempts, @Moment long until, String why) implements Refusal {
        public BackingOff {
            why = SafeText.line(why);
        }
    }

    /** The API server refuses a call that the gang needs; it is made again later. */
    @Says("the API server refuses its {what}: {why}")
    record WriteRefused(String what, String why) implements Refusal {
        public WriteRefused {
            why = SafeText.line(why);
        }
    }

    /** Left out so that the rest of the batch stays within the policy's limit, with the least that it needs. */
    @Says("left out of the batch: with it the least {limit} is {least}, the policy's limit is {allowed}; the "
            + "whole batch needs {whole}")
    record BatchLimit(String limit, String least, String allowed, String whole) implements Refusal {}

    /** A window exists, but its namespace cannot pay for it in the period, which ends before {@code until}. */
    @Says("no window within the budget of namespace {namespace}: the cheapest costs {cheapest}, {left} is left "
            + "until {until}")
    record NamespaceBudget(
            String namespace,
            Money cheapest,
            Money left,
            @Moment long until) implements Refusal {}

    /** It cannot start now without delaying the first gang; null: the reader may not know which that is. */
    @Says("behind {gang}, which starts at {start}: it cannot start now without delaying that gang")
    record Behind(@Nullable GangId gang, @Moment long start) implements Refusal {}

    /** It names an advance reservation that cannot take it now. */
    @Says("waiting for reservation {reservation}: {why}")
    record AwaitsReservation(GangId reservation, String why) implements Refusal {}

    /** It starts after a gang that is not there or must not be waited for: a reader cannot tell which. */
    @Says("waiting for {gang}, which it starts after: there is no such gang that it may wait for")
    record AfterMissing(@Nullable GangId gang) implements Refusal {}

    /** It starts after a gang that has no window yet. */
    @Says("waiting for {gang}, which it starts after and which has no window")
    record AfterPending(@Nullable GangId gang) implements Refusal {}

    /** It starts after a gang that starts after it: neither ever could. */
    @Says("it starts after {gang}, which starts after it: expected no circle")
    record AfterCircle(@Nullable GangId gang) implements Refusal {}

    /** Slotwise met an error of its own while it read or planned this gang alone; the others are planned without it. */
    @Says("not planned because of {error}; see the log of Slotwise for the cause")
    record Failed(InternalFailure error) implements Refusal {
        public static Failed by(Throwable error) {
            return new Failed(InternalFailure.of(error));
        }
    }
}
