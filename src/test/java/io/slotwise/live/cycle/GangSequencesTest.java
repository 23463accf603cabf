package io.slotwise.live.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.config.PolicyFile;
import io.slotwise.core.window.Placement;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.testing.PlayedWorkload;
import io.slotwise.testing.PlayedWorkload.Made;
import io.slotwise.testing.PlayedWorkload.Maker;
import io.slotwise.testing.WholeReplica;
import java.io.StringReader;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Random sequences of loss, drain, restart and success, with the pods of each kind of owner, in whole cycles of a
 * replica in virtual time. The test judges by the owner's knowledge. A gang starts whole, no member of an older
 * generation counts, a pod that starts alone joins running members, and in the end each gang is whole again. {@code
 * -Dslotwise.sequences=2000} makes more sequences, {@code -Dslotwise.faults.seed=7} others.
 */
class GangSequencesTest {
    private static final Instant BEGIN = Instant.parse("2030-01-01T00:00:00Z");
    private static final int SEQUENCES = Integer.getInteger("slotwise.sequences", 200);
    private static final long SEED = Long.getLong("slotwise.faults.seed", 1);
    private static final int NODES = 6;
    private static final int ACTIONS = 6;
    /** The longest time that a sequence needs after its last action, seconds. */
    private static final long PATIENCE = 1200;

    private static final List<Maker> MAKERS = List.of(Maker.values());

    private final SplittableRandom random = new SplittableRandom(SEED);
    private final TreeMap<String, Long> others = new TreeMap<>();
    private final TreeMap<String, Integer> counts = new TreeMap<>();
    private final List<String> story = new ArrayList<>();

    @SuppressWarnings("NullAway.Init") // each sequence begins with its own
    private PlayedWorkload workload;

    private int names;

    @Test
    void eachGangIsWholeAgainAndNoneStartsWithAnOldMember() {
        try (WholeReplica replica = new WholeReplica(LoopSettings.EXACT, PriceCatalogue.EMPTY, BEGIN)) {
            for (int i = 0; i < NODES; i++) {
                replica.seeing("""
                    {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n%d"},
                     "status": {"allocatable": {"cpu": "1", "memory": "8Gi", "pods": "110"},
                      "conditions": [{"type": "Ready", "status": "True"}]}}""".formatted(i));
            }
            for (int i = 0; i < SEQUENCES; i++) {
                replica.under(
                        PolicyFile.read(new StringReader("running.member-loss: " + memberLoss(i)), "policy.yaml"));
                sequence(replica, i);
            }
        }

        assertThat(counts).containsOnlyKeys("whole", "single", "lost", "restart", "succeeded", "evicted");
        assertThat(counts.get("whole")).isGreaterThan(SEQUENCES * 3 / 2);
        assertThat(counts.get("single")).isGreaterThan(SEQUENCES * 2);
    }

    private static String memberLoss(int number) {
        return number / MAKERS.size() % 3 == 2 ? "restart" : "continue";
    }

    private void sequence(WholeReplica replica, int number) {
        story.clear();
        Maker maker = MAKERS.get(number % MAKERS.size());
        workload = new PlayedWorkload(replica, random, maker, "w" + number, 2 + random.nextInt(3));
        tell(replica, "%s of %d under %s".formatted(maker, workload.size(), memberLoss(number)));
        pass(replica, 5 + random.nextInt(20));
        for (int action = 0; action < ACTIONS; action++) {
            act(replica, action == ACTIONS - 1);
            // The next event often comes before the gang is whole again.
            pass(replica, random.nextInt(3) == 0 ? 90 : random.nextInt(40));
        }
        long until = replica.now() + PATIENCE;
        while (!workload.isWhole() && replica.now() < until) {
            pass(replica, 20);
        }
        assertThat(workload.isWhole())
                .as(() -> "sequence %d of seed %d is not whole:\n%s\n%s"
                        .formatted(number, SEED, String.join("\n", story), records(replica)))
                .isTrue();
        workload.delete();
        List.copyOf(others.keySet()).forEach(pod -> end(replica, pod));
        replica.pass(Duration.ofSeconds(5));
        replica.cycle();
        replica.cycle();
    }

    private void act(WholeReplica replica, boolean last) {
        List<Made> running =
                workload.pods().stream().filter(Made::runs).collect(Collectors.toCollection(ArrayList::new));
        boolean mayEnd = workload.maker() == Maker.JOB || workload.maker() == Maker.JOB_SET;
        if (last && mayEnd && !running.isEmpty() && random.nextInt(3) > 0) {
            happen(replica, "succeeded");
            workload.succeed(running.removeFirst());
            running.forEach(workload::lose);
            return;
        }
        switch (random.nextInt(5)) {
            case 0, 1 -> {
                if (!running.isEmpty()) {
                    happen(replica, "lost");
                    workload.lose(running.get(random.nextInt(running.size())));
                }
            }
            case 2 -> {
                for (Made pod : running) {
                    happen(replica, "lost");
                    workload.lose(pod);
                    pass(replica, random.nextInt(50));
                }
            }
            case 3 -> {
                happen(replica, "restart");
                workload.restart();
            }
            default -> {
                String pod = "f" + names++;
                others.put(pod, 60L + random.nextInt(240));
                replica.seeing(other(pod, ""));
            }
        }
    }

    private void pass(WholeReplica replica, long seconds) {
        long until = replica.now() + seconds;
        while (true) {
            workload.go();
            replica.cycle();
            start(replica);
            replica.newlyEvicted().forEach(pod -> evict(replica, pod));
            assertThat(replica.newNotices())
                    .noneMatch(notice -> notice.reason().equals(IntakeWarning.Reason.INTERNAL_ERROR.key()));
            replica.newlyTold().forEach(told -> story.add("      " + told));
            if (replica.now() >= until) {
                return;
            }
            long next = Math.min(Math.min(until - replica.now(), 30), workload.next());
            for (GangRecord record : replica.records()) {
                long start = record.windowStart().orElse(0) - replica.now();
                next = record.phase() == Phase.PROMISED && start > 0 ? Math.min(next, start) : next;
            }
            replica.pass(Duration.ofSeconds(Math.max(1, next)));
            others.forEach((pod, end) -> {
                if (end > 1_000_000 && end <= replica.now()) {
                    replica.missing(other(pod, ""));
                }
            });
            others.values().removeIf(end -> end > 1_000_000 && end <= replica.now());
        }
    }

    private void evict(WholeReplica replica, String pod) {
        Made made = workload.pod(pod.substring("user/".length()));
        if (made != null) {
            happen(replica, "evicted");
            workload.lose(made);
        }
    }

    private void start(WholeReplica replica) {
        List<GangRecord> opened = replica.opened(this::uids);
        // Starts of the same second happen in the order of their requests.
        for (GangRecord record : opened) {
            List<Placement> placements =
                    Objects.requireNonNull(record.promise()).window().placements();
            if (others.containsKey(placements.getFirst().pod())) {
                Placement only = placements.getFirst();
                others.computeIfPresent(only.pod(), (_, length) -> replica.now() + length);
                replica.seeing(other(only.pod(), only.node()));
                continue;
            }
            judge(record, placements);
            tell(
                    replica,
                    "%s started: %s"
                            .formatted(
                                    record.gang().name(),
                                    placements.stream().map(Placement::pod).toList()));
            placements.forEach(placement -> workload.bind(placement.pod(), placement.node()));
        }
    }

    /**
     * Asserts that a gang starts whole, of one generation and not next to another one, and that a single pod joins a
     * running gang.
     */
    private void judge(GangRecord record, List<Placement> placements) {
        List<Made> pods = placements.stream()
                .map(placement -> Objects.requireNonNull(workload.pod(placement.pod())))
                .toList();
        int generation = pods.getFirst().generation();
        List<Made> running = workload.pods().stream().filter(Made::runs).toList();
        String seen = "%s starts with %s\n%s".formatted(record.gang(), placements, String.join("\n", story));
        assertThat(pods).as(seen).allMatch(pod -> pod.generation() == generation);
        assertThat(running).as("beside another generation: " + seen).allMatch(pod -> pod.generation() == generation);
        if (record.gang().name().equals(workload.gang())) {
            long done = workload.pods().stream()
                    .filter(pod -> pod.isDone() && pod.generation() == generation)
                    .count();
            assertThat(running).as("beside its own members: " + seen).isEmpty();
            assertThat(pods.size() + done).as(seen).isEqualTo(workload.size());
            count("whole");
        } else {
            assertThat(running).as("by itself beside nobody: " + seen).isNotEmpty();
            count("single");
        }
    }

    private SortedMap<String, String> uids(GangRecord record) {
        TreeMap<String, String> uids = new TreeMap<>();
        for (Placement placement :
                Objects.requireNonNull(record.promise()).window().placements()) {
            Made pod = workload.pod(placement.pod());
            if (others.containsKey(placement.pod())) {
                uids.put(placement.pod(), "uid-" + placement.pod());
            } else if (pod != null && pod.waits()) {
                uids.put(placement.pod(), pod.uid());
            } else {
                return new TreeMap<>();
            }
        }
        return uids;
    }

    private void end(WholeReplica replica, String pod) {
        others.remove(pod);
        replica.missing(other(pod, ""));
    }

    private static String other(String pod, String node) {
        return """
            {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "%s", "namespace": "user", "uid": "uid-%s",
              "creationTimestamp": "2030-01-01T00:00:00Z", "annotations": {"slotwise.io/runtime": "300s"}},
             "spec": {"schedulerName": "slotwise", %s
              "containers": [{"name": "c", "resources": {"requests": {"cpu": "1"}}}]},
             "status": {"phase": "%s"}}""".formatted(
                        pod,
                        pod,
                        node.isEmpty() ? "" : "\"nodeName\": \"%s\",".formatted(node),
                        node.isEmpty() ? "Pending" : "Running");
    }

    private void happen(WholeReplica replica, String what) {
        count(what);
        tell(replica, what);
    }

    private void tell(WholeReplica replica, String what) {
        story.add("%d %s".formatted(replica.now() - BEGIN.getEpochSecond(), what));
    }

    private void count(String what) {
        counts.merge(what, 1, Integer::sum);
    }

    private String records(WholeReplica replica) {
        return replica.records().stream()
                .map(record -> "%s %s %s"
                        .formatted(
                                record.gang(),
                                record.phase(),
                                record.plannedAspect().message()))
                .collect(Collectors.joining("\n"));
    }
}
