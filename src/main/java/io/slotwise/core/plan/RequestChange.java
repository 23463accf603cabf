package io.slotwise.core.plan;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Money;
import io.slotwise.core.time.Durations;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** One thing that a gang, or its namespace, could ask for in another way. */
public sealed interface RequestChange {
    /** What is changed, in the word that users write for it. */
    String key();

    /** What to write instead; empty: leave it out. */
    String value();

    /**
     * What to write under which key of a pod's annotations, without our prefix; an empty value: leave it out. None:
     * that is no matter of pods.
     */
    default SortedMap<String, String> fields() {
        return new TreeMap<>(Map.of(key(), value()));
    }

    /** The gang that asks in the other way. */
    Gang of(Gang gang);

    /** Another budget of the whole gang. */
    record Budget(Money total) implements RequestChange {
        @Override
        public String key() {
            return "budget";
        }

        @Override
        public String value() {
            return total.brief();
        }

        @Override
        public Gang of(Gang gang) {
            return gang.paying(
                    new io.slotwise.core.gang.Budget(total, gang.budget().slotPrice()));
        }
    }

    /**
     * Another budget of the whole gang, and another criterion: with the budget alone the gang would not take another
     * window.
     */
    record BudgetAndCriterion(Money total, Criterion criterion) implements RequestChange {
        @Override
        public String key() {
            return "budget-and-criterion";
        }

        @Override
        public String value() {
            return "%s, %s".formatted(total.brief(), criterion.key());
        }

        @Override
        public SortedMap<String, String> fields() {
            return new TreeMap<>(Map.of("budget", total.brief(), "criterion", criterion.key()));
        }

        @Override
        public Gang of(Gang gang) {
            return new Budget(total).of(gang).wanting(criterion);
        }
    }

    /** Another highest price of a pod's slot, per hour. */
    record MaxPrice(Money slotPrice) implements RequestChange {
        @Override
        public String key() {
            return "max-price";
        }

        @Override
        public String value() {
            return slotPrice.brief();
        }

        @Override
        public Gang of(Gang gang) {
            return gang.paying(new io.slotwise.core.gang.Budget(gang.budget().total(), slotPrice));
        }
    }

    /** Another deadline, seconds since the epoch. */
    record Deadline(long second) implements RequestChange {
        @Override
        public String key() {
            return "deadline";
        }

        @Override
        public String value() {
            return Instant.ofEpochSecond(second).toString();
        }

        @Override
        public Gang of(Gang gang) {
            return gang.endingBy(second);
        }
    }

    /** So many pods. */
    record Size(int pods) implements RequestChange {
        @Override
        public String key() {
            return "gang-size";
        }

        @Override
        public String value() {
            return Integer.toString(pods);
        }

        @Override
        public Gang of(Gang gang) {
            return gang.first(pods);
        }
    }

    /** Another runtime of every pod, seconds on the reference node. */
    record Lasting(long seconds) implements RequestChange {
        @Override
        public String key() {
            return "runtime";
        }

        @Override
        public String value() {
            return Durations.brief(seconds);
        }

        @Override
        public Gang of(Gang gang) {
            return gang.lasting(seconds);
        }
    }

    /** Another criterion. */
    record Wanting(Criterion criterion) implements RequestChange {
        @Override
        public String key() {
            return "criterion";
        }

        @Override
        public String value() {
            return criterion.key();
        }

        @Override
        public Gang of(Gang gang) {
            return gang.wanting(criterion);
        }
    }

    /** More pods on one node. */
    record MaxPerNode(int pods) implements RequestChange {
        @Override
        public String key() {
            return "max-per-node";
        }

        @Override
        public String value() {
            return Integer.toString(pods);
        }

        @Override
        public Gang of(Gang gang) {
            return gang.spread(pods);
        }
    }

    /** Nodes of any values of the topology label. */
    record AnyTopology() implements RequestChange {
        @Override
        public String key() {
            return "topology";
        }

        @Override
        public String value() {
            return "";
        }

        @Override
        public Gang of(Gang gang) {
            return gang.within(null);
        }
    }

    /** Pods that each end by their own node's speed. */
    record Loose() implements RequestChange {
        @Override
        public String key() {
            return "lockstep";
        }

        @Override
        public String value() {
            return "";
        }

        @Override
        public Gang of(Gang gang) {
            return gang.loose();
        }
    }

    /** No earliest start. */
    record AnyStart() implements RequestChange {
        @Override
        public String key() {
            return "earliest-start";
        }

        @Override
        public String value() {
            return "";
        }

        @Override
        public Gang of(Gang gang) {
            return gang.startingFrom(Long.MIN_VALUE);
        }
    }

    /** So much more in the namespace's budget of the period that pays. */
    record NamespaceBudget(String namespace, Money more) implements RequestChange {
        @Override
        public String key() {
            return "namespace-budget";
        }

        @Override
        public String value() {
            return "+" + more.brief();
        }

        @Override
        public SortedMap<String, String> fields() {
            return new TreeMap<>();
        }

        @Override
        public Gang of(Gang gang) {
            return gang;
        }
    }
}
