package io.slotwise.lab.simulation.planned;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.OverrunGrace;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.ledger.PromiseTariff;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.PromisedPrices;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.provision.NodeOffer;
import io.slotwise.core.provision.Purchase;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.lab.simulation.JobRun;
import io.slotwise.lab.simulation.MachineLoad;
import io.slotwise.lab.simulation.NodeSpending;
import io.slotwise.lab.simulation.Scheduler;
import io.slotwise.lab.simulation.disturbance.Disturbance;
import io.slotwise.lab.workload.Job;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A baseline: kube-scheduler with a threshold autoscaler, by the defaults of Cluster Autoscaler.
 *
 * <p><b>Starts.</b> In every second with events the waiting jobs are tried by priority, then by arrival. A job starts
 * if all its pods have room, and otherwise does not hinder the others. Pods go to the fullest nodes ({@code
 * MostAllocated}, the recommendation for bought nodes), with ties by name. Runtimes, budgets and deadlines are unknown.
 * All pods of a job start together, which favours the baseline: kube-scheduler itself binds them one by one.
 *
 * <p><b>Buying.</b> Every ten seconds the waiting pods are placed on free capacity and on nodes that are on their way.
 * For the remaining pods one offer is chosen, whose nodes would be used best, and as many of its nodes are bought as
 * these pods need. The expander is {@code least-waste}, with ties by the price of the used part, then by name.
 *
 * <p><b>Giving up.</b> A bought node that is empty for ten minutes is given up at the next look, but not within ten
 * minutes after a purchase. Pods are not evicted from nodes that are used by less than half, because these jobs would
 * begin again ({@code cluster-autoscaler.kubernetes.io/safe-to-evict: "false"}).
 *
 * <p>O(w (p + N log N)) in each second with events, for w waiting jobs with p pods and N nodes.
 */
public final class ThresholdAutoscaler implements Scheduler {
    /** The interval of looks at waiting pods, seconds: {@code --scan-interval}. */
    static final long SCAN = 10;

    /** The time for which a node is empty before it is given up, seconds: {@code --scale-down-unneeded-time}. */
    static final long UNNEEDED = 600;

    /** The time after a purchase in which no node is given up, seconds: {@code --scale-down-delay-after-add}. */
    static final long AFTER_ADD = 600;

    private static final GangId BUYER = new GangId("autoscaler", "autoscaler");

    private final List<NodeOffer> offers;
    private final SimulatedCluster cluster;
    private final SortedMap<String, Node> nodes = new TreeMap<>();
    private final SortedMap<String, Purchase> coming = new TreeMap<>();
    private final SortedMap<String, Purchase> existing = new TreeMap<>();
    private final Map<String, Long> empty = new HashMap<>();

    private final List<WaitingJob> waiting = new ArrayList<>();
    private final Map<String, Integer> numbers = new HashMap<>();
    private long scanDue = NEVER;
    private long lastAdd = Long.MIN_VALUE / 2;
    private long bought;
    private long seen;
    private Cost cost = Cost.ZERO;

    private record Unplaced(PodRequest request, int pods) {}

    /** A possible purchase, with its used milli-cores out of all. */
    private record Expansion(NodeOffer offer, int nodes, long used, long all) {
        /** By the used part, then the price of that, then the name. */
        private static final Comparator<Expansion> ORDER = ((Comparator<Expansion>) Expansion::byWaste)
                .thenComparing(Expansion::byPrice)
                .thenComparing(expansion -> expansion.offer.name());

        private static int byWaste(Expansion expansion, Expansion other) {
            return compare(other.used, expansion.all, expansion.used, other.all);
        }

        private static int byPrice(Expansion expansion, Expansion other) {
            return compare(expansion.price(), other.used, other.price(), expansion.used);
        }

        private static int compare(long a, long b, long c, long d) {
            return BigInteger.valueOf(a)
                    .multiply(BigInteger.valueOf(b))
                    .compareTo(BigInteger.valueOf(c).multiply(BigInteger.valueOf(d)));
        }

        private long price() {
            return nodes * offer.node().price().min();
        }
    }

    /** Creates a scheduler of idle nodes. Without offers there is no autoscaler. */
    public ThresholdAutoscaler(Collection<Node> nodes, List<NodeOffer> offers) {
        this.offers =
                offers.stream().sorted(Comparator.comparing(NodeOffer::name)).toList();
        this.cluster = new SimulatedCluster(nodes, new OverrunGrace(SCAN));
        nodes.forEach(node -> this.nodes.put(node.name(), node));
    }

    @Override
    public List<JobRun> meets(Disturbance disturbance, long now) {
        throw new IllegalStateException("The policy (autoscaler) must not meet disturbances.");
    }

    @Override
    public long capacityOf(Job job) {
        return job.cpu();
    }

    @Override
    public boolean submitted(Job job, long now) {
        if (!job.parts().stream().allMatch(this::admits)) {
            return false;
        }
        waiting.add(new WaitingJob(job, StoppedRuns.NOTHING));
        waiting.sort(Comparator.comparingInt((WaitingJob waitingJob) -> -waitingJob.gang.priority())
                .thenComparingLong(waitingJob -> waitingJob.gang.arrival())
                .thenComparing(waitingJob -> waitingJob.gang.id()));
        return true;
    }

    private boolean admits(Job.Part part) {
        Stream<Long> fixed = nodes.values().stream()
                .filter(node -> !isBought(node.name()))
                .map(node -> podCount(node, part.request()));
        Stream<Long> more = offers.stream().map(offer -> most(offer) * podCount(offer.node(), part.request()));
        return Stream.concat(fixed, more).mapToLong(Long::longValue).sum() >= part.tasks();
    }

    private boolean isBought(String node) {
        return existing.containsKey(node) || coming.containsKey(node);
    }

    private static long most(NodeOffer offer) {
        return Math.min(offer.most(), offer.quota().nodes());
    }

    private static long podCount(Node node, PodRequest request) {
        return request.constraint().exclusion(node) == null ? node.allocatable().times(request.resources()) : 0;
    }

    @Override
    public void ended(JobRun run) {}

    @Override
    public List<JobRun> pass(long now) {
        seen = now;
        cluster.advance(now);
        arrive(now);
        List<JobRun> starts = start(now);
        if (!waiting.isEmpty() && !offers.isEmpty()) {
            scanDue = Math.min(scanDue, look(now));
        }
        if (scanDue <= now) {
            scanDue = NEVER;
            if (buy(now)) {
                scanDue = now + SCAN;
            }
        }
        giveUp(now);
        return starts;
    }

    /** Returns the first scan of the autoscaler at this second or later. */
    private static long look(long second) {
        return Math.ceilDiv(second, SCAN) * SCAN;
    }

    private void arrive(long now) {
        List.copyOf(coming.values()).stream()
                .filter(purchase -> purchase.ready() <= now)
                .forEach(purchase -> {
                    coming.remove(purchase.node());
                    existing.put(purchase.node(), purchase);
                });
    }

    private List<JobRun> start(long now) {
        List<JobRun> starts = new ArrayList<>();
        List<WaitingJob> left = new ArrayList<>();
        Room room = new Room(false);
        for (WaitingJob job : waiting) {
            Map<String, String> places = new LinkedHashMap<>();
            // A fast check: most waiting jobs find too little room for one kind of their pods.
            if (mayFit(job.gang, room)
                    && place(job.gang, new Room(false), places).isEmpty()) {
                starts.add(start(job, places, now));
            } else {
                left.add(job);
            }
        }
        waiting.clear();
        waiting.addAll(left);
        return starts;
    }

    private static boolean mayFit(Gang gang, Room room) {
        for (Gang.Shape shape : gang.shapes()) {
            long left = shape.pods().size();
            for (String node : room.usable) {
                left -= room.podCount(node, shape.request());
                if (left <= 0) {
                    break;
                }
            }
            if (left > 0) {
                return false;
            }
        }
        return true;
    }

    private JobRun start(WaitingJob job, Map<String, String> places, long now) {
        PromisedPrices prices = new PromisedPrices(
                places.values().stream()
                        .distinct()
                        .map(node -> Objects.requireNonNull(nodes.get(node)))
                        .toList(),
                Policy.EXACT);
        long longest = 0;
        for (Map.Entry<String, String> place : places.entrySet()) {
            longest = Math.max(longest, duration(job.gang, place));
        }
        List<Placement> pods = new ArrayList<>();
        for (Map.Entry<String, String> place : places.entrySet()) {
            long end = now + (job.gang.lockstep() ? longest : duration(job.gang, place));
            pods.add(new Placement(
                    place.getKey(),
                    place.getValue(),
                    now,
                    end,
                    Cost.of(
                            prices.rate(
                                    place.getValue(),
                                    job.gang.requestOf(place.getKey()).resources()),
                            now,
                            end)));
        }
        pods.sort(Comparator.comparing(Placement::pod));
        Promise promise = new Promise(Window.of(job.gang.id(), now, pods), WindowOrigin.ONLINE, true);
        PromiseTariff tariff = prices.of(new Planned(job.gang, promise.window(), promise.origin(), true));
        job.promised(promise, tariff, OptionalLong.empty(), now);
        JobRun run = new RunningJob(job, promise.window(), cluster, Topology.ANYWHERE).run;
        return run.unpromised();
    }

    private long duration(Gang gang, Map.Entry<String, String> place) {
        return gang.requestOf(place.getKey())
                .durationOn(Objects.requireNonNull(nodes.get(place.getValue())).performance());
    }

    /** The free capacity, less what was placed since; O(N) to make. */
    private final class Room {
        private final Map<String, Map<String, Long>> taken = new HashMap<>();
        private final List<String> usable;

        /** Includes the nodes that are on their way if {@code coming}. */
        Room(boolean withComing) {
            this.usable = new ArrayList<>(nodes.keySet().stream()
                    .filter(node -> withComing || !coming.containsKey(node))
                    .toList());
            Map<String, Long> free = new HashMap<>();
            usable.forEach(node -> free.put(node, cluster.free(node, Resources.CPU)));
            usable.sort(Comparator.comparing((String node) -> Objects.requireNonNull(free.get(node)))
                    .thenComparing(Comparator.naturalOrder()));
        }

        private long free(String node, String resource) {
            Map<String, Long> more = taken.get(node);
            return cluster.free(node, resource) - (more == null ? 0 : more.getOrDefault(resource, 0L));
        }

        long podCount(String node, PodRequest request) {
            if (request.constraint().exclusion(Objects.requireNonNull(nodes.get(node))) != null) {
                return 0;
            }
            long places = Integer.MAX_VALUE;
            Resources resources = request.resources();
            for (int i = 0; i < resources.size(); i++) {
                places = Math.min(places, free(node, resources.name(i)) / resources.amount(i));
            }
            return Math.max(0, places);
        }

        void take(String node, PodRequest request, long pods) {
            Map<String, Long> more = taken.computeIfAbsent(node, _ -> new HashMap<>());
            Resources resources = request.resources();
            for (int i = 0; i < resources.size(); i++) {
                more.merge(resources.name(i), resources.amount(i) * pods, Long::sum);
            }
        }
    }

    private static List<Unplaced> place(Gang gang, Room room, @Nullable Map<String, String> places) {
        List<Unplaced> unplaced = new ArrayList<>();
        for (Gang.Shape shape : gang.shapes()) {
            int next = 0;
            int all = shape.pods().size();
            for (String node : room.usable) {
                long pods = Math.min(all - next, room.podCount(node, shape.request()));
                if (pods > 0) {
                    room.take(node, shape.request(), pods);
                    for (int i = 0; i < pods; i++) {
                        if (places != null) {
                            places.put(shape.pods().get(next), node);
                        }
                        next++;
                    }
                }
                if (next == all) {
                    break;
                }
            }
            if (next < all) {
                unplaced.add(new Unplaced(shape.request(), all - next));
            }
        }
        return unplaced;
    }

    /** Buys nodes of one offer for the pods without room. Returns whether any was bought. */
    private boolean buy(long now) {
        Room room = new Room(true);
        List<Unplaced> left = new ArrayList<>();
        waiting.forEach(job -> left.addAll(place(job.gang, room, null)));
        Optional<Expansion> bestExpansion = offers.stream()
                .flatMap(offer -> expansion(offer, left).stream())
                .min(Expansion.ORDER);
        bestExpansion.ifPresent(expansion -> {
            for (int i = 0; i < expansion.nodes(); i++) {
                add(expansion.offer(), now);
            }
        });
        return bestExpansion.isPresent();
    }

    /** Returns as many nodes of an offer as the fitting pods need, by first fit. */
    private Optional<Expansion> expansion(NodeOffer offer, List<Unplaced> left) {
        long most = most(offer) - count(offer);
        List<Map<String, Long>> packed = new ArrayList<>();
        long used = 0;
        for (Unplaced unplaced : left) {
            if (offer.node().allocatable().times(unplaced.request().resources()) == 0
                    || unplaced.request().constraint().exclusion(offer.node()) != null) {
                continue;
            }
            int pods = unplaced.pods();
            for (int node = 0; pods > 0 && node < most; node++) {
                if (node == packed.size()) {
                    packed.add(new HashMap<>());
                }
                Map<String, Long> taken = packed.get(node);
                Resources resources = unplaced.request().resources();
                long places = pods;
                for (int i = 0; i < resources.size(); i++) {
                    long free = offer.node().allocatable().get(resources.name(i))
                            - taken.getOrDefault(resources.name(i), 0L);
                    places = Math.min(places, free / resources.amount(i));
                }
                for (int i = 0; i < resources.size(); i++) {
                    taken.merge(resources.name(i), resources.amount(i) * places, Long::sum);
                }
                used += places * resources.get(Resources.CPU);
                pods -= (int) places;
            }
        }
        return used == 0
                ? Optional.empty()
                : Optional.of(new Expansion(
                        offer,
                        packed.size(),
                        used,
                        packed.size() * offer.node().allocatable().get(Resources.CPU)));
    }

    private long count(NodeOffer offer) {
        return Stream.concat(coming.values().stream(), existing.values().stream())
                .filter(purchase -> purchase.offer().name().equals(offer.name()))
                .count();
    }

    private void add(NodeOffer offer, long now) {
        String name = "%s-%d".formatted(offer.name(), numbers.merge(offer.name(), 1, Integer::sum));
        Purchase purchase =
                new Purchase(name, offer, BUYER, now, offer.node().price().at(now), 0);
        Node node = purchase.seen(now);
        coming.put(name, purchase);
        nodes.put(name, node);
        cluster.expect(node);
        cluster.arrive(name);
        lastAdd = now;
        bought++;
    }

    private void giveUp(long now) {
        for (Purchase purchase : List.copyOf(existing.values())) {
            String node = purchase.node();
            if (!cluster.isIdle(node)) {
                empty.remove(node);
                continue;
            }
            empty.putIfAbsent(node, now);
            if (goes(node) <= now) {
                empty.remove(node);
                existing.remove(node);
                nodes.remove(node);
                cluster.drop(node);
                cost = cost.plus(BoughtNodes.bill(purchase, now));
            }
        }
    }

    private long goes(String node) {
        return look(Math.max(look(Objects.requireNonNull(empty.get(node))) + UNNEEDED, lastAdd + AFTER_ADD));
    }

    @Override
    public long wakesAt() {
        long next = Math.min(scanDue, cluster.nextSecond());
        for (Purchase purchase : coming.values()) {
            next = Math.min(next, Math.max(seen + 1, purchase.ready()));
        }
        for (String node : empty.keySet()) {
            next = Math.min(next, goes(node));
        }
        return next;
    }

    @Override
    public Optional<NodeSpending> spending() {
        if (offers.isEmpty()) {
            return Optional.empty();
        }
        Cost totalCost = cost;
        for (Purchase purchase : existing.values()) {
            totalCost = totalCost.plus(
                    BoughtNodes.bill(purchase, empty.containsKey(purchase.node()) ? goes(purchase.node()) : 0));
        }
        for (Purchase purchase : coming.values()) {
            totalCost = totalCost.plus(BoughtNodes.bill(purchase, purchase.ready() + UNNEEDED));
        }
        return Optional.of(new NodeSpending(bought, totalCost));
    }

    @Override
    public MachineLoad load(long now) {
        return cluster.load(now);
    }
}
