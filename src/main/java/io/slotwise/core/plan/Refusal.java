package io.slotwise.core.plan;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint.Exclusion;
import io.slotwise.core.money.Currency;
import io.slotwise.core.money.Money;
import io.slotwise.core.text.ReasonStatement;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.time.Durations;
import io.slotwise.core.work.InternalFailure;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Why a gang has no window: a value that every face of Slotwise words in the same way. The sentence does not change
 * while time passes and nothing else happens: instants in it are absolute, and what could start at once is said without
 * one.
 */
public sealed interface Refusal extends ReasonStatement {
    /** Which one it is. */
    Kind ofKind();

    /** The reason in one word that programs compare, such as {@code over-budget}. */
    default String key() {
        return ofKind().key();
    }

    /** The figures by name, in the order in which they are told; the key says which there are. */
    SequencedMap<String, ReasonFigure> figures();

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
        return this;
    }

    /** The same with the gangs that another reason of this kind names: its own may be unknown to those who keep it. */
    default Refusal naming(Refusal whole) {
        return this;
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

    /** All reasons, with the words that stand for them: one table for the planner, the records and the events. */
    enum Kind {
        INVALID_REQUEST("invalid-request", "InvalidRequest", "InvalidRequest"),
        WAITING_FOR_MEMBERS("waiting-for-members", "WaitingForMembers", null, "present", "size"),
        WAITING_FOR_GENERATION("waiting-for-generation", "WaitingForGeneration", null),
        WAITING_FOR_GROUP("waiting-for-group", "WaitingForGroup", null, "kind", "api", "name"),
        FOREIGN_GATE("foreign-gate", "NoWindow", "NoWindow", "gate"),
        WAITING_FOR_VOLUME("waiting-for-volume", "NoWindow", "NoWindow", "claim", "state"),
        WAITING_FOR_DEVICE("waiting-for-device", "NoWindow", "NoWindow", "claim", "state"),
        UNPLANNED_DEVICE("unplanned-device", "InvalidRequest", "InvalidRequest", "claim", "feature"),
        NO_ELIGIBLE_NODE("no-eligible-node", "NoWindow", "NoWindow"),
        TOO_LARGE("too-large", "NoWindow", "NoWindow", "size", "topology"),
        OVER_BUDGET("over-budget", "OverBudget", "OverBudget", "budget"),
        OVER_SLOT_PRICE("over-slot-price", "OverBudget", "OverBudget", "limit"),
        DEADLINE("deadline", "NoWindow", "NoWindow", "deadline"),
        LONGER_THAN_HORIZON("longer-than-horizon", "NoWindow", "NoWindow"),
        BEYOND_HORIZON("beyond-horizon", "NoWindow", "NoWindow"),
        ENDS_BEYOND_HORIZON("ends-beyond-horizon", "NoWindow", "NoWindow"),
        BEHIND_PROMISES("behind-promises", "NoWindow", "NoWindow"),
        NO_WINDOW("no-window", "NoWindow", "NoWindow", "size"),
        POD_RULES("pod-rules", "NoWindow", "NoWindow", "rule", "label", "pods"),
        BEHIND_RULE("behind-rule", "NoWindow", "NoWindow", "rule", "gang"),
        NO_DOMAIN("no-domain", "NoWindow", "NoWindow", "label"),
        NOT_BACKFILLED("not-backfilled", "NoWindow", "NoWindow"),
        NOT_BEFORE("not-before", "NoWindow", "NoWindow"),
        BACKING_OFF("backing-off", "BackingOff", null),
        BATCH_LIMIT("batch-limit", "BatchLimit", "NoWindow", "limit"),
        NAMESPACE_BUDGET("namespace-budget", "OverBudget", "OverBudget", "namespace"),
        BEHIND("behind", "Behind", "NoWindow"),
        AWAITS_RESERVATION("awaits-reservation", "AwaitsReservation", "NoWindow", "reservation"),
        AFTER_MISSING("after-missing", "WaitingForPredecessor", "NoWindow", "gang"),
        AFTER_PENDING("after-pending", "WaitingForPredecessor", "NoWindow", "gang"),
        AFTER_CIRCLE("after-circle", "InvalidRequest", "InvalidRequest", "gang"),
        INTERNAL_ERROR("internal-error", "InternalError", "InternalError", "error");

        private final String key;
        private final String word;
        private final @Nullable String event;

        @SuppressWarnings("ImmutableEnumChecker") // made by List.of
        private final List<String> subject;

        Kind(String key, String word, @Nullable String event, String... subject) {
            this.key = key;
            this.word = word;
            this.event = event;
            this.subject = List.of(subject);
        }

        /** What programs compare. */
        public String key() {
            return key;
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
    }

    /**
     * Something that the gang says cannot be read, contradicts itself, or is not supported.
     *
     * @param message what is wrong
     * @param field where: the key of an annotation or label, the path of a field; null: no single field
     */
    record InvalidRequest(String message, @Nullable String field) implements Refusal {
        public InvalidRequest {
            message = SafeText.line(message);
        }

        /** One that is about no single field. */
        public InvalidRequest(String message) {
            this(message, null);
        }

        @Override
        public Kind ofKind() {
            return Kind.INVALID_REQUEST;
        }

        @Override
        public SequencedMap<String, ReasonFigure> figures() {
            return new ReasonFigures()
                    .and("field", field == null ? null : new ReasonFigure.Text(field))
                    .all();
        }
    }

    /** Not all of its pods are there yet. */
    record WaitingForMembers(int present, int size) implements Refusal {
        @Override
        public Kind ofKind() {
            return Kind.WAITING_FOR_MEMBERS;
        }

        @Override
        public String message() {
            return "waiting for members: %d of %d pods exist".formatted(present, size);
        }

        @Override
        public SequencedMap<String, ReasonFigure> figures() {
            return new ReasonFigures()
                    .and("present", new ReasonFigure.Count(present))
                    .and("size", new ReasonFigure.Count(size))
                    .all();
        }
    }

    /** Pods of another generation of its gang are still there: its owner has restarted the gang. */
    record WaitingForGeneration(int pods) implements Refusal {
        @Override
        public Kind ofKind() {
            return Kind.WAITING_FOR_GENERATION;
        }

        @Override
        public String message() {
            return "waiting for another generation of its gang to end: %d of its pods still exist".formatted(pods);
        }

        @Override
        public SequencedMap<String, ReasonFigure> figures() {
            return new ReasonFigures().and("pods", new ReasonFigure.Count(pods)).all();
        }
    }

    /**
     * An object says how many of its pods start together, and is not there.
     *
     * @param kind such as {@code PodGroup}
     * @param api the API group of that kind
     * @param name {@code namespace/name}
     */
    record WaitingForGroup(String kind, String api, String name) implements Refusal {
        @Override
        public Kind ofKind() {
            return Kind.WAITING_FOR_GROUP;
        }

        @Override
        public String message() {
            return "waiting for %s %s (%s): it defines how many pods start together, and does not exist"
                    .formatted(kind, SafeText.value(name), api);
        }

        @Override
        public SequencedMap<String, ReasonFigure> figures() {
            return new ReasonFigures()
                    .and("kind", new ReasonFigure.Text(kind))
                    .and("api", new ReasonFigure.Text(api))
                    .and("name", new ReasonFigure.Text(name))
                    .all();
        }
    }

    /**
     * A pod has a scheduling gate that is not Slotwise's.
     *
     * @param pod {@code namespace/name}
     * @param gate its name
     */
    record ForeignGate(String pod, String gate) implements Refusal {
        @Override
        public Kind ofKind() {
            return Kind.FOREIGN_GATE;
        }

        @Override
        public String message() {
            return "waiting for pod %s: another controller must remove its scheduling gate (%s)"
                    .formatted(pod, SafeText.value(gate));
        }

        @Override
        public SequencedMap<String, ReasonFigure> figures() {
            return new ReasonFigures()
                    .and("pod", new ReasonFigure.Text(pod))
                    .and("gate", new ReasonFigure.Text(gate))
                    .all();
        }
    }

    /**
     * A pod cannot start anywhere because of a volume claim.
     *
     * @param pod {@code namespace/name}
     * @param claim {@code namespace/name}
     * @param state of the claim
     * @param other the name of what is in the way: the volume, the storage class, or {@code namespace/name} of a pod,
     *     as {@code state} says; empty: nothing
     */
    record WaitingForVolume(String pod, String claim, ClaimState state, String other) implements Refusal {
        /** What keeps a claim from being used. */
        public enum ClaimState {
            /** No user or controller has made it. */
            MISSING("missing", "it does not exist"),
            /** It has the name of the claim of an ephemeral volume, and another user or controller has made it. */
            FOREIGN("foreign", "it was not made for this pod"),
            /** A user or controller has deleted it. */
            DELETING("deleting", "it is being deleted"),
            /** The volume to which it is bound has gone. */
            LOST("lost", "its volume (%s) does not exist"),
            /** Its class makes volumes without waiting for a pod, and it has none. */
            UNBOUND(
                    "unbound",
                    "it is not bound to a volume, and its storage class (%s) does not wait for a pod to bind it"),
            /** No provisioner makes a volume for it. */
            NO_CLASS("no-class", "it is not bound to a volume, and its storage class (%s) does not exist"),
            /** One pod at a time may use it. */
            IN_USE("in-use", "it is ReadWriteOncePod, and pod %s uses it");

            private final String key;
            private final String words;

            ClaimState(String key, String words) {
                this.key = key;
                this.words = words;
            }

            /** The state in the word that programs compare. */
            public String key() {
                return key;
            }

            /** The state of a key; null: there is none. */
            public static @Nullable ClaimState of(String key) {
                return Arrays.stream(values())
                        .filter(state -> state.key.equals(key))
                        .findFirst()
                        .orElse(null);
            }
        }

        @Override
        public Kind ofKind() {
            return Kind.WAITING_FOR_VOLUME;
        }

        @Override
        public String message() {
            return "waiting for the volume claim %s of pod %s: %s"
                    .formatted(
                            SafeText.value(claim),
                            pod,
                            state.words.formatted(other.isEmpty() ? "none" : SafeText.value(other)));
        }

        @Override
        public SequencedMap<String, ReasonFigure> figures() {
            return new ReasonFigures()
                    .and("pod", new ReasonFigure.Text(pod))
                    .and("claim", new ReasonFigure.Text(claim))
                    .and("state", new ReasonFigure.Text(state.key))
                    .and("other", other.isEmpty() ? null : new ReasonFigure.Text(other))
                    .all();
        }
    }

    /**
     * A pod cannot start anywhere because of a device claim.
     *
     * @param pod {@code namespace/name}
     * @param claim {@code namespace/name}, or what the pod calls it as long as it does not exist
     * @param state of the claim
     * @param other the name of what is in the way, or what is wrong with it, as {@code state} says; empty: nothing
     */
    record WaitingForDevice(String pod, String claim, DeviceClaimState state, String other) implements Refusal {
        /** What keeps a device claim from being used. */
        public enum DeviceClaimState {
            /** No user or controller has made it. */
            MISSING("missing", "it does not exist"),
            /** It is to be made from a template that does not exist. */
            NO_TEMPLATE("no-template", "its ResourceClaimTemplate (%s) does not exist"),
            /** It has the name of the claim that is made for this pod, and another user or controller has made it. */
            FOREIGN("foreign", "it was not made for this pod"),
            /** A user or controller has deleted it. */
            DELETING("deleting", "it is being deleted"),
            /** Its class is not there. */
            NO_CLASS("no-class", "its DeviceClass (%s) does not exist"),
            /** As many pods as may use a claim do. */
            IN_USE("in-use", "%s pods use it, which is the maximum"),
            /** It asks for more devices than a claim may have. */
            TOO_MANY("too-many", "it asks for %s devices, and a claim has at most 32"),
            /** An expression cannot be evaluated. */
            SELECTOR("selector", "%s");

            private final String key;
            private final String words;

            DeviceClaimState(String key, String words) {
                this.key = key;
                this.words = words;
            }

            /** The state in the word that programs compare. */
            public String key() {
                return key;
            }

            /** The state of a key; null: there is none. */
            public static @Nullable DeviceClaimState of(String key) {
                return Arrays.stream(values())
                        .filter(state -> state.key.equals(key))
                        .findFirst()
                        .orElse(null);
            }
        }

        @Override
        public Kind ofKind() {
            return Kind.WAITING_FOR_DEVICE;
        }

        @Override
        public String message() {
            return "waiting for the device claim %s of pod %s: %s"
                    .formatted(
                            SafeText.value(claim),
                            pod,
                            // Of an expression it is a sentence, whose parts are fit to be shown.
                            state == DeviceClaimState.SELECTOR
                                    ? other
                                    : state.words.formatted(other.isEmpty() ? "none" : SafeText.value(other)));
        }

        @Override
        public SequencedMap<String, ReasonFigure> figures() {
            return new ReasonFigures()
                    .and("pod", new ReasonFigure.Text(pod))
                    .and("claim", new ReasonFigure.Text(claim))
                    .and("state", new ReasonFigure.Text(state.key))
                    .and("other", other.isEmpty() ? null : new ReasonFigure.Text(other))
                    .all();
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
    record UnplannedDevice(String pod, String claim, String feature) implements Refusal {
        @Override
        public Kind ofKind() {
            return Kind.UNPLANNED_DEVICE;
        }

        @Override
        public String message() {
            return "the devices of pod %s (%s) cannot be planned: %s"
                    .formatted(pod, SafeText.value(claim), SafeText.value(feature));
        }

        @Override
        public SequencedMap<String, ReasonFigure> figures() {
            return new ReasonFigures()
                    .and("pod", new ReasonFigure.Text(pod))
                    .and("claim", new ReasonFigure.Text(claim))
                    .and("feature", new ReasonFigure.Text(feature))
                    .all();
        }
    }

    /**
     * No node may run its pods at all.
     *
     * @param nodes how many there are
     * @param excluded how many of them are left out, by reason
     * @param lacking how many of those that are too small have too little of a resource, by its name
     */
    record NoEligibleNode(int nodes, Map<Exclusion, Integer> excluded, Map<String, Integer> lacking)
            implements Refusal {
        public NoEligibleNode {
            excluded = Map.copyOf(excluded);
            lacking = Collections.unmodifiableMap(new TreeMap<>(lacking));
        }

        /** One of which it is not known what nodes lack. */
        public NoEligibleNode(int nodes, Map<Exclusion, Integer> excluded) {
            this(nodes, excluded, Map.of());
        }

        @Override
        public Kind ofKind() {
            return Kind.NO_ELIGIBLE_NODE;
        }

        @Override
        public String message() {
            if (nodes == 0) {
                return "no eligible node: the cluster has no nodes";
            }
            return Arrays.stream(Exclusion.values())
                    .filter(excluded::containsKey)
                    .map(exclusion -> excluded.get(exclusion)
                            + " "
                            + exclusion.words()
                            + (exclusion == Exclusion.TOO_SMALL && !lacking.isEmpty() ? " " + ofWhat() : ""))
                    .collect(Collectors.joining(", ", "no eligible node among %d: ".formatted(nodes), ""));
        }

        /** The resources, with the nodes that have too little of each where these differ. */
        private String ofWhat() {
            boolean isOne = lacking.size() == 1;
            return lacking.entrySet().stream()
                    .map(resource -> SafeText.value(resource.getKey()) + (isOne ? "" : " on " + resource.getValue()))
                    .collect(Collectors.joining(", ", "(", ")"));
        }

        @Override
        public SequencedMap<String, ReasonFigure> figures() {
            return new ReasonFigures()
                    .and("nodes", new ReasonFigure.Count(nodes))
                    .and("excluded", new ReasonFigure.Counts(counts()))
                    .and("lacking", lacking.isEmpty() ? null : new ReasonFigure.Counts(lacking))
                    .all();
        }

        private Map<String, Integer> counts() {
            Map<String, Integer> counts = new LinkedHashMap<>();
            Arrays.stream(Exclusion.values())
                    .filter(excluded::containsKey)
                    .forEach(exclusion -> counts.put(exclusion.key(), excluded.getOrDefault(exclusion, 0)));
            return counts;
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
        public Kind ofKind() {
            return Kind.TOO_LARGE;
        }

        @Override
        public String message() {
            if (room == 0 && topology != null) {
                return "no eligible node has the label %s, of which all pods of the gang must be in one value"
                        .formatted(SafeText.value(topology));
            }
            return "too large for the cluster: %s, the eligible nodes%s take %d when they are empty"
                    .formatted(
                            size == 1 ? "1 pod" : size + " pods",
                            topology == null ? "" : " of one " + SafeText.value(topology),
                            room);
        }

        @Override
        public SequencedMap<String, ReasonFigure> figures() {
            return new ReasonFigures()
                    .and("size", new ReasonFigure.Count(size))
                    .and("room", new ReasonFigure.Count(room))
                    .and("topology", topology == null ? null : new ReasonFigure.Text(topology))
                    .all();
        }
    }

    /**
     * A window exists, but not for this money.
     *
     * @param cheapest what the cheapest window costs
     * @param cheapestStart its start, seconds since the epoch
     * @param budget the most that the gang may cost
     * @param atOnce whether it is the first second that could be planned
     */
    record OverBudget(Money cheapest, long cheapestStart, Money budget, boolean atOnce) implements Refusal {
        @Override
        public Kind ofKind() {
            return Kind.OVER_BUDGET;
        }

        @Override
        public String message() {
            return message(Currency.NONE);
        }

        @Override
        public String message(Currency currency) {
            return "no window within budget: the cheapest costs %s%s, the budget is %s"
                    .formatted(
                            currency.of(cheapest),
                            atOnce ? "" : " at " + Instant.ofEpochSecond(cheapestStart),
                            currency.of(budget));
        }

        @Override
        public SequencedMap<String, ReasonFigure> figures() {
            return new ReasonFigures()
                    .and("cheapest", new ReasonFigure.Amount(cheapest))
                    .and("start", new ReasonFigure.Moment(cheapestStart, atOnce))
                    .and("budget", new ReasonFigure.Amount(budget))
                    .and("atOnce", atOnce ? new ReasonFigure.Fact() : null)
                    .all();
        }
    }

    /** A window exists, but not with every slot at or below this price. */
    record OverSlotPrice(Money limit) implements Refusal {
        @Override
        public Kind ofKind() {
            return Kind.OVER_SLOT_PRICE;
        }

        @Override
        public String message() {
            return message(Currency.NONE);
        }

        @Override
        public String message(Currency currency) {
            return "no window within the price limit of %s per hour and pod".formatted(currency.of(limit));
        }

        @Override
        public SequencedMap<String, ReasonFigure> figures() {
            return new ReasonFigures()
                    .and("limit", new ReasonFigure.Amount(limit))
                    .all();
        }
    }

    /**
     * A window exists, but it ends too late.
     *
     * @param deadline seconds since the epoch
     * @param start of the window that ends first, seconds since the epoch
     * @param end of that window, seconds since the epoch
     * @param atOnce whether its start is the first second that could be planned
     */
    record Deadline(long deadline, long start, long end, boolean atOnce) implements Refusal {
        @Override
        public Kind ofKind() {
            return Kind.DEADLINE;
        }

        @Override
        public String message() {
            return "the deadline %s cannot be met: %s"
                    .formatted(
                            Instant.ofEpochSecond(deadline),
                            atOnce
                                    ? "it would take %s from now".formatted(Durations.brief(end - start))
                                    : "the earliest end is " + Instant.ofEpochSecond(end));
        }

        @Override
        public SequencedMap<String, ReasonFigure> figures() {
            return new ReasonFigures()
                    .and("deadline", new ReasonFigure.Moment(deadline))
                    .and("start", new ReasonFigure.Moment(start, atOnce))
                    .and("end", new ReasonFigure.Moment(end, atOnce))
                    .and("atOnce", atOnce ? new ReasonFigure.Fact() : null)
                    .and("durationSeconds", atOnce ? new ReasonFigure.Seconds(end - start) : null)
                    .all();
        }
    }

    /**
     * Its pods take longer than windows are planned ahead.
     *
     * @param runtime the least that it takes on the eligible nodes when they are empty, seconds
     * @param horizon how far ahead windows are planned, seconds
     */
    record LongerThanHorizon(long runtime, long horizon) implements Refusal {
        @Override
        public Kind ofKind() {
            return Kind.LONGER_THAN_HORIZON;
        }

        @Override
        public String message() {
            return "longer than the horizon: it takes at least %s, windows are planned %s ahead"
                    .formatted(Durations.brief(runtime), Durations.brief(horizon));
        }

        @Override
        public SequencedMap<String, ReasonFigure> figures() {
            return new ReasonFigures()
                    .and("runtimeSeconds", new ReasonFigure.Seconds(runtime))
                    .and("horizonSeconds", new ReasonFigure.Seconds(horizon))
                    .all();
        }
    }

    /**
     * Its earliest start is too far away for its window to lie within the horizon.
     *
     * @param earliestStart seconds since the epoch
     * @param horizon how far ahead windows are planned, seconds
     */
    record BeyondHorizon(long earliestStart, long horizon) implements Refusal {
        @Override
        public Kind ofKind() {
            return Kind.BEYOND_HORIZON;
        }

        @Override
        public String message() {
            return "its earliest start %s is too far away: windows are planned %s ahead"
                    .formatted(Instant.ofEpochSecond(earliestStart), Durations.brief(horizon));
        }

        @Override
        public SequencedMap<String, ReasonFigure> figures() {
            return new ReasonFigures()
                    .and("earliestStart", new ReasonFigure.Moment(earliestStart))
                    .and("horizonSeconds", new ReasonFigure.Seconds(horizon))
                    .all();
        }
    }

    /**
     * It could start within the horizon, but not end there.
     *
     * @param earliestStart seconds since the epoch
     * @param runtime the least that it takes on the eligible nodes when they are empty, seconds
     * @param horizon how far ahead windows are planned, seconds
     */
    record EndsBeyondHorizon(long earliestStart, long runtime, long horizon) implements Refusal {
        @Override
        public Kind ofKind() {
            return Kind.ENDS_BEYOND_HORIZON;
        }

        @Override
        public String message() {
            return ("it would end beyond the horizon: from its earliest start %s it takes at least %s, "
                            + "windows are planned %s ahead")
                    .formatted(
                            Instant.ofEpochSecond(earliestStart), Durations.brief(runtime), Durations.brief(horizon));
        }

        @Override
        public SequencedMap<String, ReasonFigure> figures() {
            return new ReasonFigures()
                    .and("earliestStart", new ReasonFigure.Moment(earliestStart))
                    .and("runtimeSeconds", new ReasonFigure.Seconds(runtime))
                    .and("horizonSeconds", new ReasonFigure.Seconds(horizon))
                    .all();
        }
    }

    /**
     * There would be a window if other gangs had none.
     *
     * @param first the first of those to start; null: the reader may not know which
     * @param start when that one starts, seconds since the epoch
     * @param others how many more there are
     */
    record BehindPromises(@Nullable GangId first, long start, int others) implements Refusal {
        @Override
        public Kind ofKind() {
            return Kind.BEHIND_PROMISES;
        }

        @Override
        public String message() {
            return "behind promised gangs: %s, which starts at %s,%s the room up to the horizon"
                    .formatted(
                            GangId.named(first),
                            Instant.ofEpochSecond(start),
                            switch (others) {
                                case 0 -> " takes";
                                case 1 -> " and 1 other take";
                                default -> " and %d others take".formatted(others);
                            });
        }

        @Override
        public SequencedMap<String, ReasonFigure> figures() {
            return new ReasonFigures()
                    .and("gang", new ReasonFigure.Named(first))
                    .and("start", new ReasonFigure.Moment(start))
                    .and("others", new ReasonFigure.Count(others))
                    .all();
        }

        @Override
        public BehindPromises asSeen(Predicate<String> namespaces) {
            return new BehindPromises(GangId.asSeen(first, namespaces), start, others);
        }

        @Override
        public Refusal naming(Refusal whole) {
            return whole instanceof BehindPromises other ? new BehindPromises(other.first, start, others) : this;
        }
    }

    /**
     * No window, whatever the money: what runs and what owners keep for themselves is in the way.
     *
     * @param size its pods
     * @param horizon how far ahead windows are planned, seconds
     */
    record NoWindow(int size, long horizon) implements Refusal {
        @Override
        public Kind ofKind() {
            return Kind.NO_WINDOW;
        }

        @Override
        public String message() {
            return ("no window for %d pods at once in the next %s: what runs and what owners keep for "
                            + "themselves leaves too little room")
                    .formatted(size, Durations.brief(horizon));
        }

        @Override
        public SequencedMap<String, ReasonFigure> figures() {
            return new ReasonFigures()
                    .and("size", new ReasonFigure.Count(size))
                    .and("horizonSeconds", new ReasonFigure.Seconds(horizon))
                    .all();
        }
    }

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
        public Kind ofKind() {
            return Kind.POD_RULES;
        }

        @Override
        public String message() {
            return "no window that keeps its %s for %d %s: the eligible nodes have %d %s of %s"
                    .formatted(
                            SafeText.line(rule),
                            pods,
                            pods == 1 ? "pod" : "pods",
                            domains,
                            domains == 1 ? "value" : "values",
                            SafeText.value(label));
        }

        @Override
        public SequencedMap<String, ReasonFigure> figures() {
            return new ReasonFigures()
                    .and("rule", new ReasonFigure.Text(rule))
                    .and("label", new ReasonFigure.Text(label))
                    .and("pods", new ReasonFigure.Count(pods))
                    .and("domains", new ReasonFigure.Count(domains))
                    .all();
        }
    }

    /**
     * Windows exist, but each that was looked at would break what the pods of a gang ask of others.
     *
     * @param rule what they ask of other pods, in words that follow "the"
     * @param gang whose pods; null: the reader may not know which
     */
    record BehindRule(String rule, @Nullable GangId gang) implements Refusal {
        @Override
        public Kind ofKind() {
            return Kind.BEHIND_RULE;
        }

        @Override
        public String message() {
            return "no window that leaves %s its %s".formatted(GangId.named(gang), SafeText.line(rule));
        }

        @Override
        public SequencedMap<String, ReasonFigure> figures() {
            return new ReasonFigures()
                    .and("rule", new ReasonFigure.Text(rule))
                    .and("gang", new ReasonFigure.Named(gang))
                    .all();
        }

        @Override
        public BehindRule asSeen(Predicate<String> namespaces) {
            return new BehindRule(rule, GangId.asSeen(gang, namespaces));
        }

        @Override
        public Refusal naming(Refusal whole) {
            return whole instanceof BehindRule other ? new BehindRule(rule, other.gang) : this;
        }
    }

    /**
     * A window exists, but not inside one domain, which the gang's mode asks for: all its nodes with one value of this
     * label.
     */
    record NoDomain(String label) implements Refusal {
        @Override
        public Kind ofKind() {
            return Kind.NO_DOMAIN;
        }

        @Override
        public String message() {
            return "no window on nodes with one value of the label %s, as its mode requires".formatted(label);
        }

        @Override
        public SequencedMap<String, ReasonFigure> figures() {
            return new ReasonFigures()
                    .and("label", new ReasonFigure.Text(label))
                    .all();
        }
    }

    /** The policy plans only a part of the batch, and this gang is not in it. */
    record NotBackfilled() implements Refusal {
        @Override
        public Kind ofKind() {
            return Kind.NOT_BACKFILLED;
        }

        @Override
        public String message() {
            return "the cyclic part of the plan left it out, and the policy does not backfill";
        }

        @Override
        public SequencedMap<String, ReasonFigure> figures() {
            return new ReasonFigures().all();
        }
    }

    /** Its earliest start has not come, and the policy reserves nothing for those that wait behind the first gang. */
    record NotBefore(long earliestStart) implements Refusal {
        @Override
        public Kind ofKind() {
            return Kind.NOT_BEFORE;
        }

        @Override
        public String message() {
            return "its earliest start (%s) is in the future, and study.backfill: easy does not reserve ahead"
                    .formatted(Instant.ofEpochSecond(earliestStart));
        }

        @Override
        public SequencedMap<String, ReasonFigure> figures() {
            return new ReasonFigures()
                    .and("earliestStart", new ReasonFigure.Moment(earliestStart))
                    .all();
        }
    }

    /**
     * Its start was refused again and again; until it is tried again it takes no other gang's room.
     *
     * @param attempts how many times it was rolled back
     * @param until when it is planned again, seconds since the epoch
     * @param why what was said the last time
     */
    record BackingOff(int attempts, long until, String why) implements Refusal {
        public BackingOff {
            why = SafeText.line(why);
        }

        @Override
        public Kind ofKind() {
            return Kind.BACKING_OFF;
        }

        @Override
        public String message() {
            return "rolled back %d times, planned again from %s on: %s"
                    .formatted(attempts, Instant.ofEpochSecond(until), why);
        }

        @Override
        public SequencedMap<String, ReasonFigure> figures() {
            return new ReasonFigures()
                    .and("attempts", new ReasonFigure.Count(attempts))
                    .and("until", new ReasonFigure.Moment(until))
                    .and("why", new ReasonFigure.Text(why))
                    .all();
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
    record BatchLimit(String limit, String least, String allowed, String whole) implements Refusal {
        @Override
        public Kind ofKind() {
            return Kind.BATCH_LIMIT;
        }

        @Override
        public String message() {
            return ("left out of the batch: with it the least %s is %s, the policy's limit is %s; the whole "
                            + "batch needs %s")
                    .formatted(limit, least, allowed, whole);
        }

        @Override
        public SequencedMap<String, ReasonFigure> figures() {
            return new ReasonFigures()
                    .and("limit", new ReasonFigure.Text(limit))
                    .and("least", new ReasonFigure.Text(least))
                    .and("allowed", new ReasonFigure.Text(allowed))
                    .and("whole", new ReasonFigure.Text(whole))
                    .all();
        }
    }

    /**
     * A window exists, but its namespace cannot pay for it.
     *
     * @param namespace whose budget
     * @param left what is left of it
     * @param cheapest what the gang's cheapest window costs
     * @param until the first second after the budget's period
     */
    record NamespaceBudget(String namespace, Money left, Money cheapest, long until) implements Refusal {
        @Override
        public Kind ofKind() {
            return Kind.NAMESPACE_BUDGET;
        }

        @Override
        public String message() {
            return message(Currency.NONE);
        }

        @Override
        public String message(Currency currency) {
            return "no window within the budget of namespace %s: the cheapest costs %s, %s is left until %s"
                    .formatted(namespace, currency.of(cheapest), currency.of(left), Instant.ofEpochSecond(until));
        }

        @Override
        public SequencedMap<String, ReasonFigure> figures() {
            return new ReasonFigures()
                    .and("namespace", new ReasonFigure.Text(namespace))
                    .and("cheapest", new ReasonFigure.Amount(cheapest))
                    .and("left", new ReasonFigure.Amount(left))
                    .and("until", new ReasonFigure.Moment(until))
                    .all();
        }
    }

    /**
     * It cannot start now without delaying the first gang that waits, which alone holds a reservation.
     *
     * @param head the gang that waits first; null: the reader may not know which
     * @param headStart when that one starts
     */
    record Behind(@Nullable GangId head, long headStart) implements Refusal {
        @Override
        public Kind ofKind() {
            return Kind.BEHIND;
        }

        @Override
        public String message() {
            return "behind %s, which starts at %s: it cannot start now without delaying that gang"
                    .formatted(GangId.named(head), Instant.ofEpochSecond(headStart));
        }

        @Override
        public SequencedMap<String, ReasonFigure> figures() {
            return new ReasonFigures()
                    .and("gang", new ReasonFigure.Named(head))
                    .and("start", new ReasonFigure.Moment(headStart))
                    .all();
        }

        @Override
        public Behind asSeen(Predicate<String> namespaces) {
            return new Behind(GangId.asSeen(head, namespaces), headStart);
        }

        @Override
        public Refusal naming(Refusal whole) {
            return whole instanceof Behind other ? new Behind(other.head, headStart) : this;
        }
    }

    /**
     * It names an advance reservation that cannot take it now.
     *
     * @param reservation which
     * @param why not, one clause
     */
    record AwaitsReservation(GangId reservation, String why) implements Refusal {
        @Override
        public Kind ofKind() {
            return Kind.AWAITS_RESERVATION;
        }

        @Override
        public String message() {
            return "waiting for reservation %s: %s".formatted(reservation, why);
        }

        @Override
        public SequencedMap<String, ReasonFigure> figures() {
            return new ReasonFigures()
                    .and("reservation", new ReasonFigure.Named(reservation))
                    .and("why", new ReasonFigure.Text(why))
                    .all();
        }
    }

    /**
     * It starts after a gang that is not there, or that is in another namespace which does not let it wait for its
     * gangs: a reader cannot tell these apart.
     *
     * @param gang that it is after; null: the reader may not know which
     */
    record AfterMissing(@Nullable GangId gang) implements Refusal {
        @Override
        public Kind ofKind() {
            return Kind.AFTER_MISSING;
        }

        @Override
        public String message() {
            return "waiting for %s, which it starts after: there is no such gang that it may wait for"
                    .formatted(GangId.named(gang));
        }

        @Override
        public SequencedMap<String, ReasonFigure> figures() {
            return new ReasonFigures().and("gang", new ReasonFigure.Named(gang)).all();
        }

        @Override
        public AfterMissing asSeen(Predicate<String> namespaces) {
            return new AfterMissing(GangId.asSeen(gang, namespaces));
        }

        @Override
        public Refusal naming(Refusal whole) {
            return whole instanceof AfterMissing other ? new AfterMissing(other.gang) : this;
        }
    }

    /**
     * It starts after a gang that has no window yet.
     *
     * @param gang that it is after; null: the reader may not know which
     */
    record AfterPending(@Nullable GangId gang) implements Refusal {
        @Override
        public Kind ofKind() {
            return Kind.AFTER_PENDING;
        }

        @Override
        public String message() {
            return "waiting for %s, which it starts after and which has no window".formatted(GangId.named(gang));
        }

        @Override
        public SequencedMap<String, ReasonFigure> figures() {
            return new ReasonFigures().and("gang", new ReasonFigure.Named(gang)).all();
        }

        @Override
        public AfterPending asSeen(Predicate<String> namespaces) {
            return new AfterPending(GangId.asSeen(gang, namespaces));
        }

        @Override
        public Refusal naming(Refusal whole) {
            return whole instanceof AfterPending other ? new AfterPending(other.gang) : this;
        }
    }

    /**
     * It starts after a gang that starts after it: neither ever could.
     *
     * @param gang that it is after, and which is after it; null: the reader may not know which
     */
    record AfterCircle(@Nullable GangId gang) implements Refusal {
        @Override
        public Kind ofKind() {
            return Kind.AFTER_CIRCLE;
        }

        @Override
        public String message() {
            return "it starts after %s, which starts after it: expected no circle".formatted(GangId.named(gang));
        }

        @Override
        public SequencedMap<String, ReasonFigure> figures() {
            return new ReasonFigures().and("gang", new ReasonFigure.Named(gang)).all();
        }

        @Override
        public AfterCircle asSeen(Predicate<String> namespaces) {
            return new AfterCircle(GangId.asSeen(gang, namespaces));
        }

        @Override
        public Refusal naming(Refusal whole) {
            return whole instanceof AfterCircle other ? new AfterCircle(other.gang) : this;
        }
    }

    /**
     * Slotwise met an error of its own while it read or planned this gang alone; the others are planned without it.
     *
     * @param bug what it was
     */
    record Failed(InternalFailure bug) implements Refusal {
        /** By this error. */
        public static Failed by(Throwable error) {
            return new Failed(InternalFailure.of(error));
        }

        @Override
        public Kind ofKind() {
            return Kind.INTERNAL_ERROR;
        }

        @Override
        public String message() {
            return "not planned because of %s; see the log of Slotwise for the cause".formatted(bug);
        }

        @Override
        public SequencedMap<String, ReasonFigure> figures() {
            return new ReasonFigures()
                    .and("error", new ReasonFigure.Text(bug.id()))
                    .all();
        }
    }
}
