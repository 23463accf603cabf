package io.slotwise.lab.simulation.metric;

import io.slotwise.core.queue.QueueEntitlements;
import io.slotwise.core.queue.QueueTree;
import io.slotwise.core.time.StepFunction;
import io.slotwise.lab.simulation.JobRun;
import io.slotwise.lab.simulation.MachineLoad;
import io.slotwise.lab.simulation.SimulationObserver;
import io.slotwise.lab.simulation.metric.ReplicationOutcome.QueueFigures;
import io.slotwise.lab.simulation.metric.ReplicationOutcome.QueuesFairness;
import io.slotwise.lab.workload.Job;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Compares over time what each queue uses with what it is entitled to.
 *
 * <p>In each second a queue wants what its jobs that wait or run request together. It is entitled to that, but to no
 * more than {@link QueueEntitlements} gives it among the queues with such jobs. It receives what it uses of that. Each
 * queue is measured in the resource of which it wants the largest part of the cluster over time. Figures include the
 * queues below; queues without own jobs are not measured.
 *
 * <p>O(d r) for each job, O(n r) for each second with events, and O(n (d + r)) for each change of the queues with jobs,
 * with n queues, d levels and r resources.
 *
 * <p>Source of the index: R. Jain, D. Chiu, W. Hawe, "A Quantitative Measure of Fairness and Discrimination for
 * Resource Allocation in Shared Computer Systems", DEC Research Report TR-301 (1984).
 */
public final class QueueFairness implements SimulationObserver {
    private final QueueTree tree;
    private final List<String> resources;
    private final List<StepFunction> guarantees;
    private final SortedMap<String, Sums> sums = new TreeMap<>();

    /** The number of own jobs that wait or run, by queue. */
    private final Map<String, Integer> jobs = new HashMap<>();

    private final TreeSet<String> measured = new TreeSet<>();
    /** The queues with own jobs since the last second with events. */
    private Set<String> holders = Set.of();

    /** True if other queues have jobs than the holders. */
    private boolean stale;

    private @Nullable QueueEntitlements entitlements;
    private long reached = Long.MIN_VALUE;
    private double seconds;

    /** A queue; each array has an element for each resource. */
    private static final class Sums {
        /** The sum of the requests of its jobs, after all events so far. */
        private final double[] wants;
        /** The sum of the requests of its running jobs, after all events so far. */
        private final double[] uses;
        /** The requests of its jobs since the last second with events. */
        private double[] wanted;
        /** The requests of its running jobs since the last second with events. */
        private double[] used;

        private final List<Totals> totals;

        Sums(int resources) {
            wants = new double[resources];
            uses = new double[resources];
            wanted = wants.clone();
            used = uses.clone();
            totals = IntStream.range(0, resources).mapToObj(_ -> new Totals()).toList();
        }

        void settle() {
            wanted = wants.clone();
            used = uses.clone();
        }
    }

    /** Sums over time, units times seconds. */
    private static final class Totals {
        private double wanted;
        private double used;
        private double entitled;
        private double received;
    }

    /** Creates a measure of a machine that has the capacity of the tree. */
    public QueueFairness(QueueTree tree) {
        this.tree = tree;
        this.resources = QueueEntitlements.resources(tree);
        this.guarantees = tree.names().stream()
                .flatMap(queue -> resources.stream().map(resource -> tree.guarantee(queue, resource)))
                .filter(guarantee -> !guarantee.isConstant())
                .distinct()
                .toList();
        tree.names().forEach(queue -> sums.put(queue, new Sums(resources.size())));
    }

    @Override
    public void submitted(Job job) {
        String queue = queue(job);
        if (queue != null) {
            measured.add(queue);
            count(queue, 1);
            tree.path(queue).forEach(name -> add(job, 1, of(name).wants));
        }
    }

    @Override
    public void started(JobRun run) {
        use(run.job(), 1);
    }

    @Override
    public void interrupted(JobRun run, Why why) {
        use(run.job(), -1);
    }

    @Override
    public void ended(JobRun run) {
        use(run.job(), -1);
        String queue = queue(run.job());
        if (queue != null) {
            count(queue, -1);
            tree.path(queue).forEach(name -> add(run.job(), -1, of(name).wants));
        }
    }

    private Sums of(String queue) {
        return Objects.requireNonNull(sums.get(queue));
    }

    private @Nullable String queue(Job job) {
        String queue = job.terms().demand().queue();
        return queue != null && tree.has(queue) ? queue : null;
    }

    private void count(String queue, int change) {
        int before = jobs.getOrDefault(queue, 0);
        jobs.put(queue, before + change);
        if (before == 0 || before + change == 0) {
            stale = true;
        }
    }

    private void use(Job job, int sign) {
        String queue = queue(job);
        if (queue != null) {
            tree.path(queue).forEach(name -> add(job, sign, of(name).uses));
        }
    }

    private void add(Job job, int sign, double[] amounts) {
        for (int i = 0; i < amounts.length; i++) {
            for (Job.Part part : job.parts()) {
                amounts[i] += (double) sign
                        * (double) part.tasks()
                        * (double) part.request().resources().get(resources.get(i));
            }
        }
    }

    @Override
    public void passed(long now, MachineLoad load) {
        while (reached != Long.MIN_VALUE && reached < now) {
            pass(nextChange(reached, now));
        }
        reached = now;
        sums.values().forEach(Sums::settle);
        if (stale) {
            holders = jobs.entrySet().stream()
                    .filter(entry -> entry.getValue() > 0)
                    .map(Map.Entry::getKey)
                    .collect(Collectors.toSet());
            entitlements = null;
            stale = false;
        }
    }

    /** Returns the first second after {@code from} in which a guarantee changes, at most {@code most}. */
    private long nextChange(long from, long most) {
        long next = most;
        for (StepFunction guarantee : guarantees) {
            next = Math.min(next, guarantee.end(guarantee.pieceAt(from)));
        }
        return next;
    }

    /** Adds the time until a second before which no guarantee changes. */
    private void pass(long until) {
        QueueEntitlements latestEntitlements = entitlements;
        if (latestEntitlements == null || !guarantees.isEmpty()) {
            latestEntitlements = new QueueEntitlements(tree, reached, holders);
            entitlements = latestEntitlements;
        }
        double time = (double) (until - reached);
        seconds += time;
        for (Map.Entry<String, Sums> entry : sums.entrySet()) {
            long[] most = latestEntitlements.of(entry.getKey());
            Sums queueSums = entry.getValue();
            for (int i = 0; i < most.length; i++) {
                double entitled = Math.min(queueSums.wanted[i], (double) most[i]);
                Totals totals = queueSums.totals.get(i);
                totals.wanted += time * queueSums.wanted[i];
                totals.used += time * queueSums.used[i];
                totals.entitled += time * entitled;
                totals.received += time * Math.min(entitled, queueSums.used[i]);
            }
        }
        reached = until;
    }

    /** Returns the figures of all queues with own jobs. */
    public QueuesFairness figures() {
        List<QueueFigures> figures =
                measured.stream().map(queue -> figures(queue, of(queue))).toList();
        double[] received = figures.stream()
                .filter(queue -> queue.received() != Spread.UNKNOWN)
                .mapToDouble(QueueFigures::received)
                .toArray();
        double sum = Arrays.stream(received).sum();
        double squares = Arrays.stream(received).map(value -> value * value).sum();
        return new QueuesFairness(
                figures,
                squares == 0 ? Spread.UNKNOWN : sum * sum / (received.length * squares),
                Arrays.stream(received).min().orElse(Spread.UNKNOWN));
    }

    private QueueFigures figures(String queue, Sums queueSums) {
        int most = 0;
        for (int i = 1; i < resources.size(); i++) {
            if (queueSums.totals.get(i).wanted * capacity(most) > queueSums.totals.get(most).wanted * capacity(i)) {
                most = i;
            }
        }
        Totals totals = queueSums.totals.get(most);
        double whole = seconds * capacity(most);
        return new QueueFigures(
                queue,
                whole == 0 ? 0 : totals.used / whole,
                whole == 0 ? 0 : totals.entitled / whole,
                totals.entitled == 0 ? Spread.UNKNOWN : totals.received / totals.entitled);
    }

    private double capacity(int resource) {
        return (double) tree.capacity().get(resources.get(resource));
    }
}
