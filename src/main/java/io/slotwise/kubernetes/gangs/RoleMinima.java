package io.slotwise.kubernetes.gangs;

import io.fabric8.kubernetes.api.model.Pod;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How many pods of each role a gang needs at least.
 *
 * @param least by role, from 0 on
 * @param role of a pod, from the pod alone; null: it has none
 */
public record RoleMinima(Map<String, Integer> least, Function<Pod, @Nullable String> role) {
    /** A gang of pods that are all alike. */
    public static final RoleMinima NONE = new RoleMinima(Map.of(), _ -> null);

    public RoleMinima {
        least = Map.copyOf(least);
    }

    /** The minima of those that a gang needs beside these pods, which have done their work. O(pods). */
    public RoleMinima without(List<Pod> done) {
        Map<String, Integer> left = new HashMap<>(least);
        for (Pod pod : done) {
            String of = role.apply(pod);
            if (of != null) {
                left.computeIfPresent(of, (_, count) -> Math.max(0, count - 1));
            }
        }
        return new RoleMinima(left, role);
    }

    /** How many pods the minima are together. */
    int sum() {
        return least.values().stream().mapToInt(Integer::intValue).sum();
    }

    /**
     * Chooses the pods that take part: of each role the first ones up to its minimum, then the first of the others.
     * Where a role lacks pods, pods without a role stand in for them, and pods of other roles do not. O(pods).
     *
     * @param pods in order of preference
     * @param size how many there should be; if the minima are more together, as many as these
     * @return as many as there should be, or fewer if a role lacks pods
     */
    public List<Pod> choose(List<Pod> pods, int size) {
        Map<String, Integer> lacking = new HashMap<>(least);
        BitSet needed = new BitSet();
        int missing = sum();
        for (int i = 0; i < pods.size(); i++) {
            String of = role.apply(pods.get(i));
            if (of != null && lacking.getOrDefault(of, 0) > 0) {
                lacking.merge(of, -1, Integer::sum);
                missing--;
                needed.set(i);
            }
        }
        int open = size - sum();
        List<Pod> chosen = new ArrayList<>();
        for (int i = 0; i < pods.size(); i++) {
            Pod pod = pods.get(i);
            if (needed.get(i)) {
                chosen.add(pod);
            } else if (missing > 0 && role.apply(pod) == null) {
                missing--;
                chosen.add(pod);
            } else if (open > 0) {
                open--;
                chosen.add(pod);
            }
        }
        return chosen;
    }
}
