package io.slotwise.testing;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Taint;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.gang.Preferences;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.provision.Billing;
import io.slotwise.core.provision.NodeOffer;
import io.slotwise.core.provision.Provisioning;
import io.slotwise.core.provision.Purchase;
import io.slotwise.core.provision.PurchaseQuota;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Window;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The best window of one gang, found by trying every start, every distribution of the pods over the nodes, and every
 * second of every pod. The search follows the contract alone, and is far too slow for anything but tests.
 */
public final class BruteForce {
    private static final Comparator<Best> ORDER =
            Comparator.comparingLong(Best::value).thenComparingLong(Best::start).thenComparingLong(Best::cost);

    private final Cluster cluster;
    private final Policy policy;
    private final Gang gang;
    private final long now;
    /** The nodes of the cluster that must be bought before use, by name. */
    private final Map<String, NodeOffer> buyable = new HashMap<>();
    /** The purchases of other gangs. */
    private final List<Purchase> bought = new ArrayList<>();

    private final Map<String, long[]> taken = new HashMap<>();
    private final Map<String, long[]> rates = new HashMap<>();
    private BiPredicate<Long, Long> allowed = (_, _) -> true;
    private @Nullable Best best;
    private @Nullable Window promised;

    /** The narrowest span of the nodes that are tried. */
    private Topology.@Nullable Span span;

    private boolean improved;

    /** The best window's value by the gang's criterion, its start, and its cost in 1/3600 millionths. */
    public record Best(long value, long start, long cost) {}

    private BruteForce(Cluster cluster, Policy policy, Gang gang, long now) {
        this.cluster = cluster;
        this.policy = policy;
        this.gang = gang;
        this.now = now;
    }

    /**
     * Returns whether some window may replace the promised one: it starts and ends no later, costs no more, is no worse
     * by the gang's criterion, and is better in one of these. Precondition: the promised window's room is free.
     */
    public static boolean improves(Cluster cluster, Policy policy, Gang gang, long now, Window promised) {
        BruteForce search = new BruteForce(cluster, policy, gang, now);
        search.promised = promised;
        int[] pods =
                gang.shapes().stream().mapToInt(shape -> shape.pods().size()).toArray();
        for (long t = Math.max(now, gang.earliestStart()); t <= promised.start(); t++) {
            search.spread(t, 0, 0, pods, new int[cluster.inventory().size()][pods.length]);
        }
        return search.improved;
    }

    private void compare(Best found, long end, Window with) {
        long value = with.value(gang);
        long cost = with.cost().microSecondsPerHour();
        improved |= found.start() <= with.start()
                && end <= with.end()
                && found.cost() <= cost
                && found.value() <= value
                && (found.start() < with.start() || end < with.end() || found.cost() < cost || found.value() < value);
    }

    /**
     * Returns the best window if these nodes can be bought within all limits, next to the purchases of other gangs. Its
     * cost is the expected cost. Null if no window fits.
     */
    public static @Nullable Best best(
            Cluster cluster, Policy policy, List<NodeOffer> offers, List<Purchase> bought, Gang gang, long now) {
        Map<String, NodeOffer> buyable = new HashMap<>();
        List<Node> nodes = new ArrayList<>(cluster.inventory());
        for (Purchase one : bought) {
            Node kind = one.offer().node();
            List<Interval> away = new ArrayList<>();
            away.add(new Interval(one.gone() - one.offer().billing().shutdown(), Interval.FOREVER));
            if (one.bought() + one.offer().billing().delay() > now) {
                away.addFirst(
                        new Interval(now, one.bought() + one.offer().billing().delay()));
            }
            nodes.add(as(kind, one.node(), StepFunction.constant(one.price()), away));
        }
        for (NodeOffer offer : offers) {
            Node kind = offer.node();
            for (int i = 0; i < Math.min(offer.quota().nodes(), gang.size()); i++) {
                String name = kind.name() + "-" + i;
                nodes.add(as(kind, name, kind.price(), kind.unavailable()));
                buyable.put(name, offer);
            }
        }
        BruteForce search = new BruteForce(new Cluster(nodes, cluster.occupations()), policy, gang, now);
        search.buyable.putAll(buyable);
        search.bought.addAll(bought);
        return search.found();
    }

    private static Node as(Node kind, String name, StepFunction price, List<Interval> away) {
        Map<String, String> labels = new HashMap<>(kind.labels());
        labels.put("kubernetes.io/hostname", name);
        return new Node(
                        name,
                        labels,
                        kind.taints(),
                        kind.schedulable(),
                        kind.allocatable(),
                        kind.performance(),
                        kind.owner(),
                        price,
                        away)
                .withPower(kind.power())
                .withBandwidth(kind.bandwidth());
    }

    /** Returns the best window, or null if none fits. */
    public static @Nullable Best best(Cluster cluster, Policy policy, Gang gang, long now) {
        return new BruteForce(cluster, policy, gang, now).found();
    }

    /** Returns the best window of those whose start and end are allowed, or null if none fits. */
    public static @Nullable Best best(
            Cluster cluster, Policy policy, Gang gang, long now, BiPredicate<Long, Long> allowed) {
        BruteForce search = new BruteForce(cluster, policy, gang, now);
        search.allowed = allowed;
        return search.found();
    }

    private @Nullable Best found() {
        int[] pods =
                gang.shapes().stream().mapToInt(shape -> shape.pods().size()).toArray();
        for (long t = Math.max(now, gang.earliestStart()); t < now + policy.horizon(); t++) {
            spread(t, 0, 0, pods, new int[cluster.inventory().size()][pods.length]);
        }
        return best;
    }

    /** The second in which a node is bought that is used from {@code t} on. */
    private static long purchase(NodeOffer offer, long t) {
        return t - offer.billing().delay();
    }

    /** The bill of a bought node: whole steps, until the node has shut down and the least billed time has passed. */
    private static BigInteger bill(NodeOffer offer, long t, long d) {
        Billing billing = offer.billing();
        long paid = 0;
        while (paid < billing.delay() + d + billing.shutdown() || paid < billing.least()) {
            paid += billing.step();
        }
        return BigInteger.valueOf(offer.node().price().at(purchase(offer, t))).multiply(BigInteger.valueOf(paid));
    }

    /** The cost of all purchases with the expected loss from reclaimed nodes. Null if a limit is exceeded. */
    private @Nullable BigInteger bills(long t, int[][] counts, long longest) {
        BigInteger all = BigInteger.ZERO;
        long nodes = bought.size();
        long risk = 0;
        Map<String, BigInteger> spent = new HashMap<>();
        Map<String, Long> amounts = new HashMap<>();
        Map<String, PurchaseQuota> quotas = new HashMap<>();
        BigInteger spending = BigInteger.ZERO;
        for (Purchase one : bought) {
            BigInteger bill = one.bill().exact();
            spending = spending.add(bill);
            count(one.offer(), bill, spent, amounts, quotas);
        }
        for (int i = 0; i < counts.length; i++) {
            Node node = cluster.inventory().get(i);
            NodeOffer offer = buyable.get(node.name());
            if (offer == null || Arrays.stream(counts[i]).sum() == 0) {
                continue;
            }
            if (purchase(offer, t) < now) {
                return null;
            }
            long d = gang.lockstep() ? longest : duration(node);
            BigInteger bill = bill(offer, t, d);
            all = all.add(bill);
            nodes++;
            risk += offer.hazard() * d;
            count(offer, bill, spent, amounts, quotas);
        }
        Provisioning.Spending limit = policy.provisioning().maxSpend();
        if (limit != null
                && spending.add(all).compareTo(BigInteger.valueOf(limit.amount().micros() * 3600)) > 0) {
            return null;
        }
        for (PurchaseQuota quota : quotas.values()) {
            Money money = quota.money();
            if (amounts.getOrDefault(quota.name(), 0L) > quota.nodes()
                    || quota.resources().asMap().entrySet().stream()
                            .anyMatch(most ->
                                    amounts.getOrDefault(quota.name() + " " + most.getKey(), 0L) > most.getValue())
                    || (money != null
                            && spent.getOrDefault(quota.name(), BigInteger.ZERO)
                                            .compareTo(BigInteger.valueOf(money.micros() * 3600))
                                    > 0)) {
                return null;
            }
        }
        long certain = 1_000_000L * 3600;
        if (nodes > policy.provisioning().maxNodes()
                || risk > policy.provisioning().spotRisk() * 3600L) {
            return null;
        }
        BigInteger[] parts =
                all.multiply(BigInteger.valueOf(risk)).divideAndRemainder(BigInteger.valueOf(certain - risk));
        return all.add(parts[0]).add(BigInteger.valueOf(parts[1].signum()));
    }

    private static void count(
            NodeOffer offer,
            BigInteger bill,
            Map<String, BigInteger> spent,
            Map<String, Long> amounts,
            Map<String, PurchaseQuota> quotas) {
        PurchaseQuota quota = offer.quota();
        quotas.put(quota.name(), quota);
        spent.merge(quota.name(), bill, BigInteger::add);
        amounts.merge(quota.name(), 1L, Long::sum);
        offer.node()
                .allocatable()
                .asMap()
                .forEach((resource, amount) -> amounts.merge(quota.name() + " " + resource, amount, Long::sum));
    }

    /** Tries every number of pods of shape {@code j} on node {@code i}, then the next shapes, then the next nodes. */
    private void spread(long t, int i, int j, int[] left, int[][] counts) {
        if (i == counts.length) {
            if (Arrays.stream(left).allMatch(pods -> pods == 0)) {
                judge(t, counts);
            }
            return;
        }
        if (j == left.length) {
            if (isRedundant(i, counts)) {
                return;
            }
            spread(t, i + 1, 0, left, counts);
            return;
        }
        int most = eligible(cluster.inventory().get(i), gang.shapes().get(j).request()) ? left[j] : 0;
        for (int k = 0; k <= most; k++) {
            counts[i][j] = k;
            left[j] -= k;
            if (Arrays.stream(counts[i]).sum() <= gang.maxPerNode()) {
                spread(t, i, j + 1, left, counts);
            }
            left[j] += k;
            counts[i][j] = 0;
        }
    }

    /** Returns whether an equal case is tried: of equal nodes the first are bought, and have the most pods. */
    private boolean isRedundant(int i, int[][] counts) {
        NodeOffer offer = buyable.get(cluster.inventory().get(i).name());
        return offer != null
                && i > 0
                && offer.equals(buyable.get(cluster.inventory().get(i - 1).name()))
                && Arrays.stream(counts[i]).sum() > Arrays.stream(counts[i - 1]).sum();
    }

    private boolean eligible(Node node, PodRequest request) {
        return node.schedulable()
                && node.labels()
                        .entrySet()
                        .containsAll(request.constraint().selector().entrySet())
                && (gang.criterion() != Criterion.ENERGY || node.power() >= 0)
                && !request.constraint().avoided().contains(node.name())
                && !request.constraint().closed().containsKey(node.name())
                && node.taints().stream()
                        .allMatch(taint -> taint.effect() == Taint.Effect.PREFER_NO_SCHEDULE
                                || request.constraint().tolerations().stream()
                                        .anyMatch(t -> taint.key().equals(t.key())));
    }

    private long duration(Node node) {
        long runtime = gang.runtime();
        boolean alike = gang.shapes().getFirst().request().nodeIndependent();
        long d = alike ? runtime : 0;
        while (!alike && d * node.performance().millionths() < runtime * 1_000_000) {
            d++;
        }
        return span == null ? d : SpanOracle.lasting(span, d);
    }

    private void judge(long t, int[][] counts) {
        List<Node> used = new ArrayList<>();
        for (int i = 0; i < counts.length; i++) {
            if (Arrays.stream(counts[i]).sum() > 0) {
                used.add(cluster.inventory().get(i));
            }
        }
        span = SpanOracle.narrowest(gang, used);
        if (span == null || !SpanOracle.hasSlices(gang, cluster.inventory(), counts)) {
            return;
        }
        long longest = used.stream().mapToLong(this::duration).max().orElse(0);
        BigInteger bills = allowed.test(t, t + longest) ? bills(t, counts, longest) : null;
        if (bills == null) {
            return;
        }
        long cost = bills.longValueExact();
        long processorTime = 0;
        long energy = 0;
        for (int i = 0; i < counts.length; i++) {
            if (Arrays.stream(counts[i]).sum() > 0) {
                Node node = cluster.inventory().get(i);
                long d = gang.lockstep() ? longest : duration(node);
                if (!fits(node, counts[i], t, d)) {
                    return;
                }
                for (int j = 0; j < counts[i].length; j++) {
                    Resources asked = gang.shapes().get(j).request().resources();
                    cost += buyable.containsKey(node.name()) ? 0 : counts[i][j] * cost(node, j, t, d);
                    processorTime += counts[i][j] * d;
                    energy += counts[i][j] * d * shareOf(node, asked, node.power());
                }
            }
        }
        if (gang.budget().total() == null || cost <= gang.budget().total().micros() * 3600) {
            Best found = new Best(
                    switch (gang.criterion()) {
                        case START -> t;
                        case FINISH -> t + longest;
                        case RUNTIME -> longest;
                        case COST -> cost;
                        case PROCESSOR_TIME -> processorTime;
                        case ENERGY -> energy;
                        case VALUE ->
                            cost
                                    + gang.valueOfTime().hour().micros()
                                            * (Math.min(
                                                            t + longest,
                                                            Math.max(
                                                                    gang.arrival(),
                                                                    gang.valueOfTime()
                                                                            .until()))
                                                    - gang.arrival());
                        case PREFERENCE -> distance(t, t + longest, cost);
                    },
                    t,
                    cost);
            boolean looks = promised != null || best == null || ORDER.compare(found, best) < 0;
            if (!looks || (gang.hasRules() && !keepsRules(t, counts, longest))) {
                return;
            }
            if (promised != null) {
                compare(found, t + longest, promised);
            }
            offer(found);
        }
    }

    /** The hours off the preferred start, the hours past the preferred finish, the share above the preferred cost. */
    private long distance(long t, long end, long cost) {
        Preferences wish = gang.preferences();
        BigInteger unit = wish.preferredCost() == null
                ? BigInteger.valueOf(1_000_000)
                : BigInteger.valueOf(wish.preferredCost().reference().micros());
        BigInteger divisor = BigInteger.valueOf(
                wish.preferredCost() == null ? 1000 : wish.preferredCost().weight());
        BigInteger sum = BigInteger.ZERO;
        if (wish.preferredStart() != null) {
            sum = sum.add(unit.multiply(BigInteger.valueOf(wish.preferredStart().weight()))
                    .divide(divisor)
                    .multiply(BigInteger.valueOf(
                            Math.abs(t - wish.preferredStart().reference()))));
        }
        if (wish.preferredFinish() != null) {
            sum = sum.add(
                    unit.multiply(BigInteger.valueOf(wish.preferredFinish().weight()))
                            .divide(divisor)
                            .multiply(BigInteger.valueOf(
                                    Math.max(0, end - wish.preferredFinish().reference()))));
        }
        if (wish.preferredCost() != null) {
            sum = sum.add(BigInteger.valueOf(
                    Math.max(0, cost - wish.preferredCost().reference().micros() * 3600)));
        }
        return sum.longValueExact();
    }

    private boolean keepsRules(long t, int[][] counts, long longest) {
        return new PodOrders(cluster, policy.turnover(), gang).someOrderKeeps(podsAt(t, counts, longest));
    }

    private List<PodOrders.PlacedPod> podsAt(long t, int[][] counts, long longest) {
        List<PodOrders.PlacedPod> placedPods = new ArrayList<>();
        for (int i = 0; i < counts.length; i++) {
            Node node = cluster.inventory().get(i);
            for (int j = 0; j < counts[i].length; j++) {
                for (int k = 0; k < counts[i][j]; k++) {
                    placedPods.add(
                            new PodOrders.PlacedPod(node, j, t, t + (gang.lockstep() ? longest : duration(node))));
                }
            }
        }
        return placedPods;
    }

    private void offer(Best found) {
        if (best == null || ORDER.compare(found, best) < 0) {
            best = found;
        }
    }

    private boolean fits(Node node, int[] pods, long t, long d) {
        if (t + d > Math.min(gang.deadline(), now + policy.horizon())) {
            return false;
        }
        for (Interval kept : node.unavailable()) {
            if (t < kept.end() && kept.start() < t + d) {
                return false;
            }
        }
        Money slotPrice = gang.budget().slotPrice();
        for (int j = 0; j < pods.length && slotPrice != null; j++) {
            NodeOffer offer = buyable.get(node.name());
            if (offer != null) {
                Resources asked = gang.shapes().get(j).request().resources();
                if (pods[j] > 0 && shareOf(node, asked, node.price().at(purchase(offer, t))) > slotPrice.micros()) {
                    return false;
                }
                continue;
            }
            long[] rates = rates(node, j);
            for (long second = t; pods[j] > 0 && second < t + d; second++) {
                if (rates[(int) (second - now)] > slotPrice.micros()) {
                    return false;
                }
            }
        }
        for (String kind : node.allocatable().asMap().keySet()) {
            long needed = 0;
            for (int j = 0; j < pods.length; j++) {
                needed += pods[j] * gang.shapes().get(j).request().resources().get(kind);
            }
            long[] taken = taken(node, kind);
            for (long second = t; needed > 0 && second < t + d + policy.turnover(); second++) {
                if (taken[(int) (second - now)] + needed > node.allocatable().get(kind)) {
                    return false;
                }
            }
        }
        return true;
    }

    /** The used amount of a node by second, including the turnover. */
    private long[] taken(Node node, String kind) {
        return taken.computeIfAbsent(node.name() + "/" + kind, _ -> {
            long[] seconds = new long[(int) (policy.horizon() + policy.turnover())];
            for (int s = 0; s < seconds.length; s++) {
                for (Occupation o : cluster.occupations()) {
                    if (o.node().equals(node.name())
                            && o.interval().start() <= now + s
                            && now + s < o.interval().end() + policy.turnover()) {
                        seconds[s] += o.resources().get(kind);
                    }
                }
            }
            return seconds;
        });
    }

    /** The price that a pod of a shape pays on a node by second. */
    private long[] rates(Node node, int shape) {
        return rates.computeIfAbsent(node.name() + "/" + shape, _ -> {
            Resources asked = gang.shapes().get(shape).request().resources();
            long[] seconds = new long[(int) policy.horizon()];
            for (int s = 0; s < seconds.length; s++) {
                seconds[s] = shareOf(node, asked, node.price().at(now + s));
            }
            return seconds;
        });
    }

    private long cost(Node node, int shape, long t, long d) {
        long[] rates = rates(node, shape);
        long sum = 0;
        for (long second = t; second < t + d; second++) {
            sum += rates[(int) (second - now)];
        }
        return sum;
    }

    /** Share times price, rounded half up. The largest over all requested resources is that of the dominant share. */
    private static long shareOf(Node node, Resources resources, long price) {
        long largest = 0;
        for (Map.Entry<String, Long> asked : resources.asMap().entrySet()) {
            long whole = node.allocatable().get(asked.getKey());
            if (!asked.getKey().equals(Resources.PODS) && !asked.getKey().contains(" ")) {
                largest = Math.max(largest, (2 * asked.getValue() * price + whole) / (2 * whole));
            }
        }
        return largest;
    }
}
