package io.slotwise.core.plan;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint.Exclusion;
import io.slotwise.core.money.Money;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Collectors;

/** Why a gang has no window: a value that every face of Slotwise words in the same way. */
public sealed interface Refusal {
    /** The reason in one sentence without a full stop; the same input gives the same words. */
    String message();

    /** Something that the gang says cannot be read, contradicts itself, or is not supported. */
    record InvalidRequest(String message) implements Refusal {}

    /** Not all of its pods are there yet. */
    record WaitingForMembers(int present, int size) implements Refusal {
        @Override
        public String message() {
            return "waiting for members: %d of %d pods are there".formatted(present, size);
        }
    }

    /** No node may run its pods at all. */
    record NoEligibleNode(int nodes, Map<Exclusion, Integer> excluded) implements Refusal {
        public NoEligibleNode {
            excluded = Map.copyOf(excluded);
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

    /** Even the empty eligible nodes do not take all its pods at one time. */
    record TooLarge(int size, long room) implements Refusal {
        @Override
        public String message() {
            return "too large for the cluster: %d pods, the eligible nodes take %d when they are empty"
                    .formatted(size, room);
        }
    }

    /** A window exists, but not for this money. */
    record OverBudget(Money cheapest, long cheapestStart, Money budget) implements Refusal {
        @Override
        public String message() {
            return "no window within budget: the cheapest costs %s, the budget is %s"
                    .formatted(cheapest.brief(), budget.brief());
        }
    }

    /** A window exists, but not with every slot at or below this price. */
    record OverSlotPrice(Money limit) implements Refusal {
        @Override
        public String message() {
            return "no window within the price limit of %s per hour and pod".formatted(limit.brief());
        }
    }

    /** No window, whatever the money. */
    record NoWindow(String message) implements Refusal {}

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
        public String message() {
            return "behind %s, which starts at %s: it cannot start now without delaying that"
                    .formatted(head, Instant.ofEpochSecond(headStart));
        }
    }
}
