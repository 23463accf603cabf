package io.slotwise.it.load;

import io.slotwise.it.RunRecord;
import io.slotwise.it.RunRecord.Binding;
import io.slotwise.it.RunRecord.PodLife;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * What became of a load, by the API server's own record. Seconds.
 *
 * @param pods that were bound
 * @param gangs that were bound whole
 * @param first from the start of the programs to the first binding
 * @param span from the first binding to the last
 * @param done from the first binding to the end of the last pod
 * @param partial the longest time from a gang's first binding to its last, of gangs that were bound whole
 * @param partials gangs that were bound in part for longer than a second, or to the end
 */
record Outcome(int pods, int gangs, double first, double span, double done, double partial, int partials) {
    /** Longer than this a gang counts as bound in part: bindings of one gang are sent together, not at one instant. */
    private static final Duration TOGETHER = Duration.ofSeconds(1);

    /** Reads the record of a load whose programs were started at {@code began}. */
    static Outcome of(RunRecord record, Load load, Instant began) {
        Map<String, List<PodLife>> gangs = record.pods().stream()
                .filter(pod -> pod.gang() != null)
                .collect(Collectors.groupingBy(pod -> Objects.requireNonNull(pod.gang())));
        List<Instant> bindings = new ArrayList<>();
        Instant end = began;
        Duration longest = Duration.ZERO;
        int whole = 0;
        int partials = 0;
        for (var gang : load.gangs()) {
            List<PodLife> members = gangs.getOrDefault(gang.name(), List.of());
            List<Instant> bound = members.stream()
                    .map(PodLife::binding)
                    .filter(Objects::nonNull)
                    .map(Binding::answered)
                    .sorted()
                    .toList();
            bindings.addAll(bound);
            end = members.stream()
                    .map(PodLife::ended)
                    .filter(Objects::nonNull)
                    .reduce(end, (a, b) -> a.isAfter(b) ? a : b);
            if (bound.size() == gang.size()) {
                whole++;
                Duration between = Duration.between(bound.getFirst(), bound.getLast());
                longest = between.compareTo(longest) > 0 ? between : longest;
                partials += between.compareTo(TOGETHER) > 0 ? 1 : 0;
            } else if (!bound.isEmpty()) {
                partials++;
            }
        }
        bindings.sort(Comparator.naturalOrder());
        Instant first = bindings.isEmpty() ? began : bindings.getFirst();
        return new Outcome(
                bindings.size(),
                whole,
                seconds(began, first),
                bindings.isEmpty() ? 0 : seconds(first, bindings.getLast()),
                seconds(first, end),
                longest.toMillis() / 1000.0,
                partials);
    }

    private static double seconds(Instant from, Instant to) {
        return Duration.between(from, to).toMillis() / 1000.0;
    }

    /** Pods bound in a second, between the first binding and the last. */
    double podsPerSecond() {
        return span == 0 ? 0 : pods / span;
    }

    /** The same in gangs. */
    double gangsPerSecond() {
        return span == 0 ? 0 : gangs / span;
    }
}
