package io.slotwise.it.load;

import io.slotwise.it.AuditLog.Entry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The outcome of a load by the API server's record. Times are seconds from the beginning as {@link Course} defines it:
 * the programs' start, their resumption, or the first creation of a pod.
 *
 * @param pods bound pods
 * @param gangs bound whole
 * @param work when the scheduler began to work: 0 if it ran before, else its first write for one of the pods
 * @param first the first binding
 * @param last the last binding
 * @param written the scheduler's last write, after events, conditions and records
 * @param done the end of the last pod
 * @param partial the longest time from a gang's first binding to its last, of gangs that were bound whole; a duration
 * @param partials gangs that were bound in part for longer than a second, or to the end
 */
record Outcome(
        int pods,
        int gangs,
        double work,
        double first,
        double last,
        double written,
        double done,
        double partial,
        int partials) {
    /** The time after which a gang counts as bound in part. Its bindings are sent together, not at one instant. */
    private static final Duration TOGETHER = Duration.ofSeconds(1);

    /** Reads the audit log since {@code began}. */
    static Outcome of(List<Entry> entries, Load load, Instant began, boolean ranBefore) {
        Map<String, List<Instant>> bindings = bindings(entries);
        List<Instant> all = new ArrayList<>();
        Duration longest = Duration.ZERO;
        int whole = 0;
        int partials = 0;
        for (var gang : load.gangs()) {
            List<Instant> bound = bindings.getOrDefault(gang.name(), List.of());
            all.addAll(bound);
            if (bound.size() == gang.size()) {
                whole++;
                Duration between = Duration.between(bound.getFirst(), bound.getLast());
                longest = between.compareTo(longest) > 0 ? between : longest;
                partials += between.compareTo(TOGETHER) > 0 ? 1 : 0;
            } else if (!bound.isEmpty()) {
                partials++;
            }
        }
        all.sort(Comparator.naturalOrder());
        List<Instant> writes = entries.stream()
                .filter(Outcome::isWorkOfContender)
                .map(Entry::answered)
                .sorted()
                .toList();
        return new Outcome(
                all.size(),
                whole,
                ranBefore || writes.isEmpty() ? 0 : seconds(began, writes.getFirst()),
                all.isEmpty() ? 0 : seconds(began, all.getFirst()),
                all.isEmpty() ? 0 : seconds(began, all.getLast()),
                writes.isEmpty() ? 0 : seconds(began, writes.getLast()),
                seconds(began, lastEnd(entries, began)),
                longest.toNanos() / 1e9,
                partials);
    }

    /** The times at which the bindings of each gang were answered, in order. */
    static Map<String, List<Instant>> bindings(List<Entry> entries) {
        Map<String, List<Instant>> bindings = new HashMap<>();
        entries.stream()
                .filter(entry -> isBinding(entry))
                .sorted(Comparator.comparing(Entry::answered))
                .forEach(entry -> bindings.computeIfAbsent(gang(entry), gang -> new ArrayList<>())
                        .add(entry.answered()));
        return bindings;
    }

    static boolean isBinding(Entry entry) {
        return entry.resource().equals("pods/binding") && inLoad(entry) && entry.succeeded();
    }

    /** The gang of a pod, by the pod's name. */
    static String gang(Entry entry) {
        int dash = entry.name().lastIndexOf('-');
        return dash < 0 ? entry.name() : entry.name().substring(0, dash);
    }

    private static boolean isWorkOfContender(Entry entry) {
        return Programs.isOfContender(entry.user()) && inLoad(entry) && Tail.WRITES.contains(entry.verb());
    }

    private static boolean inLoad(Entry entry) {
        return entry.namespace().equals(Load.NAMESPACE);
    }

    private static Instant lastEnd(List<Entry> entries, Instant began) {
        return entries.stream()
                .filter(entry -> entry.resource().equals("pods/status") && inLoad(entry))
                .filter(entry ->
                        entry.request().path("status").path("phase").asText().equals("Succeeded"))
                .map(Entry::answered)
                .reduce(began, (a, b) -> a.isAfter(b) ? a : b);
    }

    private static double seconds(Instant from, Instant to) {
        return Duration.between(from, to).toNanos() / 1e9;
    }

    double span() {
        return last - first;
    }

    /** Bound pods per second, from the scheduler's start of work to the last binding. */
    double podsPerSecond() {
        return rate(pods, last - work);
    }

    /** Bound pods per second, until everything is written. */
    double podsWrittenPerSecond() {
        return rate(pods, written - work);
    }

    /** Bound pods per second, from the beginning to the last binding. */
    double podsPerSecondOfAll() {
        return rate(pods, last);
    }

    /** Bound gangs per second, from the scheduler's start of work to the last binding. */
    double gangsPerSecond() {
        return rate(gangs, last - work);
    }

    private static double rate(int count, double seconds) {
        return seconds <= 0 ? 0 : count / seconds;
    }
}
