package io.slotwise.core.gang;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The levels of a cluster in trees, such as racks within blocks.
 *
 * @param trees the keys of node labels of each tree from wide to narrow; two trees may share their widest levels
 * @param patience of gangs that prefer a level and state no patience
 */
public record TopologyLevels(List<List<String>> trees, Patience patience) {
    public static final TopologyLevels NONE = new TopologyLevels(List.of(), Patience.NONE);

    public TopologyLevels {
        trees = trees.stream().map(List::copyOf).toList();
        Map<String, TopologyLevel> levels = new HashMap<>();
        for (List<String> tree : trees) {
            for (int depth = 1; depth <= tree.size(); depth++) {
                TopologyLevel level = new TopologyLevel(tree.subList(0, depth));
                TopologyLevel earlier = levels.putIfAbsent(level.key(), level);
                if (earlier != null && !earlier.equals(level)) {
                    throw new IllegalArgumentException("expected the label %s at one level, not below both %s and %s"
                            .formatted(level.key(), above(earlier), above(level)));
                }
            }
        }
    }

    private static String above(TopologyLevel level) {
        int depth = level.keys().size();
        return depth == 1 ? "the cluster" : level.keys().get(depth - 2);
    }

    /** Returns the levels of all trees from wide to narrow, each once. */
    public List<TopologyLevel> all() {
        return trees.stream()
                .flatMap(tree -> IntStream.rangeClosed(1, tree.size())
                        .mapToObj(depth -> new TopologyLevel(tree.subList(0, depth))))
                .distinct()
                .toList();
    }

    /** Returns the level of a label key; if no tree has it, the label alone is the level. */
    public TopologyLevel of(String key) {
        return all().stream()
                .filter(level -> level.key().equals(key))
                .findFirst()
                .orElseGet(() -> TopologyLevel.of(key));
    }

    /** Returns the levels with this label key or, if there is none, with this name. */
    public List<TopologyLevel> named(String word) {
        List<TopologyLevel> exact =
                all().stream().filter(level -> level.key().equals(word)).toList();
        return exact.isEmpty()
                ? all().stream().filter(level -> level.name().equals(word)).toList()
                : exact;
    }
}
