package io.slotwise.core.plan;

import io.slotwise.core.gang.NodeConstraint.Exclusion;
import io.slotwise.core.money.Money;
import java.util.Map;

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
    record NoEligibleNode(int nodes, Map<Exclusion, Integer> excluded, int tooSmall) implements Refusal {
        public NoEligibleNode {
            excluded = Map.copyOf(excluded);
        }

        @Override
        public String message() {
            if (nodes == 0) {
                return "no eligible node: the cluster has no nodes";
            }
            StringBuilder words = new StringBuilder("no eligible node among %d:".formatted(nodes));
            String separator = " ";
            for (Exclusion exclusion : Exclusion.values()) {
                Integer count = excluded.get(exclusion);
                if (count != null) {
                    words.append(separator).append(count).append(' ').append(exclusion.words());
                    separator = ", ";
                }
            }
            if (tooSmall > 0) {
                words.append(separator).append(tooSmall).append(" too small for one pod");
            }
            return words.toString();
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

    /** No window, whatever the money. */
    record NoWindow(String message) implements Refusal {}

    /** Left out so that the rest of the batch stays within the policy's limit. */
    record BatchLimit(String limit, String least, String allowed) implements Refusal {
        @Override
        public String message() {
            return "left out of the batch: with it the least %s is %s, the policy's limit is %s"
                    .formatted(limit, least, allowed);
        }
    }
}
