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
 * @param roles of the gang's pods by their names; a pod that is not there has none
 */
public record RoleMinima(Map<String, Integer> least, Map<String, String> roles) {
    /** A gang of pods that are all alike. */
    public static final RoleMinima NONE = new RoleMinima(Map.of(), Map.of());

    public RoleMinima {
        least = Map.copyOf(least);
        roles = Map.copyOf(roles);
    }

    /** The minima of these pods; {@code role}: of a pod, null: it has none. */
    static RoleMinima of(Map<String, Integer> least, List<Pod> pods, Function<Pod, @Nullable String> role) {
        Map<String, String> roles = new HashMap<>();
        for (Pod pod : pods) {
            String name = role.apply(pod);
            if (name != null) {
                roles.put(pod.getMetadata().getName(), name);
            }
        }
        return new RoleMinima(least, roles);
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
            String role = role(pods.get(i));
            if (role != null && lacking.getOrDefault(role, 0) > 0) {
                lacking.merge(role, -1, Integer::sum);
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
            } else if (missing > 0 && role(pod) == null) {
                missing--;
                chosen.add(pod);
            } else if (open > 0) {
                open--;
                chosen.add(pod);
            }
        }
        return chosen;
    }

    private @Nullable String role(Pod pod) {
        return roles.get(pod.getMetadata().getName());
    }
}
