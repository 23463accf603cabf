package io.slotwise.lab.simulation.grid;

import io.slotwise.lab.simulation.grid.Grid.Cluster;
import io.slotwise.lab.workload.Job;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Simulates gangs in the queues of a {@link Grid}. In every second with events, ends come first, then arrivals, then
 * one pass.
 *
 * <p>A single task has priority and starts at once: on an idle processor of its cluster, else of another one, else on a
 * reserved one. If all processors are busy, it stops a gang with all its tasks, or waits if no processor runs a gang.
 * Then the gangs whose processors are all idle start in the order of the queues. Then the others migrate, first within
 * their clusters, which costs less. The processors to which a gang migrates are reserved for it until it starts.
 *
 * <p>O(w p) for each second with w waiting gangs and p processors.
 *
 * <p>Source: Pinto et al. (2014), sections III to V.
 */
public final class GridSimulation {
    private final Grid grid;
    private final Rules rules;
    private final Occupancy occupancy;
    private final GridDispatcher gridDispatcher;
    private final LocalDispatcher localDispatcher;
    private final TaskMigration migration;
    private final GridRecord record;
    private final List<GridJob> waiting = new ArrayList<>();
    private final Deque<GridJob> urgent = new ArrayDeque<>();
    private final List<GridJob> onTheirWay = new ArrayList<>();
    private final PriorityQueue<End> ends = new PriorityQueue<>(Comparator.comparingLong(End::second)
            .thenComparingLong(end -> end.job().number()));

    /**
     * The rules of a grid.
     *
     * @param adaptive whether the local dispatcher counts running tasks (aLD)
     * @param aging how many gangs may migrate past an earlier one
     * @param localTransfer the time of a migration within a cluster, seconds
     * @param externalTransfer the time of a migration to another cluster, seconds
     */
    public record Rules(
            GangOrder order,
            boolean migrates,
            boolean adaptive,

            int aging,
            long localTransfer,
            long externalTransfer) {}

    /** An end, which is void if the job has been stopped since. */
    private record End(long second, GridJob job, long startedAt) {
        boolean holds() {
            return job.state() == GridJob.State.RUNNING && job.startedAt() == startedAt;
        }
    }

    private GridSimulation(Grid grid, Rules rules, RandomGenerator random, int every) {
        this.grid = grid;
        this.rules = rules;
        this.occupancy = new Occupancy(grid.size());
        this.gridDispatcher = new GridDispatcher(grid, occupancy);
        this.localDispatcher = new LocalDispatcher(occupancy, rules.adaptive(), random);
        this.migration = new TaskMigration(occupancy, rules.aging());
        this.record = new GridRecord(grid.size(), every);
    }

    /** Runs jobs, by ascending submission, until all have ended, with a checkpoint after {@code every} jobs. */
    public static GridRecord run(Grid grid, Rules rules, List<Job> jobs, RandomGenerator random, int every) {
        return new GridSimulation(grid, rules, random, every).run(jobs);
    }

    private GridRecord run(List<Job> jobs) {
        int arrived = 0;
        long now = jobs.isEmpty() ? Long.MAX_VALUE : jobs.getFirst().submit();
        while (now != Long.MAX_VALUE) {
            end(now);
            while (arrived < jobs.size() && jobs.get(arrived).submit() <= now) {
                arrive(new GridJob(jobs.get(arrived), arrived));
                arrived++;
            }
            pass(now);
            long next = Math.min(
                    nextEvent(now), arrived < jobs.size() ? jobs.get(arrived).submit() : Long.MAX_VALUE);
            if (next != Long.MAX_VALUE) {
                record.passed(now, next, idle(), wasted());
            }
            now = next;
        }
        return record;
    }

    private long nextEvent(long now) {
        while (!ends.isEmpty() && !ends.element().holds()) {
            ends.remove();
        }
        long next = ends.isEmpty() ? Long.MAX_VALUE : ends.element().second();
        for (GridJob job : onTheirWay) {
            next = job.reservedUntil() > now ? Math.min(next, job.reservedUntil()) : next;
        }
        return next;
    }

    private int idle() {
        return grid.clusters().stream().mapToInt(occupancy::quiet).sum();
    }

    /** Returns the idle processors of clusters in which a gang waits with no more tasks than these. */
    private int wasted() {
        int wasted = 0;
        for (Cluster cluster : grid.clusters()) {
            int quiet = occupancy.quiet(cluster);
            boolean fragmented = waiting.stream().anyMatch(job -> job.tasks() <= quiet && isIn(job, cluster));
            wasted += fragmented ? quiet : 0;
        }
        return wasted;
    }

    private void end(long now) {
        for (End first = ends.peek(); first != null && first.second() <= now; first = ends.peek()) {
            ends.remove();
            if (first.holds()) {
                occupancy.release(first.job());
                record.ended(first.job(), first.job().end(now), now);
            }
        }
    }

    private void arrive(GridJob job) {
        if (job.isPriority()) {
            urgent.add(job);
            return;
        }
        Cluster cluster = gridDispatcher.cluster(job.tasks());
        job.moveTo(localDispatcher.processors(cluster, job.tasks()));
        enqueue(job);
    }

    private void enqueue(GridJob job) {
        occupancy.enqueue(job.processors());
        waiting.add(job);
        waiting.sort(rules.order().order());
    }

    private void start(GridJob job, long now) {
        occupancy.start(job);
        ends.add(new End(job.start(grid, now), job, now));
    }

    private void pass(long now) {
        placeUrgent(now);
        arriveAtTheirDestinations(now);
        startFromQueues(now);
        if (rules.migrates()) {
            for (Cluster cluster : grid.clusters()) {
                migrate(now, cluster);
            }
            migrate(now, null);
            arriveAtTheirDestinations(now);
        }
    }

    private void placeUrgent(long now) {
        int most = urgent.size();
        for (int i = 0; i < most; i++) {
            GridJob job = urgent.remove();
            Integer processor = processorFor(job);
            if (processor == null) {
                urgent.add(job);
                continue;
            }
            GridJob gridJob = occupancy.runningOn(processor);
            if (gridJob != null) {
                occupancy.release(gridJob);
                gridJob.stop(now);
                record.interrupted();
                enqueue(gridJob);
            }
            BitSet place = new BitSet();
            place.set(processor);
            job.moveTo(place);
            occupancy.enqueue(place);
            start(job, now);
        }
    }

    /** Returns where a single task starts at once. Null if all processors run single tasks. */
    private @Nullable Integer processorFor(GridJob job) {
        Cluster homeCluster = gridDispatcher.cluster(job.tasks());
        List<Integer> ranked = new ArrayList<>(localDispatcher.ranked(homeCluster));
        grid.clusters().stream()
                .filter(cluster -> !cluster.equals(homeCluster))
                .forEach(cluster -> ranked.addAll(localDispatcher.ranked(cluster)));
        return ranked.stream()
                .filter(occupancy.idle()::get)
                .findFirst()
                .or(() -> ranked.stream().filter(p -> occupancy.busy(p) == 0).findFirst())
                .or(() -> ranked.stream().filter(this::runsGang).findFirst())
                .orElse(null);
    }

    private boolean runsGang(int processor) {
        GridJob job = occupancy.runningOn(processor);
        return job != null && !job.isPriority();
    }

    private void arriveAtTheirDestinations(long now) {
        onTheirWay.removeIf(job -> {
            boolean there = job.reservedUntil() <= now && occupancy.isQuiet(job.processors());
            if (there) {
                start(job, now);
            }
            return there;
        });
    }

    private void startFromQueues(long now) {
        waiting.removeIf(job -> {
            boolean starts = occupancy.isIdle(job.processors());
            if (starts) {
                start(job, now);
            }
            return starts;
        });
    }

    /** Migrates gangs within a cluster, or between clusters if null. */
    private void migrate(long now, @Nullable Cluster withinCluster) {
        while (true) {
            List<Integer> idle = withinCluster == null
                    ? grid.clusters().stream()
                            .flatMap(cluster -> occupancy.idleOf(cluster).stream())
                            .toList()
                    : occupancy.idleOf(withinCluster);
            List<GridJob> candidates = withinCluster == null
                    ? waiting
                    : waiting.stream().filter(job -> isIn(job, withinCluster)).toList();
            TaskMigration.Move move = idle.isEmpty() ? null : migration.next(candidates, idle);
            if (move == null) {
                return;
            }
            candidates.stream()
                    .filter(job -> job.number() < move.job().number())
                    .forEach(GridJob::passOver);
            depart(move, now, withinCluster == null);
        }
    }

    private static boolean isIn(GridJob job, Cluster cluster) {
        BitSet processors = job.processors();
        return processors.nextSetBit(0) >= cluster.first() && processors.length() <= cluster.end();
    }

    private void depart(TaskMigration.Move move, long now, boolean external) {
        GridJob job = move.job();
        waiting.remove(job);
        occupancy.dequeue(job.processors());
        job.moveTo(move.to());
        occupancy.enqueue(job.processors());
        occupancy.reserve(job);
        job.migrate(now + (external ? rules.externalTransfer() : rules.localTransfer()));
        onTheirWay.add(job);
        record.migrated(external);
    }

    /**
     * Sends jobs to the cluster with the least average load, C = (1/n) x sum of [t(p) + t_s(p)] over its n processors
     * p, with t(p) queued tasks and t_s(p) running ones. Ties go to the first cluster. O(processors) for each job.
     *
     * <p>Source: Pinto et al. (2014), section IV-A, equation (2). A job with more tasks than a cluster has processors
     * cannot go there, because tasks of one job never share a processor.
     */
    private record GridDispatcher(Grid grid, Occupancy occupancy) {
        Cluster cluster(int tasks) {
            return grid.clusters().stream()
                    .filter(cluster -> cluster.size() >= tasks)
                    .min(this::compare)
                    .orElseThrow(() -> new IllegalArgumentException(
                            "No cluster has %d processors; the largest has %d.".formatted(tasks, grid.largest())));
        }

        private int compare(Cluster cluster, Cluster other) {
            return Long.compare(load(cluster) * other.size(), load(other) * cluster.size());
        }

        private long load(Cluster cluster) {
            long load = 0;
            for (int p = cluster.first(); p < cluster.end(); p++) {
                load += occupancy.queued(p) + occupancy.busy(p);
            }
            return load;
        }
    }

    /**
     * Sends the tasks of a job to the shortest queues of a cluster (JSQ), no two to the same one, with random ties. The
     * length is that of the queue alone or, if adaptive (aLD), with the running task, N_t(q) = n_t + t_s. O(n log n)
     * for each job in a cluster of n processors.
     *
     * <p>Source: Pinto et al. (2014), section IV-B, equation (3).
     */
    private record LocalDispatcher(Occupancy occupancy, boolean adaptive, RandomGenerator random) {
        private record Queue(int processor, int length, long draw) {}

        BitSet processors(Cluster cluster, int tasks) {
            BitSet chosen = new BitSet();
            ranked(cluster).stream().limit(tasks).forEach(chosen::set);
            return chosen;
        }

        List<Integer> ranked(Cluster cluster) {
            List<Queue> queues = new ArrayList<>();
            for (int p = cluster.first(); p < cluster.end(); p++) {
                queues.add(new Queue(p, length(p), random.nextLong()));
            }
            return queues.stream()
                    .sorted(Comparator.comparingInt(Queue::length)
                            .thenComparingLong(Queue::draw)
                            .thenComparingInt(Queue::processor))
                    .map(Queue::processor)
                    .toList();
        }

        private int length(int processor) {
            return occupancy.queued(processor) + (adaptive ? occupancy.busy(processor) : 0);
        }
    }

    /**
     * Moves tasks of a gang to idle processors, so that the gang starts although some of its processors are busy.
     *
     * <p>Candidates are the gangs that have a task at the head of an idle processor's queue and no more tasks than
     * there are idle processors. The candidate with the fewest tasks to move is chosen, the first one in the queues'
     * order. Its tasks on busy processors go to the idle processors with the shortest queues. Local migration considers
     * the processors of one cluster. External migration considers all clusters, and spreads gangs over them.
     *
     * <p>Aging: once {@code aging} later gangs have migrated past a gang, no further one may.
     *
     * <p>O(w p) for w waiting gangs and p processors.
     *
     * <p>Source: Pinto et al. (2014), section V-A, strategies 1 to 4. The paper does not say how aging regulates
     * migrations; the rule above is a choice made here.
     */
    record TaskMigration(Occupancy occupancy, int aging) {
        record Move(GridJob job, BitSet to, int tasks) {}

        /** Returns the next migration of waiting gangs, given in the queues' order. Null if none is possible. */
        @Nullable
        Move next(List<GridJob> waiting, List<Integer> idle) {
            BitSet free = new BitSet();
            idle.forEach(free::set);
            long firstAged = waiting.stream()
                    .filter(job -> job.passedOver() >= aging)
                    .mapToLong(GridJob::number)
                    .min()
                    .orElse(Long.MAX_VALUE);
            BitSet behind = new BitSet();
            GridJob bestJob = null;
            int fewest = Integer.MAX_VALUE;
            for (GridJob job : waiting) {
                int here = 0;
                boolean first = false;
                for (int p = job.processors().nextSetBit(0);
                        p >= 0;
                        p = job.processors().nextSetBit(p + 1)) {
                    if (free.get(p)) {
                        here++;
                        first |= !behind.get(p);
                    }
                }
                behind.or(job.processors());
                int moved = job.tasks() - here;
                if (first && job.tasks() <= idle.size() && job.number() <= firstAged && moved < fewest) {
                    bestJob = job;
                    fewest = moved;
                }
            }
            return bestJob == null ? null : new Move(bestJob, destination(bestJob, idle), fewest);
        }

        /** Returns the job's own idle processors and the other idle ones with the shortest queues. */
        private BitSet destination(GridJob job, List<Integer> idle) {
            BitSet to = new BitSet();
            idle.stream()
                    .sorted(Comparator.comparing(
                                    (Integer p) -> !job.processors().get(p))
                            .thenComparingInt(occupancy::queued)
                            .thenComparing(Comparator.naturalOrder()))
                    .limit(job.tasks())
                    .forEach(to::set);
            return to;
        }
    }
}
