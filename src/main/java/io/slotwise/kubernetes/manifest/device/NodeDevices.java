package io.slotwise.kubernetes.manifest.device;

import io.fabric8.kubernetes.api.model.resource.v1.ResourceSlice;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceSliceSpec;
import io.slotwise.core.work.Isolated;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The devices that can be allocated, by the rules of kube-scheduler 1.37 ({@code GatherPools}). Only the slices of a
 * pool's newest generation count, as one node sees the pool. A pool with a missing slice, or with a duplicate device
 * name, offers nothing. Immutable.
 *
 * <p>With s slices and d devices this takes O(s log s + d).
 */
public final class NodeDevices {
    private final List<Device> all = new ArrayList<>();
    private final Map<Device.Id, Integer> positions = new HashMap<>();
    private final Set<String> unsettled = new HashSet<>();

    private record Pool(String driver, String name) implements Comparable<Pool> {
        @Override
        public int compareTo(Pool other) {
            int byDriver = driver.compareTo(other.driver);
            return byDriver != 0 ? byDriver : name.compareTo(other.name);
        }
    }

    /** Reads these slices. A slice that cannot be read is ignored. */
    public NodeDevices(Collection<ResourceSlice> slices) {
        TreeMap<Pool, List<ResourceSlice>> pools = new TreeMap<>();
        for (ResourceSlice slice : slices) {
            ResourceSliceSpec spec = slice.getSpec();
            if (spec != null
                    && spec.getDriver() != null
                    && spec.getPool() != null
                    && spec.getPool().getName() != null) {
                pools.computeIfAbsent(new Pool(spec.getDriver(), spec.getPool().getName()), _ -> new ArrayList<>())
                        .add(slice);
            }
        }
        pools.values().forEach(pool -> Isolated.run(() -> add(pool), _ -> {}));
    }

    private void add(List<ResourceSlice> pool) {
        List<ResourceSlice> forAll = new ArrayList<>();
        TreeMap<String, List<ResourceSlice>> byNode = new TreeMap<>();
        for (ResourceSlice slice : pool) {
            String node = node(slice);
            if (node == null) {
                forAll.add(slice);
            } else {
                byNode.computeIfAbsent(node, _ -> new ArrayList<>()).add(slice);
            }
        }
        if (byNode.isEmpty()) {
            add(pool, forAll, null);
        }
        byNode.forEach((node, own) -> {
            List<ResourceSlice> seen = new ArrayList<>(own);
            seen.addAll(forAll);
            add(pool, seen, node);
        });
    }

    private void add(List<ResourceSlice> pool, List<ResourceSlice> seen, @Nullable String node) {
        long newest = seen.stream().mapToLong(NodeDevices::generation).max().orElse(0);
        List<ResourceSlice> current =
                seen.stream().filter(slice -> generation(slice) == newest).toList();
        long expected = number(current.getFirst().getSpec().getPool().getResourceSliceCount());
        if (current.size() != expected) {
            if (pool.stream().anyMatch(slice -> generation(slice) > newest)) {
                return;
            }
            if (pool.stream().filter(slice -> generation(slice) == newest).count() != expected) {
                unsettled(node);
                return;
            }
        }
        Set<String> names = new HashSet<>();
        for (ResourceSlice slice : current) {
            for (var device : slice.getSpec().getDevices()) {
                if (!names.add(String.valueOf(device.getName()))) {
                    unsettled(node);
                    return;
                }
            }
        }
        for (ResourceSlice slice : current) {
            for (int i = 0; i < slice.getSpec().getDevices().size(); i++) {
                Device device = new Device(slice, i, node(slice));
                if (positions.putIfAbsent(device.id(), all.size()) == null) {
                    all.add(device);
                }
            }
        }
    }

    private void unsettled(@Nullable String node) {
        unsettled.add(node == null ? "" : node);
    }

    /** Returns the only node that can use a slice's devices, or null if several can. */
    private static @Nullable String node(ResourceSlice slice) {
        String node = slice.getSpec().getNodeName();
        return node == null || node.isEmpty() ? null : node;
    }

    private static long generation(ResourceSlice slice) {
        return number(slice.getSpec().getPool().getGeneration());
    }

    private static long number(@Nullable Long number) {
        return number == null ? 0 : number;
    }

    public List<Device> all() {
        return List.copyOf(all);
    }

    /** Returns the position of a device in {@link #all}, or -1 if it is absent or cannot be allocated. */
    public int position(Device.Id id) {
        return positions.getOrDefault(id, -1);
    }

    /** Returns whether a pool of a node is changing or invalid, so that its full set of devices is unknown. */
    public boolean isUnsettled(String node) {
        return unsettled.contains(node) || unsettled.contains("");
    }
}
