package io.slotwise.it.load;

import io.slotwise.it.AuditLog.Entry;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/**
 * The punctuality of gangs with a promised second.
 *
 * @param promised gangs with a window that begins in this second
 * @param early bindings that the API server received before their gang's window
 * @param first seconds from the promised second to the first binding's arrival; negative if before
 * @param last the same to the last binding
 * @param bound pods
 */
record Punctuality(int promised, int early, double first, double last, int bound) {

    /** The punctuality of gangs whose windows begin at {@code starts}, and should begin at {@code due}. */
    static Punctuality of(List<Entry> entries, Map<String, Instant> starts, Instant due) {
        List<Entry> bindings = entries.stream().filter(Outcome::isBinding).toList();
        List<Double> after = bindings.stream()
                .map(entry -> Duration.between(due, entry.received()).toNanos() / 1e9)
                .sorted()
                .toList();
        int early = (int) bindings.stream()
                .filter(entry -> entry.received().isBefore(starts.getOrDefault(Outcome.gang(entry), due)))
                .count();
        int promised = (int) starts.values().stream().filter(due::equals).count();
        return new Punctuality(
                promised,
                early,
                after.isEmpty() ? Double.NaN : after.getFirst(),
                after.isEmpty() ? Double.NaN : after.getLast(),
                bindings.size());
    }

    /** Bound pods per second, from the promised second to the last binding. */
    double podsPerSecond() {
        return last > 0 ? bound / last : Double.NaN;
    }
}
