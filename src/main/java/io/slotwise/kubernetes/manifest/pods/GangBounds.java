package io.slotwise.kubernetes.manifest.pods;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.GangId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * Finds the gangs beyond a namespace's limit of planned pods. The oldest come first, then by name. A gang that has a
 * promise or has started is never beyond it.
 */
public final class GangBounds {
    /** The most pods of waiting gangs without a promise in one namespace. */
    public static final int MOST_PODS = 50_000;

    private GangBounds() {}

    /**
     * Returns the gangs beyond the limit, with the reason. O(gangs), plus O(g log g) for a namespace of g gangs that
     * exceeds it.
     *
     * @param isSettled tells whether a gang has a promise or has started
     */
    public static Map<GangId, String> problems(
            Collection<GangMembers> gangs, int most, Predicate<GangMembers> isSettled) {
        Map<String, Integer> pods = new HashMap<>();
        gangs.forEach(gang -> pods.merge(gang.id().namespace(), gang.waiting().size(), Integer::sum));
        pods.values().removeIf(count -> count <= most);
        Map<GangId, String> problems = new TreeMap<>();
        pods.keySet().forEach(namespace -> {
            List<GangMembers> waiting = new ArrayList<>(gangs.stream()
                    .filter(gang -> gang.id().namespace().equals(namespace) && !isSettled.test(gang))
                    .toList());
            waiting.sort(Comparator.comparing(GangBounds::made).thenComparing(GangMembers::id));
            int before = 0;
            for (GangMembers gang : waiting) {
                int size = gang.waiting().size();
                if (size > most - before) {
                    problems.put(
                            gang.id(),
                            ("namespace %s has more than %d pods that wait without a window: the gang is planned once "
                                            + "there are fewer")
                                    .formatted(namespace, most));
                } else {
                    before += size;
                }
            }
        });
        return problems;
    }

    private static String made(GangMembers gang) {
        return gang.waiting().stream()
                .map(Pod::getMetadata)
                .map(metadata -> metadata.getCreationTimestamp() == null ? "" : metadata.getCreationTimestamp())
                .min(Comparator.naturalOrder())
                .orElse("");
    }
}
