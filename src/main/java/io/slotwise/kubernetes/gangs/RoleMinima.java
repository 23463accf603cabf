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
 * The minimum number of pods of each role in a gang.
 *
 * @param least by role, from 0
 * @param role returns the role of a pod, from the pod alone, or null
 */
public record RoleMinima(Map<String, Integer> least, Function<Pod, @Nullable String> role) {
    public static final RoleMinima NONE = new RoleMinima(Map.of(), _ -> null);

    public RoleMinima {
        least = Map.copyOf(least);
    }

    /** Returns the minima that remain after these pods have finished their work. O(pods). */
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

    int sum() {
        return least.values().stream().mapToInt(Integer::intValue).sum();
    }

    /**
     * Chooses the pods that take part: of each role the first ones up to its minimum, then the first of all others.
     * Pods without a role stand in for missing pods of a role, but pods of other roles do not. O(pods).
     *
     * @param pods the pods in order of preference
     * @param size the number of pods; the minima if they are more in total
     * @return fewer pods if a role lacks some
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
