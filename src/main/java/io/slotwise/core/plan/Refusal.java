package io.slotwise.core.plan;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint.Exclusion;
import io.slotwise.core.money.Money;
import io.slotwise.core.text.Shown;
import io.slotwise.core.time.Durations;
import io.slotwise.core.work.Isolated;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Why a gang has no window: a value that every face of Slotwise words in the same way. The sentence does not change while time
 * passes and nothing else happens: instants in it are absolute, and what could start at once is said without one.
 */
public sealed interface Refusal {
    /** The reason in one word that programs compare, such as {@code over-budget}. */
    String key();

    /** The reason in one sentence without a full stop; the same input gives the same words. */
    String message();

    /** Something that the gang says cannot be read, contradicts itself, or is not supported. */
    record InvalidRequest(String message) implements Refusal {
        public InvalidRequest {
            message = Shown.line(message);
        }

        @Override
        public String key() {
            return "invalid-request";
        }
    }

    /** Not all of its pods are there yet. */
    record WaitingForMembers(int present, int size) implements Refusal {
        @Override
        public String key() {
            return "waiting-for-members";
        }

        @Override
        public String message() {
            return "waiting for members: %d of %d pods are there".formatted(present, size);
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
        public String key() {
            return "waiting-for-group";
        }

        @Override
        public String message() {
            return "waiting for %s %s (%s): it says how many pods start together, and is not there"
                    .formatted(kind, Shown.value(name), api);
        }
    }

    /**
     * A pod has a scheduling gate of somebody else.
     *
     * @param pod {@code namespace/name}
     * @param gate its name
     */
    record ForeignGate(String pod, String gate) implements Refusal {
        @Override
        public String key() {
            return "foreign-gate";
        }

        @Override
        public String message() {
            return "waiting for pod %s: its scheduling gate (%s) is not ours to remove"
                    .formatted(pod, Shown.value(gate));
        }
    }

    /** No node may run its pods at all. */
    record NoEligibleNode(int nodes, Map<Exclusion, Integer> excluded) implements Refusal {
        public NoEligibleNode {
            excluded = Map.copyOf(excluded);
        }

        @Override
        public String key() {
            return "no-eligible-node";
        }

        @Override
        public String message() {
            if (nodes == 0) {
                return "no eligible node: the cluster has no nodes";
            }
            return Arrays.stream(Exclusion.values())
                    .filter(excluded::containsKey)
                    .map(exclusion -> excluded.get(exclusion) + " " + exclusion.words())
                    .collect(Collectors.joining(", ", "no eligible node among %d: ".formatted(nodes), ""));
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
        public String key() {
            return "too-large";
        }

        @Override
        public String message() {
            return "too large for the cluster: %d pods, the eligible nodes%s take %d when they are empty"
                    .formatted(size, topology == null ? "" : " of one " + topology, room);
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
        public String key() {
            return "over-budget";
        }

        @Override
        public String message() {
            return "no window within budget: the cheapest costs %s%s, the budget is %s"
                    .formatted(
                            cheapest.brief(),
                            atOnce ? "" : " at " + Instant.ofEpochSecond(cheapestStart),
                            budget.brief());
        }
    }

    /** A window exists, but not with every slot at or below this price. */
    record OverSlotPrice(Money limit) implements Refusal {
        @Override
        public String key() {
            return "over-slot-price";
        }

        @Override
        public String message() {
            return "no window within the price limit of %s per hour and pod".formatted(limit.brief());
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
        public String key() {
            return "deadline";
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
    }

    /**
     * Its pods take longer than windows are planned ahead.
     *
     * @param runtime the least that it takes on the eligible nodes when they are empty, seconds
     * @param horizon how far ahead windows are planned, seconds
     */
    record LongerThanHorizon(long runtime, long horizon) implements Refusal {
        @Override
        public String key() {
            return "longer-than-horizon";
        }

        @Override
        public String message() {
            return "longer than the horizon: it takes at least %s, windows are planned %s ahead"
                    .formatted(Durations.brief(runtime), Durations.brief(horizon));
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
        public String key() {
            return "beyond-horizon";
        }

        @Override
        public String message() {
            return "its earliest start %s is too far away: windows are planned %s ahead"
                    .formatted(Instant.ofEpochSecond(earliestStart), Durations.brief(horizon));
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
        public String key() {
            return "ends-beyond-horizon";
        }

        @Override
        public String message() {
            return "it would end beyond the horizon: from its earliest start %s it takes at least %s, windows are planned %s ahead"
                    .formatted(
                            Instant.ofEpochSecond(earliestStart), Durations.brief(runtime), Durations.brief(horizon));
        }
    }

    /**
     * There would be a window if other gangs had none.
     *
     * @param first the first of those to start
     * @param start when that one starts, seconds since the epoch
     * @param others how many more there are
     */
    record BehindPromises(GangId first, long start, int others) implements Refusal {
        @Override
        public String key() {
            return "behind-promises";
        }

        @Override
        public String message() {
            return "behind promised gangs: %s, which starts at %s,%s the room up to the horizon"
                    .formatted(
                            first,
                            Instant.ofEpochSecond(start),
                            switch (others) {
                                case 0 -> " takes";
                                case 1 -> " and 1 other take";
                                default -> " and %d others take".formatted(others);
                            });
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
        public String key() {
            return "no-window";
        }

        @Override
        public String message() {
            return "no window for %d pods at once in the next %s beside what runs and what owners keep for themselves"
                    .formatted(size, Durations.brief(horizon));
        }
    }

    /** A window exists, but not inside one domain, which the gang's mode asks for: all its nodes with one value of this label. */
    record NoDomain(String label) implements Refusal {
        @Override
        public String key() {
            return "no-domain";
        }

        @Override
        public String message() {
            return "no window inside one value of the label %s, in which its mode places it".formatted(label);
        }
    }

    /** The policy plans only a part of the batch, and this gang is not in it. */
    record NotBackfilled() implements Refusal {
        @Override
        public String key() {
            return "not-backfilled";
        }

        @Override
        public String message() {
            return "the cyclic part left it over, and the policy backfills nothing";
        }
    }

    /** Its earliest start has not come, and the policy reserves nothing for those that wait behind the first gang. */
    record NotBefore(long earliestStart) implements Refusal {
        @Override
        public String key() {
            return "not-before";
        }

        @Override
        public String message() {
            return "its earliest start (%s) has not come, and backfill: easy reserves nothing before"
                    .formatted(Instant.ofEpochSecond(earliestStart));
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
        public String key() {
            return "batch-limit";
        }

        @Override
        public String message() {
            return "left out of the batch: with it the least %s is %s, the policy's limit is %s; the whole batch needs %s"
                    .formatted(limit, least, allowed, whole);
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
        public String key() {
            return "namespace-budget";
        }

        @Override
        public String message() {
            return "no window within the budget of namespace %s: the cheapest costs %s, %s is left until %s"
                    .formatted(namespace, cheapest.brief(), left.brief(), Instant.ofEpochSecond(until));
        }
    }

    /**
     * It cannot start now without delaying the first gang that waits, which alone holds a reservation.
     *
     * @param head the gang that waits first
     * @param headStart when that one starts
     */
    record Behind(GangId head, long headStart) implements Refusal {
        @Override
        public String key() {
            return "behind";
        }

        @Override
        public String message() {
            return "behind %s, which starts at %s: it cannot start now without delaying that"
                    .formatted(head, Instant.ofEpochSecond(headStart));
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
        public String key() {
            return "awaits-reservation";
        }

        @Override
        public String message() {
            return "waiting for reservation %s: %s".formatted(reservation, why);
        }
    }

    /**
     * Slotwise met an error of its own while it read or planned this gang alone; the others are planned without it.
     *
     * @param error in words
     */
    record Failed(String error) implements Refusal {
        /** By this error. */
        public static Failed by(Throwable error) {
            return new Failed(Isolated.words(error));
        }

        @Override
        public String key() {
            return "internal-error";
        }

        @Override
        public String message() {
            return Shown.line("not planned because of an internal error: " + error);
        }
    }
}
