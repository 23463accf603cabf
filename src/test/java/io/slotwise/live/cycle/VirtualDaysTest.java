package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.window.Placement;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.testing.Census;
import io.slotwise.testing.WholeReplica;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * A whole replica over days of virtual time in which everything comes and goes under new names: gangs, foreign pods
 * whose runtimes change, nodes, namespaces with budgets, and unreadable values. Proves that the memory does not grow
 * with the days. {@code -Dslotwise.virtual.days=60} runs more days, {@code -Dslotwise.faults.seed=7} others.
 */
class VirtualDaysTest {
    private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");
    private static final long DAY = Duration.ofDays(1).toSeconds();
    private static final long HOUR = 3600;
    private static final int STEP = 300;
    private static final int NODES = 8;
    private static final int FOREIGN = 6;
    /** The largest growth of a map, as a factor to which {@code SLACK} entries are added. */
    private static final double GROWTH = 1.3;

    private static final int SLACK = 25;
    /** The JVM's own threads come and go. */
    private static final int MORE_THREADS = 4;

    private static final long HEAP_SLACK = 24L << 20;

    private final SplittableRandom random = new SplittableRandom(Long.getLong("slotwise.faults.seed", 1));
    private final List<String> nodes = new ArrayList<>();
    private final TreeMap<String, Pod> pods = new TreeMap<>();
    private final TreeMap<String, Long> namespaces = new TreeMap<>();
    private long second = BEGIN.getEpochSecond();
    private int names;
    private int started;
    private int ended;

    /** A pod's present state. {@code end} is 0 before the pod runs. A foreign pod has no gang. */
    private record Pod(
            String namespace,
            String name,
            @Nullable String gang,
            int size,
            String runtime,
            String node,
            long end,
            String phase) {
        String id() {
            return namespace + "/" + name;
        }

        Pod on(String other, long until) {
            return new Pod(namespace, name, gang, size, runtime, other, until, "Running");
        }

        Pod lasting(String other) {
            return new Pod(namespace, name, gang, size, other, node, end, phase);
        }

        Pod over() {
            return new Pod(namespace, name, gang, size, runtime, node, end, "Succeeded");
        }

        String json() {
            String own = gang == null ? "" : """
                    "labels": {"slotwise.io/gang": "%s"},""".formatted(gang);
            String bound = node.isEmpty() ? "" : """
                    "nodeName": "%s",""".formatted(node);
            return """
                    {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "namespace": "%s", "uid": "uid-%s",
                      "creationTimestamp": "2030-01-01T00:00:00Z", %s
                      "annotations": {"slotwise.io/gang-size": "%d", "slotwise.io/runtime": "%s"}},
                     "spec": {"schedulerName": "%s", %s
                      "containers": [{"name": "c", "resources": {"requests": {"cpu": "%d", "memory": "1Gi"}}}]},
                     "status": {"phase": "%s"}}
                    """.formatted(
                            name,
                            namespace,
                            name,
                            own,
                            size,
                            runtime,
                            gang == null ? "others" : "slotwise",
                            bound,
                            gang == null ? 1 : 2,
                            phase);
        }
    }

    @Test
    void aReplicasMemoryDoesNotGrowWithTheDays() {
        int days = Integer.getInteger("slotwise.virtual.days", 2);
        long span = days * DAY;
        TreeMap<String, Long> early = new TreeMap<>();
        TreeMap<String, Long> late = new TreeMap<>();
        long heapEarly = 0;
        long heapLate = 0;
        int threadsEarly = 0;
        int threadsLate = 0;
        try (WholeReplica replica = new WholeReplica(LoopSettings.EXACT, PriceCatalogue.EMPTY, BEGIN)) {
            for (int i = 0; i < NODES; i++) {
                addNode(replica);
            }
            for (int step = 0; step * (long) STEP < span; step++) {
                change(replica, step);
                long until = BEGIN.getEpochSecond() + (step + 1L) * STEP;
                while (second < until) {
                    plan(replica);
                    advance(replica, until);
                }
                long passed = second - BEGIN.getEpochSecond();
                if (passed % (2 * HOUR) == 0 && passed > span / 4) {
                    boolean isEarly = passed <= span / 2;
                    Census.of(replica).forEach((map, size) -> (isEarly ? early : late).merge(map, size, Math::max));
                    if (isEarly) {
                        threadsEarly = Math.max(threadsEarly, Thread.activeCount());
                        heapEarly = Math.max(heapEarly, heap());
                    } else if (passed == span) {
                        threadsLate = Thread.activeCount();
                        heapLate = heap();
                    }
                }
            }
        }

        assertThat(started).as("gangs started").isGreaterThan(days * 50);
        assertThat(ended).as("pods ended").isGreaterThan(days * 60);
        assertThat(early).hasSizeGreaterThan(30);
        List<String> grown = late.entrySet().stream()
                .filter(map -> map.getValue() > early.getOrDefault(map.getKey(), 0L) * GROWTH + SLACK)
                .map(map ->
                        "%s: %d, was %d".formatted(map.getKey(), map.getValue(), early.getOrDefault(map.getKey(), 0L)))
                .toList();
        assertThat(grown).isEmpty();
        assertThat(threadsLate).as("threads").isLessThanOrEqualTo(threadsEarly + MORE_THREADS);
        assertThat(heapLate).as("heap in use, bytes").isLessThan(heapEarly + HEAP_SLACK);
    }

    private static long heap() {
        System.gc();
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }

    private void plan(WholeReplica replica) {
        replica.cycle();
        for (GangRecord record : replica.opened(this::uids)) {
            long runtime = 600 + random.nextLong(2 * HOUR);
            for (Placement placement :
                    Objects.requireNonNull(record.promise()).window().placements()) {
                Pod pod = pods.get(record.gang().namespace() + "/" + placement.pod());
                show(replica, Objects.requireNonNull(pod).on(placement.node(), second + runtime));
            }
            started++;
        }
        assertThat(replica.newlyTold()).noneMatch(told -> told.contains(IntakeWarning.Reason.INTERNAL_ERROR.key()));
        assertThat(replica.newNotices())
                .noneMatch(notice -> notice.reason().equals(IntakeWarning.Reason.INTERNAL_ERROR.key()));
    }

    /** The UIDs of the pods, without those that no longer exist. */
    private SortedMap<String, String> uids(GangRecord record) {
        TreeMap<String, String> uids = new TreeMap<>();
        for (Placement placement :
                Objects.requireNonNull(record.promise()).window().placements()) {
            Pod pod = pods.get(record.gang().namespace() + "/" + placement.pod());
            if (pod == null || !nodes.contains(placement.node())) {
                return new TreeMap<>();
            }
            uids.put(placement.pod(), "uid-" + placement.pod());
        }
        return uids;
    }

    /** Advances to the next promised start or end of a pod. */
    private void advance(WholeReplica replica, long until) {
        long next = until;
        for (GangRecord record : replica.records()) {
            long start = record.phase() == Phase.PROMISED ? record.windowStart().orElse(until) : until;
            next = start > second ? Math.min(next, start) : next;
        }
        for (Pod pod : pods.values()) {
            next = pod.phase().equals("Running") && pod.end() > second ? Math.min(next, pod.end()) : next;
        }
        replica.pass(Duration.ofSeconds(next - second));
        second = next;
        for (Pod pod : List.copyOf(pods.values())) {
            if (pod.phase().equals("Running") && pod.end() <= second) {
                show(replica, pod.over());
                ended++;
            }
        }
    }

    /** Makes a change by users, other programs or machines. */
    private void change(WholeReplica replica, int step) {
        remove(replica, pod -> pod.phase().equals("Succeeded") && pod.end() < second - HOUR);
        if (step % 12 == 0) {
            changeNamespaces(replica);
        }
        if (step % 24 == 23) {
            String lost = nodes.removeFirst();
            remove(replica, pod -> pod.node().equals(lost));
            replica.missing("""
                {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "%s"}}""".formatted(lost));
            addNode(replica);
        }
        if (random.nextInt(2) == 0) {
            arrive(replica);
        }
        long others = pods.values().stream().filter(pod -> pod.gang() == null).count();
        for (long i = others; i < FOREIGN; i++) {
            String node = nodes.get(random.nextInt(nodes.size()));
            show(
                    replica,
                    new Pod("others", "f" + names++, null, 1, "1h", "", 0, "Pending")
                            .on(node, second + 600 + random.nextLong(4 * HOUR)));
        }
        for (Pod pod : List.copyOf(pods.values())) {
            if (pod.gang() == null && pod.phase().equals("Running")) {
                // Valid and invalid values alternate, and none comes again.
                show(replica, pod.lasting(step % 2 == 0 ? 1000 + step + "s" : "soon-" + step));
            }
        }
        if (random.nextInt(6) == 0) {
            pods.values().stream()
                    .filter(pod -> pod.gang() != null && pod.node().isEmpty())
                    .findAny()
                    .ifPresent(pod -> remove(replica, other -> Objects.equals(other.gang(), pod.gang())));
        }
    }

    private void changeNamespaces(WholeReplica replica) {
        String name = "preview-" + names++;
        namespaces.put(name, second);
        replica.seeing("""
            {"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": "%s", "annotations": {"slotwise.io/budget": "%d/day"}}}""".formatted(name, 1000 + names));
        for (Map.Entry<String, Long> known : List.copyOf(namespaces.entrySet())) {
            if (known.getValue() < second - 5 * HOUR) {
                namespaces.remove(known.getKey());
                remove(replica, pod -> pod.namespace().equals(known.getKey()));
                replica.withoutNamespace(known.getKey());
            }
        }
    }

    private void arrive(WholeReplica replica) {
        String namespace = List.copyOf(namespaces.keySet()).get(random.nextInt(namespaces.size()));
        String gang = "g" + names++;
        int size = 1 + random.nextInt(4);
        String runtime = random.nextInt(12) == 0 ? "never-" + names : 900 + random.nextInt(7200) + "s";
        for (int i = 0; i < size; i++) {
            show(replica, new Pod(namespace, gang + "-" + i, gang, size, runtime, "", 0, "Pending"));
        }
    }

    private void addNode(WholeReplica replica) {
        String name = "n" + names++;
        nodes.add(name);
        replica.seeing("""
            {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "%s", "labels": {"slotwise.io/price": "1"}},
             "status": {"allocatable": {"cpu": "8", "memory": "32Gi", "pods": "110"},
              "conditions": [{"type": "Ready", "status": "True"}]}}""".formatted(name));
    }

    private void show(WholeReplica replica, Pod pod) {
        pods.put(pod.id(), pod);
        replica.seeing(pod.json());
    }

    private void remove(WholeReplica replica, Predicate<Pod> which) {
        for (Pod pod : List.copyOf(pods.values())) {
            if (which.test(pod)) {
                pods.remove(pod.id());
                replica.missing(pod.json());
            }
        }
    }
}
