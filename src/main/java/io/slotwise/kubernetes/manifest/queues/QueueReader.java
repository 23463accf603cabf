package io.slotwise.kubernetes.manifest.queues;

import io.slotwise.core.ledger.Allotment;
import io.slotwise.core.queue.Amount;
import io.slotwise.core.queue.Queue;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueObject;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueSpec;
import io.slotwise.kubernetes.manifest.field.Intervals;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads Queue objects into queues of the planner. */
final class QueueReader {
    private static final int HEAVIEST = 1_000_000;
    private static final String GUARANTEE = "spec.guarantee";
    private static final String LENDING = "spec.lending.limit";

    private final QueueAmounts amounts;

    /**
     * @param interval the seconds for which calendars are read
     */
    QueueReader(Interval interval) {
        this.amounts = new QueueAmounts(interval);
    }

    /**
     * Returns the queue of an object. O(size of the object).
     *
     * @throws IllegalArgumentException with a message that names the field, the value and what was expected
     */
    Queue read(QueueObject object) {
        String name = object.getMetadata().getName();
        QueueSpec spec = object.getSpec();
        if (spec == null) {
            throw new IllegalArgumentException("`spec` is missing: expected the queue's share");
        }
        int weight = Objects.requireNonNullElse(spec.weight(), 1);
        if (weight < 0 || weight > HEAVIEST) {
            throw invalid("spec.weight", String.valueOf(weight), "expected a whole number between 0 and " + HEAVIEST);
        }
        String parent = spec.parent();
        if (parent != null && (parent.equals(name) || name.equals(Queue.ROOT))) {
            throw invalid(
                    "spec.parent",
                    parent,
                    name.equals(Queue.ROOT) ? "expected none for the queue root" : "expected another queue");
        }
        if (!spec.namespaces().isEmpty() && spec.namespaceSelector() != null) {
            throw invalid(
                    "spec.namespaces", String.join(", ", spec.namespaces()), "expected none with a namespaceSelector");
        }
        Map<String, Amount> guarantee = amounts(GUARANTEE, spec.guarantee());
        return new Queue(
                name,
                parent,
                weight,
                guarantee,
                amounts("spec.limit", spec.limit()),
                lending(spec.lending(), guarantee),
                Boolean.TRUE.equals(spec.suspended()));
    }

    /**
     * Returns the budget of a queue, or null if it has none.
     *
     * @throws IllegalArgumentException with a message that names the field, the value and what was expected
     */
    static @Nullable Allotment budget(QueueSpec spec) {
        if (spec.budget() == null) {
            return null;
        }
        try {
            return Allotment.parse(spec.budget());
        } catch (IllegalArgumentException e) {
            throw invalid("spec.budget", spec.budget(), String.valueOf(e.getMessage()));
        }
    }

    private Map<String, Amount> amounts(String field, Map<String, String> texts) {
        Map<String, Amount> read = new HashMap<>();
        texts.forEach((resource, text) -> {
            try {
                read.put(resource, amounts.parse(resource, text));
            } catch (IllegalArgumentException e) {
                throw invalid(
                        "%s[%s]".formatted(field, SafeText.value(resource)), text, String.valueOf(e.getMessage()));
            }
        });
        return read;
    }

    /** Returns what the queue lends. After the end of lending this is nothing of what it is guaranteed. */
    private Map<String, Amount> lending(QueueSpec.@Nullable Lending lending, Map<String, Amount> guarantee) {
        if (lending == null) {
            return Map.of();
        }
        Map<String, Amount> stated = amounts(LENDING, lending.limit());
        if (lending.until() == null) {
            return stated;
        }
        long until;
        try {
            until = Intervals.parseDown(lending.until());
        } catch (IllegalArgumentException e) {
            throw invalid("spec.lending.until", lending.until(), String.valueOf(e.getMessage()));
        }
        SortedMap<String, Amount> ending = new TreeMap<>();
        TreeSet<String> resources = new TreeSet<>(stated.keySet());
        resources.addAll(guarantee.keySet());
        for (String resource : resources) {
            Amount amount = stated.getOrDefault(resource, Amount.part(1_000_000));
            ending.put(resource, new Amount(until(amount.units(), until), until(amount.millionths(), until)));
        }
        return ending;
    }

    /** Returns the function before a second, and 0 from then on. */
    private static StepFunction until(StepFunction function, long second) {
        StepFunction.Builder builder = StepFunction.startingAt(function.value(0));
        for (int i = 1; i < function.pieces() && function.start(i) < second; i++) {
            builder.then(function.start(i), function.value(i));
        }
        return builder.then(second, 0).build();
    }

    private static IllegalArgumentException invalid(String field, String value, String expected) {
        return new IllegalArgumentException(
                "`%s` (%s) is not valid: %s".formatted(field, SafeText.value(value), expected));
    }
}
