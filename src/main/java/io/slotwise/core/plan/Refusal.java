package io.slotwise.core.plan;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint.Exclusion;
import io.slotwise.core.money.Currency;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.ReasonPart.Moment;
import io.slotwise.core.plan.ReasonPart.Says;
import io.slotwise.core.text.Keyed;
import io.slotwise.core.text.ReasonStatement;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.time.Durations;
import io.slotwise.core.work.InternalFailure;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SequencedMap;
import java.util.StringTokenizer;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Why a gang has no window: a value that every face of Slotwise words in the same way. A kind of reason is stated once:
 * its line of {@link Kind}, its record, whose components are the typed figures, and the template of its sentence; all
 * else follows from these. The sentence does not change while time passes and nothing else happens: instants in it are
 * absolute, and what could start at once is said without one.
 */
public sealed interface Refusal extends ReasonStatement {
    /** Which one it is. */
    default Kind ofKind() {
        return Kind.of(getClass());
    }

    /** The reason in one word that programs compare, such as {@code over-budget}. */
    default String key() {
        return ofKind().key();
    }

    /** The template of its sentence. */
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
        return ofKind().figures(this).all();
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
    default Refusal naming(Refusal whole) {
        return whole.ofKind() == ofKind() ? ofKind().make(part -> part.of(part.isHidden() ? whole : this)) : this;
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

    /**
     * Whether another reason says the same, and each of its instants is less than so far away from this one's. Those
     * that go with the clock are always near.
     *
     * @param seconds positive
     */
    default boolean isNear(Refusal other, long seconds) {
        return equals(other)
                || (ofKind() == other.ofKind()
                        && !(this instanceof InvalidRequest)
                        && ReasonFigures.areNear(figures(), other.figures(), seconds));
    }

    /**
     * All reasons, with the words that stand for them: one table for the planner, the records and the events. Each row
     * has its record, its word, that of its event, and the names of the parts that are its subject.
     */
    enum Kind implements Keyed {
        INVALID_REQUEST(InvalidRequest.class, "InvalidRequest", "InvalidRequest"),
        WAITING_FOR_MEMBERS(WaitingForMembers.class, "WaitingForMembers", null, "present", "size"),
        WAITING_FOR_GENERATION(WaitingForGeneration.class, "WaitingForGeneration", null),
        WAITING_FOR_GROUP(WaitingForGroup.class, "WaitingForGroup", null, "kind", "api", "name"),
        FOREIGN_GATE(ForeignGate.class, "NoWindow", "NoWindow", "gate"),
        WAITING_FOR_VOLUME(WaitingForVolume.class, "NoWindow", "NoWindow", "claim", "state"),
        WAITING_FOR_DEVICE(WaitingForDevice.class, "NoWindow", "NoWindow", "claim", "state"),
        UNPLANNED_DEVICE(UnplannedDevice.class, "InvalidRequest", "InvalidRequest", "claim", "feature"),
        NO_ELIGIBLE_NODE(NoEligibleNode.class, "NoWindow", "NoWindow"),
        TOO_LARGE(TooLarge.class, "NoWindow", "NoWindow", "size", "topology"),
        OVER_BUDGET(OverBudget.class, "OverBudget", "OverBudget", "budget"),
        OVER_SLOT_PRICE(OverSlotPrice.class, "OverBudget", "OverBudget", "limit"),
        DEADLINE(Deadline.class, "NoWindow", "NoWindow", "deadline"),
        LONGER_THAN_HORIZON(LongerThanHorizon.class, "NoWindow", "NoWindow"),
        BEYOND_HORIZON(BeyondHorizon.class, "NoWindow", "NoWindow"),
        ENDS_BEYOND_HORIZON(EndsBeyondHorizon.class, "NoWindow", "NoWindow"),
        BEHIND_PROMISES(BehindPromises.class, "NoWindow", "NoWindow"),
        NO_WINDOW(NoWindow.class, "NoWindow", "NoWindow", "size"),
        POD_RULES(PodRules.class, "NoWindow", "NoWindow", "rule", "label", "pods"),
        BEHIND_RULE(BehindRule.class, "NoWindow", "NoWindow", "rule", "gang"),
        NO_DOMAIN(NoDomain.class, "NoWindow", "NoWindow", "label"),
        NOT_BACKFILLED(NotBackfilled.class, "NoWindow", "NoWindow"),
        NOT_BEFORE(NotBefore.class, "NoWindow", "NoWindow"),
        BACKING_OFF(BackingOff.class, "BackingOff", null),
        WRITE_REFUSED(WriteRefused.class, "WriteRefused", "WriteRefused"),
        BATCH_LIMIT(BatchLimit.class, "BatchLimit", "NoWindow", "limit"),
        NAMESPACE_BUDGET(NamespaceBudget.class, "OverBudget", "OverBudget", "namespace"),
        BEHIND(Behind.class, "Behind", "NoWindow"),
        AWAITS_RESERVATION(AwaitsReservation.class, "AwaitsReservation", "NoWindow", "reservation"),
        AFTER_MISSING(AfterMissing.class, "WaitingForPredecessor", "NoWindow", "gang"),
        AFTER_PENDING(AfterPending.class, "WaitingForPredecessor", "NoWindow", "gang"),
        AFTER_CIRCLE(AfterCircle.class, "InvalidRequest", "InvalidRequest", "gang"),
        INTERNAL_ERROR(Failed.class, "InternalError", "InternalError", "error");

        private static final Map<Class<?>, Kind> BY_RECORD =
                Arrays.stream(values()).collect(Collectors.toMap(kind -> kind.reason, Function.identity()));

        private final Class<? extends Refusal> reason;

        @SuppressWarnings("ImmutableEnumChecker") // made by toList
        private final List<ReasonPart> parts;

        private final String word;
        private final @Nullable String event;

        @SuppressWarnings("ImmutableEnumChecker") // made by List.of
        private final List<String> subject;

        Kind(Class<? extends Refusal> reason, String word, @Nullable String event, String... subject) {
            this.reason = reason;
            this.parts = ReasonPart.of(reason);
            this.word = word;
            this.event = event;
            this.subject = List.of(subject);
        }

        /** The reason in the conditions of records and pods, where several kinds may share one. */
        public String word() {
            return word;
        }

        /** The reason of the event that tells it; null: it is not told. */
        public @Nullable String event() {
            return event;
        }

        /**
         * The figures that are what the reason is about: what the gang asks for, and the objects that are in the way.
         * The other figures go with the cluster.
         */
        public List<String> subject() {
            return subject;
        }

        /**
         * A reason of this kind.
         *
         * @param values of each of its parts
         * @throws IllegalArgumentException if there is no such reason
         */
        public Refusal make(Function<ReasonPart, @Nullable Object> values) {
            try {
                return reason.getDeclaredConstructor(
                                parts.stream().map(ReasonPart::type).toArray(Class<?>[]::new))
                        .newInstance(parts.stream().map(values).toArray());
            } catch (InvocationTargetException e) {
                throw new IllegalArgumentException(e.getCause());
            } catch (ReflectiveOperationException e) {
                throw new IllegalStateException(e);
            }
        }

        private static Kind of(Class<?> reason) {
            return Objects.requireNonNull(BY_RECORD.get(reason));
        }

        private String says() {
            return reason.getAnnotation(Says.class).value();
        }

        private String sentence(Refusal refusal, Currency currency) {
            StringBuilder sentence = new StringBuilder();
            boolean isPart = false;
            StringTokenizer pieces = new StringTokenizer(refusal.says(), "{}", true);
            while (pieces.hasMoreTokens()) {
                String piece = pieces.nextToken();
                switch (piece) {
                    case "{" -> isPart = true;
                    case "}" -> isPart = false;
                    default -> sentence.append(isPart ? words(refusal, piece, currency) : piece);
                }
            }
            return sentence.toString();
        }

        private String words(Refusal refusal, String name, Currency currency) {
            return parts.stream()
                    .filter(part -> name.equals(part.name()) || name.equals(part.name() + ":short"))
                    .findFirst()
                    .orElseThrow()
                    .words(refusal, name.endsWith(":short"), currency);
        }

        private ReasonFigures figures(Refusal refusal) {
            boolean soon = parts.stream().anyMatch(part -> Boolean.TRUE.equals(part.of(refusal)));
            ReasonFigures figures = new ReasonFigures();
            parts.forEach(part -> figures.and(part.name(), part.figure(refusal, soon)));
            return figures;
        }
    }

    /**
     * Something that the gang says cannot be read, contradicts itself, or is not supported.
     *
     * @param message what is wrong
     * @param field where: the key of an annotation or label, the path of a field; null: no single field
     */
    @Says("{message}")
    record InvalidRequest(String message, @Nullable String field) implements Refusal {
        public InvalidRequest {
            message = SafeText.line(message);
        }

        /** One that is about no single field. */
        public InvalidRequest(String message) {
            this(message, null);
        }
    }

    /** Not all of its pods are there yet. */
    @Says("waiting for members: {present} of {size} pods exist")
    record WaitingForMembers(int present, int size) implements Refusal {}

    /** Pods of another generation of its gang are still there: its owner has restarted the gang. */
    @Says("waiting for another generation of its gang to end: {pods} of its pods still exist")
    record WaitingForGeneration(int pods) implements Refusal {}

    /**
     * An object says how many of its pods start together, and is not there.
     *
     * @param kind such as {@code PodGroup}
     * @param api the API group of that kind
     * @param name {@code namespace/name}
     */
    @Says("waiting for {kind} {name:short} ({api}): it defines how many pods start together, and does not " + "exist")
    record WaitingForGroup(String kind, String api, String name) implements Refusal {}

    /**
     * A pod has a scheduling gate that is not Slotwise's.
     *
     * @param pod {@code namespace/name}
     * @param gate its name
     */
    @Says("waiting for pod {pod}: another controller must remove its scheduling gate ({gate:short})")
    record ForeignGate(String pod, String gate) implements Refusal {}

    /**
     * A pod cannot start anywhere because of a volume claim.
     *
     * @param pod {@code namespace/name}
     * @param claim {@code namespace/name}
     * @param state of the claim
     * @param other the name of what is in the way: the volume, the storage class, or {@code namespace/name} of a pod,
     *     as {@code state} says; null or empty: nothing
     */
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
            /** No user or controller has made it. */
            MISSING("it does not exist"),
            /** It has the name of the claim of an ephemeral volume, and another user or controller has made it. */
            FOREIGN("it was not made for this pod"),
            /** A user or controller has deleted it. */
            DELETING("it is being deleted"),
            /** The volume to which it is bound has gone. */
            LOST("its volume ({other:short}) does not exist"),
            /** Its class makes volumes without waiting for a pod, and it has none. */
            UNBOUND("it is not bound to a volume, and its storage class ({other:short}) does not wait for a pod to "
                    + "bind it"),
            /** No provisioner makes a volume for it. */
            NO_CLASS("it is not bound to a volume, and its storage class ({other:short}) does not exist"),
            /** One pod at a time may use it. */
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

    /**
     * A pod cannot start anywhere because of a device claim.
     *
     * @param pod {@code namespace/name}
     * @param claim {@code namespace/name}, or what the pod calls it as long as it does not exist
     * @param state of the claim
     * @param other the name of what is in the way, or what is wrong with it, as {@code state} says; null or
     *     empty: nothing
     */
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
            /** No user or controller has made it. */
            MISSING("it does not exist"),
            /** It is to be made from a template that does not exist. */
            NO_TEMPLATE("its ResourceClaimTemplate ({other:short}) does not exist"),
            /** It has the name of the claim that is made for this pod, and another user or controller has made it. */
            FOREIGN("it was not made for this pod"),
            /** A user or controller has deleted it. */
            DELETING("it is being deleted"),
            /** Its class is not there. */
            NO_CLASS("its DeviceClass ({other:short}) does not exist"),
            /** As many pods as may use a claim do. */
            IN_USE("{other:short} pods use it, which is the maximum"),
            /** It asks for more devices than a claim may have. */
            TOO_MANY("it asks for {other:short} devices, and a claim has at most 32"),
            /** An expression cannot be evaluated. */
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

    /**
     * A pod asks for devices in a way that the planner does not know.
     *
     * @param pod {@code namespace/name}
     * @param claim {@code namespace/name} of the claim, what the pod calls it as long as it does not exist, or the
     *     extended resource that devices serve
     * @param feature what of it is not planned
     */
    @Says("the devices of pod {pod} ({claim:short}) cannot be planned: {feature:short}")
    record UnplannedDevice(String pod, String claim, String feature) implements Refusal {}

    /**
     * No node may run its pods at all.
     *
     * @param nodes how many there are
     * @param excluded how many of them are left out, by reason
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

        /** One of which it is not known what nodes lack. */
        public NoEligibleNode(int nodes, Map<Exclusion, Integer> excluded) {
            this(nodes, excluded, null);
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
                    .map(resource -> SafeText.value(resource.getKey()) + (isOne ? "" : " on " + resource.getValue()))
                    .collect(Collectors.joining(", ", "(", ")"));
        }
    }

    /**
     * Even the empty eligible nodes do not take all its pods at one time.
     *
     * @param size its pods
     * @param room the most pods that they take
     * @param topology the label of which all these nodes must have one value; null: there is no such limit
     */
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

    /**
     * A window exists, but not for this money.
     *
     * @param cheapest what the cheapest window costs
     * @param start its start, seconds since the epoch
     * @param budget the most that the gang may cost
     * @param atOnce whether it is the first second that could be planned
     */
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

    /**
     * A window exists, but it ends too late.
     *
     * @param deadline seconds since the epoch
     * @param start of the window that ends first, seconds since the epoch
     * @param end of that window, seconds since the epoch
     * @param atOnce whether its start is the first second that could be planned
     */
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
            return ofKind().figures(this)
                    .and("durationSeconds", atOnce ? new ReasonFigure.Seconds(end - start) : null)
                    .all();
        }
    }

    /**
     * Its pods take longer than windows are planned ahead.
     *
     * @param runtimeSeconds the least that it takes on the eligible nodes when they are empty, seconds
     * @param horizonSeconds how far ahead windows are planned, seconds
     */
    @Says("longer than the horizon: it takes at least {runtimeSeconds}, windows are planned {horizonSeconds} "
            + "ahead")
    record LongerThanHorizon(long runtimeSeconds, long horizonSeconds) implements Refusal {}

    /**
     * Its earliest start is too far away for its window to lie within the horizon.
     *
     * @param earliestStart seconds since the epoch
     * @param horizonSeconds how far ahead windows are planned, seconds
     */
    @Says("its earliest start {earliestStart} is too far away: windows are planned {horizonSeconds} ahead")
    record BeyondHorizon(@Moment long earliestStart, long horizonSeconds) implements Refusal {}

    /**
     * It could start within the horizon, but not end there.
     *
     * @param earliestStart seconds since the epoch
     * @param runtimeSeconds the least that it takes on the eligible nodes when they are empty, seconds
     * @param horizonSeconds how far ahead windows are planned, seconds
     */
    @Says("it would end beyond the horizon: from its earliest start {earliestStart} it takes at least "
            + "{runtimeSeconds}, windows are planned {horizonSeconds} ahead")
    record EndsBeyondHorizon(@Moment long earliestStart, long runtimeSeconds, long horizonSeconds) implements Refusal {}

    /**
     * There would be a window if other gangs had none.
     *
     * @param gang the first of those to start; null: the reader may not know which
     * @param start when that one starts, seconds since the epoch
     * @param others how many more there are
     */
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

    /**
     * No window, whatever the money: what runs and what owners keep for themselves is in the way.
     *
     * @param size its pods
     * @param horizonSeconds how far ahead windows are planned, seconds
     */
    @Says("no window for {size} pods at once in the next {horizonSeconds}: what runs and what owners keep for "
            + "themselves leaves too little room")
    record NoWindow(int size, long horizonSeconds) implements Refusal {}

    /**
     * A window exists, but none in which its pods may be with each other and with those that are there.
     *
     * @param rule what they ask of other pods, in words that follow "its"
     * @param label whose values are the domains
     * @param pods how many pods ask for it
     * @param domains how many domains its eligible nodes are in
     */
    record PodRules(String rule, String label, int pods, int domains) implements Refusal {
        @Override
        public String says() {
            return ("no window that keeps its {rule} for {pods} %s: the eligible nodes have {domains} %s of "
                            + "{label:short}")
                    .formatted(pods == 1 ? "pod" : "pods", domains == 1 ? "value" : "values");
        }
    }

    /**
     * Windows exist, but each that was looked at would break what the pods of a gang ask of others.
     *
     * @param rule what they ask of other pods, in words that follow "the"
     * @param gang whose pods; null: the reader may not know which
     */
    @Says("no window that leaves {gang} its {rule}")
    record BehindRule(String rule, @Nullable GangId gang) implements Refusal {}

    /**
     * A window exists, but not inside one domain, which the gang's mode asks for: all its nodes with one value of this
     * label.
     */
    @Says("no window on nodes with one value of the label {label}, as its mode requires")
    record NoDomain(String label) implements Refusal {}

    /** The policy plans only a part of the batch, and this gang is not in it. */
    @Says("the cyclic part of the plan left it out, and the policy does not backfill")
    record NotBackfilled() implements Refusal {}

    /** Its earliest start has not come, and the policy reserves nothing for those that wait behind the first gang. */
    @Says("its earliest start ({earliestStart}) is in the future, and study.backfill: easy does not reserve ahead")
    record NotBefore(@Moment long earliestStart) implements Refusal {}

    /**
     * Its start was refused again and again; until it is tried again it takes no other gang's room.
     *
     * @param attempts how many times it was rolled back
     * @param until when it is planned again, seconds since the epoch
     * @param why what was said the last time
     */
    @Says("rolled back {attempts} times, planned again from {until} on: {why}")
    record BackingOff(int attempts, @Moment long until, String why) implements Refusal {
        public BackingOff {
            why = SafeText.line(why);
        }
    }

    /**
     * The API server refuses a call that the gang needs; it is made again later.
     *
     * @param what the call is for: the record or the start
     * @param why the API server's words
     */
    @Says("the API server refuses its {what}: {why}")
    record WriteRefused(String what, String why) implements Refusal {
        public WriteRefused {
            why = SafeText.line(why);
        }
    }

    /**
     * Left out so that the rest of the batch stays within the policy's limit.
     *
     * @param limit what is limited
     * @param least the least with this gang and those before it
     * @param allowed the limit
     * @param whole the least limit with which the whole batch could be planned
     */
    @Says("left out of the batch: with it the least {limit} is {least}, the policy's limit is {allowed}; the "
            + "whole batch needs {whole}")
    record BatchLimit(String limit, String least, String allowed, String whole) implements Refusal {}

    /**
     * A window exists, but its namespace cannot pay for it.
     *
     * @param namespace whose budget
     * @param cheapest what the gang's cheapest window costs
     * @param left what is left of it
     * @param until the first second after the budget's period
     */
    @Says("no window within the budget of namespace {namespace}: the cheapest costs {cheapest}, {left} is left "
            + "until {until}")
    record NamespaceBudget(
            String namespace,
            Money cheapest,
            Money left,
            @Moment long until) implements Refusal {}

    /**
     * It cannot start now without delaying the first gang that waits, which alone holds a reservation.
     *
     * @param gang the gang that waits first; null: the reader may not know which
     * @param start when that one starts
     */
    @Says("behind {gang}, which starts at {start}: it cannot start now without delaying that gang")
    record Behind(@Nullable GangId gang, @Moment long start) implements Refusal {}

    /**
     * It names an advance reservation that cannot take it now.
     *
     * @param reservation which
     * @param why not, one clause
     */
    @Says("waiting for reservation {reservation}: {why}")
    record AwaitsReservation(GangId reservation, String why) implements Refusal {}

    /**
     * It starts after a gang that is not there, or that is in another namespace which does not let it wait for its
     * gangs: a reader cannot tell these apart.
     *
     * @param gang that it is after; null: the reader may not know which
     */
    @Says("waiting for {gang}, which it starts after: there is no such gang that it may wait for")
    record AfterMissing(@Nullable GangId gang) implements Refusal {}

    /**
     * It starts after a gang that has no window yet.
     *
     * @param gang that it is after; null: the reader may not know which
     */
    @Says("waiting for {gang}, which it starts after and which has no window")
    record AfterPending(@Nullable GangId gang) implements Refusal {}

    /**
     * It starts after a gang that starts after it: neither ever could.
     *
     * @param gang that it is after, and which is after it; null: the reader may not know which
     */
    @Says("it starts after {gang}, which starts after it: expected no circle")
    record AfterCircle(@Nullable GangId gang) implements Refusal {}

    /**
     * Slotwise met an error of its own while it read or planned this gang alone; the others are planned without it.
     *
     * @param error what it was
     */
    @Says("not planned because of {error}; see the log of Slotwise for the cause")
    record Failed(InternalFailure error) implements Refusal {
        /** By this error. */
        public static Failed by(Throwable error) {
            return new Failed(InternalFailure.of(error));
        }
    }
}
