package io.slotwise.it;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds gangs that ran in part: one pod is on its node while another pod is not bound, whether that pod still exists or
 * went before it was bound. A pod that has ended runs no more. A gang may run in part for as long as the repair of a
 * start may take, without the time in which Slotwise was away. A deletion in the middle of a start is therefore excused
 * only if the bound pods go, too. A kill between two bindings is excused only if the next leader binds the other pods
 * or evicts the first ones.
 *
 * <p>Precondition: no pod is made again with the same name.
 */
final class PartialStarts {
    /** {@code start-timeout}, and the time for the evictions and the kubelet's part of them. */
    static final Duration REPAIR = Duration.ofSeconds(10 + 5);

    private final Map<String, Instant> bound = new HashMap<>();
    private final Map<String, Instant> gone = new HashMap<>();
    private final Map<String, Instant> cleared = new HashMap<>();

    /** Adds an entry. The order of entries does not matter. */
    void take(AuditLog.Entry entry) {
        if (!entry.succeeded()) {
            return;
        }
        switch (entry.verb() + " " + entry.resource()) {
            case "create pods/binding" -> bound.merge(entry.key(), entry.answered(), PartialStarts::first);
            case "delete pods" -> gone.merge(entry.key(), entry.answered(), PartialStarts::first);
            case "patch pods/status", "update pods/status" -> {
                if (entry.isOver()) {
                    gone.merge(entry.key(), entry.answered(), PartialStarts::first);
                }
            }
            case "deletecollection pods" -> cleared.merge(entry.namespace(), entry.answered(), PartialStarts::first);
            default -> {}
        }
    }

    /**
     * Returns the gangs that ran in part for too long, a sentence for each.
     *
     * @param until the end of the run
     */
    List<String> violations(Collection<GangSpec> gangs, Collection<Absence> absences, Instant until) {
        List<String> violations = new ArrayList<>();
        for (GangSpec gang : gangs) {
            List<String> pods = gang.pods().stream()
                    .map(pod -> gang.namespace() + "/" + pod.getMetadata().getName())
                    .toList();
            Duration partly = inPart(pods, absences, until);
            if (partly.compareTo(REPAIR) > 0) {
                violations.add("%d of the %d pods of gang %s/%s were bound, and it ran in part for %.1f s"
                        .formatted(
                                pods.stream().filter(bound::containsKey).count(),
                                pods.size(),
                                gang.namespace(),
                                gang.name(),
                                partly.toMillis() / 1000.0));
            }
        }
        return violations;
    }

    private Duration inPart(List<String> pods, Collection<Absence> absences, Instant until) {
        TreeSet<Instant> instants = new TreeSet<>(List.of(until));
        for (String pod : pods) {
            Stream.of(Optional.ofNullable(bound.get(pod)), Optional.ofNullable(went(pod)))
                    .flatMap(Optional::stream)
                    .forEach(instants::add);
        }
        Duration partly = Duration.ZERO;
        Instant since = null;
        for (Instant instant : instants) {
            if (since != null) {
                partly = partly.plus(Absence.present(absences, since, instant));
            }
            since = instant.isBefore(until) && isPartial(pods, instant) ? instant : null;
        }
        return partly;
    }

    private boolean isPartial(List<String> pods, Instant at) {
        boolean runs = pods.stream().anyMatch(pod -> isBound(pod, at) && !isGone(pod, at));
        return runs && !pods.stream().allMatch(pod -> isBound(pod, at));
    }

    private boolean isBound(String pod, Instant at) {
        Instant since = bound.get(pod);
        return since != null && !since.isAfter(at);
    }

    private boolean isGone(String pod, Instant at) {
        Instant since = went(pod);
        return since != null && !since.isAfter(at);
    }

    private @Nullable Instant went(String pod) {
        Instant alone = gone.get(pod);
        Instant together = cleared.get(pod.substring(0, pod.indexOf('/')));
        if (alone == null || together == null) {
            return alone == null ? together : alone;
        }
        return first(alone, together);
    }

    private static Instant first(Instant one, Instant other) {
        return one.isBefore(other) ? one : other;
    }
}
