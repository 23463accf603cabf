package io.slotwise.live.cycle;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.runtime.PastRun;
import io.slotwise.core.runtime.RunHistory;
import io.slotwise.core.runtime.RuntimePredictor;
import io.slotwise.core.runtime.RuntimeSource;
import io.slotwise.core.time.Durations;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.core.work.Isolated;
import io.slotwise.live.port.ClusterFacts;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Member;
import io.slotwise.live.record.Phase;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import org.jboss.logging.Logger;

/**
 * Learns runtimes from gangs that finished successfully. A pure function of one moment and the known history. A run
 * that is seen twice is learned once, so several replicas may see it.
 *
 * <p>Gangs with failed or deleted pods, and gangs that were moved, are not learned, because their full runtime is not
 * known.
 */
record RuntimeLearning(Map<String, RunHistory> histories, Function<String, Performance> performances) {
    private static final Logger LOG = Logger.getLogger(RuntimeLearning.class);

    /** The most that a node counts as faster or slower than the reference node, whatever its label says. */
    private static final long FACTOR = 100;

    /**
     * Returns the changed histories, by namespace. O(ended gangs), plus O(members) for each new run.
     *
     * @param updates of all gangs, settled
     */
    static List<RunHistory> of(
            ClusterFacts facts, Collection<RecordUpdate> updates, RuntimePredictor predictor, Cluster cluster) {
        if (!predictor.isOn()) {
            return List.of();
        }
        Map<String, Performance> performances = new HashMap<>();
        cluster.inventory().forEach(node -> performances.put(node.name(), node.performance()));
        RuntimeLearning learning =
                new RuntimeLearning(facts.histories(), node -> performances.getOrDefault(node, Performance.REFERENCE));
        TreeMap<String, List<RunHistory.WorkloadRun>> told = new TreeMap<>();
        for (RecordUpdate update : updates) {
            GangId gang = update.before().gang();
            Isolated.run(
                    () -> learning.learn(update, facts, told.computeIfAbsent(gang.namespace(), _ -> new ArrayList<>())),
                    error -> LOG.errorf(error, "the run of %s could not be added to the run history", gang));
        }
        List<RunHistory> changed = new ArrayList<>();
        told.forEach((namespace, runs) -> {
            RunHistory before = learning.history(namespace);
            RunHistory after = before.with(runs, predictor.history());
            if (!after.equals(before)) {
                changed.add(after);
            }
        });
        return changed;
    }

    private RunHistory history(String namespace) {
        return histories.getOrDefault(namespace, RunHistory.empty(namespace));
    }

    private void learn(RecordUpdate update, ClusterFacts facts, List<RunHistory.WorkloadRun> told) {
        GangRecord record = update.after();
        Promise promise = record.promise();
        RuntimeSource source = record.terms().source();
        if (update.isFrozen()
                || record.phase() != Phase.COMPLETED
                || promise == null
                || source == null
                || record.uid().isEmpty()
                || record.history().history() != null
                || record.history().startedAt().isEmpty()) {
            return;
        }
        String id = record.uid() + "-" + promise.window().start();
        if (history(record.gang().namespace()).has(source.workload(), id)) {
            return;
        }
        List<Member> members = facts.membersOf(record.gang());
        if (members.isEmpty() || !members.stream().allMatch(Member::succeeded)) {
            return;
        }
        long endedAt = record.history().endedAt().orElse(promise.window().end());
        long seconds = Math.clamp(seconds(record, promise.window(), members, endedAt), 1, Durations.LONGEST);
        told.add(new RunHistory.WorkloadRun(
                source.workload(),
                new PastRun(endedAt, id, seconds, record.terms().runtime())));
    }

    /**
     * Returns the duration of the run on a node of performance 1, with all pods near each other. This is the time of
     * the pod with the most work, or in lockstep, where all wait for the slowest, the work of the slowest node.
     */
    private long seconds(GangRecord record, Window window, List<Member> members, long endedAt) {
        long startedAt = record.history().startedAt().orElse(window.start());
        Map<String, Member> present = new HashMap<>();
        members.forEach(member -> present.put(member.pod(), member));
        boolean lockstep = record.terms().lockstep();
        long runtime = record.terms().runtime();
        long length = 0;
        long longest = 0;
        long most = 0;
        long slowest = Long.MAX_VALUE;
        for (Placement placement : window.placements()) {
            Member member = present.get(placement.pod());
            long end = member == null ? endedAt : member.endedAt().orElse(endedAt);
            long elapsed = Math.max(1, Math.min(end, endedAt) - startedAt);
            long speed = Math.clamp(
                    performances.apply(placement.node()).millionths(),
                    Performance.REFERENCE.millionths() / FACTOR,
                    Performance.REFERENCE.millionths() * FACTOR);
            length = placement.end() - placement.start();
            longest = Math.max(longest, elapsed);
            slowest = Math.min(slowest, speed);
            most = Math.max(most, work(near(elapsed, length, runtime, speed), speed));
        }
        return lockstep ? work(near(longest, length, runtime, slowest), slowest) : most;
    }

    /**
     * Returns the seconds without what the distance of the pods has added. A promise that is longer than the runtime on
     * its node contains the factor of the distance.
     */
    private static long near(long elapsed, long promised, long runtime, long millionths) {
        long planned = runtime == 0 ? promised : new Performance(millionths).duration(runtime);
        return planned >= promised
                ? elapsed
                : BigInteger.valueOf(elapsed)
                        .multiply(BigInteger.valueOf(planned))
                        .add(BigInteger.valueOf(promised - 1))
                        .divide(BigInteger.valueOf(promised))
                        .longValueExact();
    }

    /** Rounds up: a run that took as long as planned must not look shorter. */
    private static long work(long elapsed, long millionths) {
        Performance performance = new Performance(millionths);
        long work = performance.work(elapsed);
        return performance.duration(work) < elapsed ? work + 1 : work;
    }
}
