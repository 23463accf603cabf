package io.slotwise.core.plan;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.money.Money;
import io.slotwise.core.time.Durations;
import java.time.Instant;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/** A change of a gang's request, or of its namespace's budget. */
public sealed interface RequestChange {
    /** Returns the name of the changed setting, as users write it. */
    default String key() {
        return switch (this) {
            case Budget _ -> "budget";
            case BudgetAndCriterion _ -> "budget-and-criterion";
            case MaxPrice _ -> "max-price";
            case Deadline _ -> "deadline";
            case Size _ -> "gang-size";
            case Lasting _ -> "runtime";
            case Wanting _ -> "criterion";
            case MaxPerNode _ -> "max-per-node";
            case AnyTopology _ -> "topology";
            case Loose _ -> "lockstep";
            case AnyStart _ -> "earliest-start";
            case NamespaceBudget _ -> "namespace-budget";
            case QueueBudget _ -> "queue-budget";
        };
    }

    /** Returns the new value, empty to leave the setting out. */
    default String value() {
        return switch (this) {
            case Budget(Money total) -> total.brief();
            case BudgetAndCriterion(Money total, Criterion criterion) ->
                "%s, %s".formatted(total.brief(), criterion.key());
            case MaxPrice(Money slotPrice) -> slotPrice.brief();
            case Deadline(long second) -> Instant.ofEpochSecond(second).toString();
            case Size(int pods) -> Integer.toString(pods);
            case Lasting(long seconds) -> Durations.brief(seconds);
            case Wanting(Criterion criterion) -> criterion.key();
            case MaxPerNode(int pods) -> Integer.toString(pods);
            case AnyTopology _, Loose _, AnyStart _ -> "";
            case NamespaceBudget budget -> "+" + budget.money().brief();
            case QueueBudget budget -> "+" + budget.money().brief();
        };
    }

    /** Returns the annotations to write on the pods. An empty value removes one; an empty map is no pod setting. */
    default SortedMap<String, String> fields() {
        return switch (this) {
            case BudgetAndCriterion(Money total, Criterion criterion) ->
                new TreeMap<>(Map.of("budget", total.brief(), "criterion", criterion.key()));
            case NamespaceBudget _, QueueBudget _ -> new TreeMap<>();
            default -> new TreeMap<>(Map.of(key(), value()));
        };
    }

    default Gang of(Gang gang) {
        return switch (this) {
            case Budget(Money total) ->
                gang.paying(
                        new io.slotwise.core.gang.Budget(total, gang.budget().slotPrice()));
            case BudgetAndCriterion(Money total, Criterion criterion) ->
                new Budget(total).of(gang).wanting(criterion);
            case MaxPrice(Money slotPrice) ->
                gang.paying(new io.slotwise.core.gang.Budget(gang.budget().total(), slotPrice));
            case Deadline(long second) -> gang.endingBy(second);
            case Size(int pods) -> gang.first(pods);
            case Lasting(long seconds) -> gang.lasting(seconds);
            case Wanting(Criterion criterion) -> gang.wanting(criterion);
            case MaxPerNode(int pods) -> gang.spread(pods);
            case AnyTopology _ -> gang.within(Topology.ANYWHERE);
            case Loose _ -> gang.loose();
            case AnyStart _ -> gang.startingFrom(Long.MIN_VALUE);
            case NamespaceBudget _, QueueBudget _ -> gang;
        };
    }

    /** Another budget of the whole gang. */
    record Budget(Money total) implements RequestChange {}

    /** Another budget and another criterion: with the budget alone the gang would not take another window. */
    record BudgetAndCriterion(Money total, Criterion criterion) implements RequestChange {}

    /** Another highest price of a pod's slot, per hour. */
    record MaxPrice(Money slotPrice) implements RequestChange {}

    /** Another deadline, seconds since the epoch. */
    record Deadline(long second) implements RequestChange {}

    record Size(int pods) implements RequestChange {}

    /** Another runtime of every pod, seconds on the reference node. */
    record Lasting(long seconds) implements RequestChange {}

    record Wanting(Criterion criterion) implements RequestChange {}

    record MaxPerNode(int pods) implements RequestChange {}

    /** Nodes of any values of the topology label. */
    record AnyTopology() implements RequestChange {}

    /** No lockstep: each pod ends by the speed of its own node. */
    record Loose() implements RequestChange {}

    /** No earliest start. */
    record AnyStart() implements RequestChange {}

    /** An increase of the namespace's budget in the period that pays. */
    record NamespaceBudget(String namespace, Money money) implements RequestChange {}

    /** An increase of a queue's budget in the period that pays. */
    record QueueBudget(String queue, Money money) implements RequestChange {}
}
