package io.slotwise.testing;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Taint;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The best window of one gang by trying every start, every way to spread the pods over the nodes, and every second of every
 * pod: from the contract alone, far too slow for anything but tests.
 */
public final class BruteForce {
    private static final Comparator<Best> ORDER =
            Comparator.comparingLong(Best::value).thenComparingLong(Best::start).thenComparingLong(Best::cost);

    private final Cluster cluster;
    private final Policy policy;
    private final Gang gang;
    private final long now;
    private @Nullable Best best;

    /** What the best window is worth by the gang's criterion, its start, its cost in 1/3600 millionths. */
    public record Best(long value, long start, long cost) {}

    private BruteForce(Cluster cluster, Policy policy, Gang gang, long now) {
        this.cluster = cluster;
        this.policy = policy;
        this.gang = gang;
        this.now = now;
    }

    /** The best window, or null if there is none. */
    public static @Nullable Best best(Cluster cluster, Policy policy, Gang gang, long now) {
        BruteForce search = new BruteForce(cluster, policy, gang, now);
        for (long t = Math.max(now, gang.earliestStart()); t < now + policy.horizon(); t++) {
            search.spread(t, 0, gang.size(), new int[cluster.nodes().size()]);
        }
        return search.best;
    }

    private void spread(long t, int i, int left, int[] counts) {
        if (i == counts.length) {
            if (left == 0) {
                judge(t, counts);
            }
            return;
        }
        for (int k = 0; k <= Math.min(left, gang.maxPerNode()); k++) {
            counts[i] = k;
            if (k > 0 && !eligible(cluster.nodes().get(i))) {
                break;
            }
            spread(t, i + 1, left - k, counts);
        }
        counts[i] = 0;
    }

    private boolean eligible(Node node) {
        return node.schedulable()
                && node.labels()
                        .entrySet()
                        .containsAll(gang.request().constraint().selector().entrySet())
                && (gang.criterion() != Criterion.ENERGY || node.power() >= 0)
                && !gang.request().constraint().avoided().contains(node.name())
                && node.taints().stream()
                        .allMatch(taint -> taint.effect() == Taint.Effect.PREFER_NO_SCHEDULE
                                || gang.request().constraint().tolerations().stream()
                                        .anyMatch(t -> taint.key().equals(t.key())));
    }

    private long duration(Node node) {
        long runtime = gang.request().runtime();
        if (gang.request().nodeIndependent()) {
            return runtime;
        }
        long d = 0;
        while (d * node.performance().millionths() < runtime * 1_000_000) {
            d++;
        }
        return d;
    }

    private void judge(long t, int[] counts) {
        long longest = 0;
        List<String> domains = new ArrayList<>();
        String topology = gang.topology();
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                longest = Math.max(longest, duration(cluster.nodes().get(i)));
                if (topology != null) {
                    domains.add(String.valueOf(cluster.nodes().get(i).labels().get(topology)));
                }
            }
        }
        if (domains.stream().distinct().count() > 1) {
            return;
        }
        long cost = 0;
        long processorTime = 0;
        long energy = 0;
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                Node node = cluster.nodes().get(i);
                long d = gang.lockstep() ? longest : duration(node);
                if (!fits(node, counts[i], t, d)) {
                    return;
                }
                cost += counts[i] * cost(node, t, d);
                processorTime += counts[i] * d;
                energy += counts[i] * d * shareOf(node, node.power());
            }
        }
        if (gang.budget().total() == null || cost <= gang.budget().total().micros() * 3600) {
            offer(new Best(
                    switch (gang.criterion()) {
                        case START -> t;
                        case FINISH -> t + longest;
                        case RUNTIME -> longest;
                        case COST -> cost;
                        case PROCESSOR_TIME -> processorTime;
                        case ENERGY -> energy;
                    },
                    t,
                    cost));
        }
    }

    private void offer(Best found) {
        if (best == null || ORDER.compare(found, best) < 0) {
            best = found;
        }
    }

    private boolean fits(Node node, int pods, long t, long d) {
        if (t + d > Math.min(gang.deadline(), now + policy.horizon())) {
            return false;
        }
        for (Interval kept : node.unavailable()) {
            if (t < kept.end() && kept.start() < t + d) {
                return false;
            }
        }
        for (long second = t; second < t + d; second++) {
            if (gang.budget().slotPrice() != null
                    && rate(node, second) > gang.budget().slotPrice().micros()) {
                return false;
            }
        }
        for (long second = t; second < t + d + policy.turnover(); second++) {
            for (Map.Entry<String, Long> asked :
                    gang.request().resources().asMap().entrySet()) {
                if (taken(node, asked.getKey(), second) + pods * asked.getValue()
                        > node.allocatable().get(asked.getKey())) {
                    return false;
                }
            }
        }
        return true;
    }

    private long taken(Node node, String kind, long second) {
        long sum = 0;
        for (Occupation o : cluster.occupations()) {
            if (o.node().equals(node.name())
                    && o.interval().start() <= second
                    && second < o.interval().end() + policy.turnover()) {
                sum += o.amount().get(kind);
            }
        }
        return sum;
    }

    private long cost(Node node, long t, long d) {
        long sum = 0;
        for (long second = t; second < t + d; second++) {
            sum += rate(node, second);
        }
        return sum;
    }

    /** Share times price, rounded half up; the largest over the resources asked for is the dominant share's. */
    private long rate(Node node, long second) {
        return shareOf(node, node.price().at(second));
    }

    private long shareOf(Node node, long price) {
        long largest = 0;
        for (Map.Entry<String, Long> asked : gang.request().resources().asMap().entrySet()) {
            long whole = node.allocatable().get(asked.getKey());
            if (!asked.getKey().equals(Resources.PODS)) {
                largest = Math.max(largest, (2 * asked.getValue() * price + whole) / (2 * whole));
            }
        }
        return largest;
    }
}
