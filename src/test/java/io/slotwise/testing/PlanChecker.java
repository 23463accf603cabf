package io.slotwise.testing;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Taint;
import io.slotwise.core.combination.Account;
import io.slotwise.core.combination.Limit;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.ledger.PromiseTariff;
import io.slotwise.core.migration.GangProgress;
import io.slotwise.core.migration.MigrationPolicy;
import io.slotwise.core.migration.Move;
import io.slotwise.core.migration.Running;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.BrokenPromise;
import io.slotwise.core.plan.ChoiceExplanation;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.PromiseBound;
import io.slotwise.core.plan.PromiseSlack;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.queue.QueueState;
import io.slotwise.core.queue.QueueTree;
import io.slotwise.core.queue.QueueUse;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks a plan against the public contract alone, without the planner's arithmetic. Sums are big integers, capacity is
 * checked in every second in which anything begins, durations and rates are computed independently.
 */
public final class PlanChecker {
    /** The largest gang for which every order of its pods is tried. */
    private static final int MOST_PODS = 6;

    private final Snapshot snapshot;
    private final Policy policy;
    private final Plan plan;
    private final Map<String, Node> nodes = new HashMap<>();
    private final Map<GangId, Request> requests = new HashMap<>();
    private final Map<GangId, Running> running = new HashMap<>();
    private final List<String> faults = new ArrayList<>();

    private PlanChecker(Snapshot snapshot, Policy policy, Plan plan) {
        this.snapshot = snapshot;
        this.policy = policy;
        this.plan = plan;
        snapshot.cluster().inventory().forEach(node -> nodes.put(node.name(), node));
        snapshot.requests().forEach(request -> requests.put(request.gang().id(), request));
        plan.moves().forEach(move -> requests.put(move.gang().id(), new Request(move.gang(), null)));
        snapshot.running().forEach(gang -> running.put(gang.gang().id(), gang));
    }

    public static List<String> faults(Snapshot snapshot, Policy policy, Plan plan) {
        PlanChecker checker = new PlanChecker(snapshot, policy, plan);
        checker.everyGangOnce();
        plan.windows().forEach(checker::window);
        plan.windows().forEach(checker::after);
        checker.capacity();
        plan.windows().forEach(checker::promise);
        plan.windows().forEach(checker::bound);
        plan.windows().forEach(checker::together);
        checker.accounts();
        checker.limit();
        checker.oneReservation();
        checker.deliberations();
        plan.moves().forEach(checker::move);
        checker.displacements();
        checker.queues();
        return checker.faults;
    }

    /**
     * Checks that every window whose promise is new is allowed by its queue in each second, next to all others, and
     * that each window says what it borrows.
     */
    private void queues() {
        QueueState state = snapshot.queues();
        if (state == null) {
            return;
        }
        Resources capacity = Resources.NONE;
        for (Node node : nodes.values()) {
            capacity = capacity.plus(node.allocatable());
        }
        List<QueueUse> uses = new ArrayList<>(
                Objects.requireNonNull(snapshot.published(plan).queues()).running());
        for (Planned planned : plan.windows()) {
            if (plan.moves().stream()
                    .noneMatch(move -> move.gang().id().equals(planned.gang().id()))) {
                uses.addAll(use(planned));
            }
        }
        QueueOracle all = new QueueOracle(state.tree(), capacity, uses);
        for (Planned planned : plan.windows()) {
            for (QueueUse use : use(planned)) {
                List<QueueUse> others = new ArrayList<>(uses);
                others.remove(use);
                QueueOracle alone = new QueueOracle(state.tree(), capacity, others);
                queue(planned, use, alone, all);
                lent(planned, use, others, capacity);
            }
        }
        reclaims(state, uses, capacity);
    }

    /**
     * Checks that a gang within its guarantee in the second before its start is kept out by its queue only if another
     * gang borrows in that second, and its promise says so. Gangs of a queue with queues below it are guaranteed
     * nothing, and use what these are guaranteed.
     */
    private void lent(Planned planned, QueueUse use, List<QueueUse> others, Resources capacity) {
        QueueTree tree = Objects.requireNonNull(snapshot.queues()).tree();
        long second = use.interval().start() - 1;
        if (second < Math.max(snapshot.now(), planned.gang().earliestStart())
                || !tree.isOpen(use.queue())
                || !tree.children(use.queue()).isEmpty()
                || new QueueOracle(tree, capacity, others).allows(use.queue(), use.total(), second)) {
            return;
        }
        List<QueueUse> with = new ArrayList<>(others);
        with.add(new QueueUse(use.holder(), use.queue(), use.total(), new Interval(second, second + 1)));
        QueueOracle oracle = new QueueOracle(tree, capacity, with);
        boolean guaranteed =
                tree.path(use.queue()).stream().noneMatch(queue -> oracle.isBeyond(queue, use.total(), second));
        boolean borrowed = others.stream()
                        .anyMatch(other -> tree.has(other.queue())
                                && !tree.children(other.queue()).isEmpty()
                                && other.interval().start() <= second
                                && second < other.interval().end())
                || plan.windows().stream()
                        .map(Planned::borrowed)
                        .anyMatch(interval -> interval != null && interval.start() <= second && second < interval.end())
                || Objects.requireNonNull(snapshot.queues()).running().stream()
                        .anyMatch(running -> oracle.isBeyond(running.queue(), running.total(), second));
        if (guaranteed && !oracle.isOverLimit(use.queue(), second) && !borrowed) {
            fault(planned, "it is guaranteed what it needs at %d, and no gang borrows it".formatted(second));
        }
    }

    /** Checks that gangs that others displace across queues borrowed, as far as the plan and the snapshot show. */
    private void reclaims(QueueState state, List<QueueUse> uses, Resources capacity) {
        for (BrokenPromise broken : plan.broken()) {
            if (broken.cause() == BrokenPromise.Cause.RECLAIMED
                    && broken.reason() instanceof BrokenPromise.Reclaimed(GangId by, String _)) {
                Gang gang = Objects.requireNonNull(requests.get(broken.gang())).gang();
                reclaim(state, uses, capacity, gang, broken.window().interval(), Objects.requireNonNull(by));
            }
        }
        for (Move move : plan.moves()) {
            if (move.purpose() instanceof Move.Reclaim(GangId by, long gained, long lost)) {
                Running gang = Objects.requireNonNull(running.get(move.gang().id()));
                Interval left = new Interval(snapshot.now(), gang.progress().end());
                reclaim(state, uses, capacity, gang.gang(), left, Objects.requireNonNull(by));
                if (gained <= 0 || lost < 0) {
                    faults.add("%s reclaims from %s in vain"
                            .formatted(by, gang.gang().id()));
                }
            }
        }
    }

    private void reclaim(
            QueueState state, List<QueueUse> uses, Resources capacity, Gang victim, Interval left, GangId by) {
        List<QueueUse> most = new ArrayList<>(state.running());
        uses.stream().filter(use -> !most.contains(use)).forEach(most::add);
        for (Request request : snapshot.requests()) {
            Promise promise = request.promise();
            String queue = request.gang().queue();
            if (promise != null && queue != null) {
                QueueUse use = new QueueUse(
                        request.gang().id().toString(),
                        queue,
                        request.gang().total(),
                        promise.window().interval());
                most.removeIf(use::equals);
                most.add(use);
            }
        }
        QueueOracle oracle = new QueueOracle(state.tree(), capacity, most);
        String own = Objects.requireNonNull(victim.queue());
        String other = Objects.requireNonNull(Objects.requireNonNull(
                        requests.containsKey(by)
                                ? requests.get(by).gang()
                                : Objects.requireNonNull(running.get(by)).gang())
                .queue());
        List<String> below = new ArrayList<>(state.tree().path(own));
        below.removeAll(state.tree().path(other));
        boolean borrows = LongStream.range(left.start(), left.end())
                .anyMatch(second -> below.stream().allMatch(queue -> oracle.isBeyond(queue, victim.total(), second)));
        if (own.equals(other) || !borrows) {
            faults.add("%s reclaims from %s, which does not borrow".formatted(by, victim.id()));
        }
    }

    private void queue(Planned planned, QueueUse use, QueueOracle alone, QueueOracle all) {
        Request request = requests.get(planned.gang().id());
        Interval was = request == null || request.promise() == null
                ? null
                : Objects.requireNonNull(request.promise()).window().interval();
        Long first = null;
        Long last = null;
        for (long second = use.interval().start(); second < use.interval().end(); second++) {
            boolean promised = was != null && was.start() <= second && second < was.end();
            if (!promised && !alone.allows(use.queue(), use.total(), second)) {
                fault(planned, "its queue %s does not allow it at %d".formatted(use.queue(), second));
                return;
            }
            if (all.isBeyond(use.queue(), use.total(), second)) {
                first = first == null ? second : first;
                last = second + 1;
            }
        }
        Interval borrowed = first == null || last == null ? null : new Interval(first, last);
        if (!Objects.equals(planned.borrowed(), borrowed)) {
            fault(planned, "it borrows in %s, the plan says %s".formatted(borrowed, planned.borrowed()));
        }
    }

    private static List<QueueUse> use(Planned planned) {
        String queue = planned.gang().queue();
        return queue == null
                ? List.of()
                : List.of(new QueueUse(
                        planned.gang().id().toString(),
                        queue,
                        planned.gang().total(),
                        planned.window().interval()));
    }

    private void fault(Planned planned, String what) {
        faults.add(planned.gang().id() + ": " + what);
    }

    private void everyGangOnce() {
        Map<GangId, Integer> seen = new HashMap<>();
        plan.windows().forEach(planned -> seen.merge(planned.gang().id(), 1, Integer::sum));
        plan.pending().stream().map(Pending::gang).forEach(id -> seen.merge(id, 1, Integer::sum));
        Set<GangId> asked = new HashSet<>(requests.keySet());
        snapshot.held().forEach(pending -> asked.add(pending.gang()));
        if (!seen.keySet().equals(asked)) {
            faults.add("the plan speaks of %s, asked were %s".formatted(seen.keySet(), asked));
        }
        seen.forEach((id, times) -> {
            if (times > 1) {
                faults.add("%s is in the plan %d times".formatted(id, times));
            }
        });
    }

    private boolean promisedBefore(Planned planned) {
        Request request = requests.get(planned.gang().id());
        Promise promise = request == null ? null : request.promise();
        return promise != null && promise.window().equals(planned.window());
    }

    private void window(Planned planned) {
        Gang gang = planned.gang();
        Window window = planned.window();
        List<String> pods =
                window.placements().stream().map(Placement::pod).sorted().toList();
        if (!pods.equals(gang.pods())) {
            fault(planned, "the window is for %s, the gang has %s".formatted(pods, gang.pods()));
        }
        boolean old = promisedBefore(planned);
        if (window.start() < gang.earliestStart() || (!old && window.start() < snapshot.now())) {
            fault(planned, "it starts too early, at " + window.start());
        }
        BigInteger total = BigInteger.ZERO;
        Map<String, Integer> perNode = new HashMap<>();
        Topology.Span span = SpanOracle.narrowest(
                gang,
                window.placements().stream()
                        .flatMap(placement -> Stream.ofNullable(nodes.get(placement.node())))
                        .toList());
        if (span == null || !SpanOracle.keepsSlices(gang, window, nodes)) {
            fault(planned, "it is spread over several domains of " + gang.topology());
            return;
        }
        long longest = window.placements().stream()
                .mapToLong(placement -> SpanOracle.lasting(span, naturalDuration(placement)))
                .max()
                .orElse(0);
        for (Placement placement : window.placements()) {
            perNode.merge(placement.node(), 1, Integer::sum);
            total = total.add(BigInteger.valueOf(placement.cost().microSecondsPerHour()));
            Node node = nodes.get(placement.node());
            if (node == null) {
                fault(planned, "node %s does not exist".formatted(placement.node()));
                continue;
            }
            long duration = SpanOracle.lasting(span, duration(gang, node));
            checkPlacement(planned, placement, node, gang.lockstep() ? longest : duration, old);
        }
        if (total.compareTo(BigInteger.valueOf(window.cost().microSecondsPerHour())) != 0) {
            fault(planned, "its pods cost %s together, the window says %s".formatted(total, window.cost()));
        }
        budget(planned, total);
        if (perNode.values().stream().anyMatch(count -> count > gang.maxPerNode())) {
            fault(planned, "too many pods on one node: " + perNode);
        }
    }

    /** Checks that a gang starts after all its predecessors have ended and their data has arrived. */
    private void after(Planned planned) {
        Request request = requests.get(planned.gang().id());
        Promise promise = request == null ? null : request.promise();
        if (promise != null && promise.released()) {
            return;
        }
        for (GangId before : planned.gang().after().gangs()) {
            Long end = end(planned, before);
            if (end == null) {
                fault(planned, "it is after %s, which has no window".formatted(before));
            } else if (end > snapshot.now() && planned.window().start() < end + transfer(planned)) {
                fault(
                        planned,
                        "it starts at %d, %s ends at %d"
                                .formatted(planned.window().start(), before, end));
            }
        }
    }

    /** Returns the end of a predecessor. Null if the predecessor has no window and is unknown. */
    private @Nullable Long end(Planned planned, GangId before) {
        for (Planned other : plan.windows()) {
            if (other.gang().id().equals(before)) {
                return other.window().end();
            }
        }
        Long known = snapshot.ends().known().get(before);
        return known == null ? planned.gang().after().over().get(before) : known;
    }

    /** The seconds until the gang's data has arrived in the slowest of its domains. */
    private long transfer(Planned planned) {
        String key = policy.online().domainKey();
        long longest = 0;
        for (Placement placement : planned.window().placements()) {
            Node own = nodes.get(placement.node());
            String domain = own == null ? "" : own.labels().getOrDefault(key, "");
            long bandwidth = nodes.values().stream()
                    .filter(node -> node.labels().getOrDefault(key, "").equals(domain))
                    .mapToLong(Node::bandwidth)
                    .filter(bits -> bits > 0)
                    .min()
                    .orElse(Long.MAX_VALUE);
            BigInteger bits =
                    BigInteger.valueOf(planned.gang().after().transferBytes()).multiply(BigInteger.valueOf(8));
            BigInteger[] whole = bits.divideAndRemainder(BigInteger.valueOf(bandwidth));
            long seconds =
                    bandwidth == Long.MAX_VALUE ? 0 : whole[0].longValueExact() + (whole[1].signum() > 0 ? 1 : 0);
            longest = Math.max(longest, seconds);
        }
        return longest;
    }

    private long naturalDuration(Placement placement) {
        Node node = nodes.get(placement.node());
        Request request = requests.values().stream()
                .filter(r -> r.gang().pods().contains(placement.pod()))
                .findFirst()
                .orElseThrow();
        return node == null ? 0 : duration(request.gang(), node);
    }

    private static long duration(Gang gang, Node node) {
        BigDecimal runtime = BigDecimal.valueOf(gang.runtime());
        return gang.shapes().getFirst().request().nodeIndependent()
                ? gang.runtime()
                : runtime.divide(BigDecimal.valueOf(node.performance().millionths(), 6), 0, RoundingMode.CEILING)
                        .longValueExact();
    }

    private void checkPlacement(Planned planned, Placement placement, Node node, long expected, boolean old) {
        Gang gang = planned.gang();
        if (placement.start() != planned.window().start()) {
            fault(
                    planned,
                    "pod %s starts at %d, the gang at %d"
                            .formatted(
                                    placement.pod(),
                                    placement.start(),
                                    planned.window().start()));
        }
        if (!old && placement.end() - placement.start() != expected) {
            fault(
                    planned,
                    "pod %s takes %d s on %s, expected %d"
                            .formatted(
                                    placement.pod(), placement.end() - placement.start(), placement.node(), expected));
        }
        if (placement.end() > gang.deadline() || (!old && placement.end() > snapshot.now() + policy.horizon())) {
            fault(planned, "pod %s ends too late, at %d".formatted(placement.pod(), placement.end()));
        }
        eligible(planned, node, request(gang, placement), old ? placement.start() : Long.MIN_VALUE);
        for (Interval kept : node.unavailable()) {
            if (placement.start() < kept.end() && kept.start() < placement.end()) {
                fault(planned, "pod %s meets the unavailable %s of %s".formatted(placement.pod(), kept, node.name()));
            }
        }
        price(planned, placement, node, old);
    }

    private static PodRequest request(Gang gang, Placement placement) {
        return Objects.requireNonNull(gang.requests().get(placement.pod()), "a pod of the gang");
    }

    /**
     * Checks that the node accepts the pod.
     *
     * @param promised the second for which this node was promised before, or {@link Long#MIN_VALUE}
     */
    private void eligible(Planned planned, Node node, PodRequest request, long promised) {
        if (!node.schedulable()) {
            fault(planned, "node %s is not schedulable".formatted(node.name()));
        }
        request.constraint().selector().forEach((key, value) -> {
            if (!value.equals(node.labels().get(key))) {
                fault(planned, "node %s has no label %s=%s".formatted(node.name(), key, value));
            }
        });
        for (Taint taint : node.taints()) {
            boolean tolerated = request.constraint().tolerations().stream()
                    .anyMatch(t -> taint.key().equals(t.key())
                            && (t.exists() || taint.value().equals(t.value())));
            if (taint.effect() != Taint.Effect.PREFER_NO_SCHEDULE && !tolerated) {
                fault(planned, "node %s has the taint %s".formatted(node.name(), taint));
            }
        }
        if (request.constraint().avoided().contains(node.name())) {
            fault(planned, "node %s is to be avoided".formatted(node.name()));
        }
        if (request.constraint().closed().getOrDefault(node.name(), Long.MIN_VALUE) > promised) {
            fault(planned, "node %s is closed to it".formatted(node.name()));
        }
    }

    private void price(Planned planned, Placement placement, Node node, boolean old) {
        if (old) {
            return;
        }
        Gang gang = planned.gang();
        BigInteger cost = BigInteger.ZERO;
        for (int i = 0; i < node.price().pieces(); i++) {
            BigInteger rate = rate(request(gang, placement), node, node.price().value(i));
            long from = Math.max(placement.start(), node.price().start(i));
            long to = Math.min(placement.end(), node.price().end(i));
            if (from < to) {
                cost = cost.add(rate.multiply(BigInteger.valueOf(to - from)));
                if (gang.budget().slotPrice() != null
                        && rate.longValueExact() > gang.budget().slotPrice().micros()) {
                    fault(planned, "pod %s pays %s, more than its slot may".formatted(placement.pod(), rate));
                }
            }
        }
        if (!cost.equals(BigInteger.valueOf(placement.cost().microSecondsPerHour()))) {
            fault(planned, "pod %s costs %s, the plan says %s".formatted(placement.pod(), cost, placement.cost()));
        }
    }

    private BigInteger rate(PodRequest request, Node node, long price) {
        BigDecimal share = BigDecimal.ZERO;
        BigDecimal rate = BigDecimal.ZERO;
        if (policy.charge() == Policy.Charge.WHOLE_NODE) {
            return BigInteger.valueOf(price);
        }
        for (Map.Entry<String, Long> asked : request.resources().asMap().entrySet()) {
            long whole = node.allocatable().get(asked.getKey());
            if (!asked.getKey().equals(Resources.PODS) && !asked.getKey().contains(" ") && whole > 0) {
                BigDecimal part = BigDecimal.valueOf(asked.getValue())
                        .divide(BigDecimal.valueOf(whole), 40, RoundingMode.HALF_UP);
                if (part.compareTo(share) > 0) {
                    share = part;
                    BigInteger[] quotient = BigInteger.valueOf(asked.getValue())
                            .multiply(BigInteger.valueOf(price))
                            .divideAndRemainder(BigInteger.valueOf(whole));
                    boolean up = quotient[1].shiftLeft(1).compareTo(BigInteger.valueOf(whole)) >= 0;
                    rate = new BigDecimal(up ? quotient[0].add(BigInteger.ONE) : quotient[0]);
                }
            }
        }
        return rate.toBigIntegerExact();
    }

    private void budget(Planned planned, BigInteger total) {
        if (planned.gang().budget().total() != null) {
            BigInteger budget =
                    BigInteger.valueOf(planned.gang().budget().total().micros()).multiply(BigInteger.valueOf(3600));
            if (total.compareTo(budget) > 0) {
                fault(planned, "it costs %s, its budget is %s".formatted(total, budget));
            }
        }
    }

    private record Load(String who, Resources amount, long from, long to, boolean ours, boolean isNew) {
        Load prolonged(long turnover) {
            return new Load(who, amount, from, to + turnover, ours, isNew);
        }
    }

    /**
     * Checks the nodes' capacity in every second of the plan's windows; for new windows with every holder prolonged by
     * the turnover.
     */
    private void capacity() {
        Map<String, List<Load>> loads = new HashMap<>();
        for (Occupation o : occupations()) {
            loads.computeIfAbsent(o.node(), n -> new ArrayList<>())
                    .add(new Load(
                            o.holder(),
                            o.resources(),
                            o.interval().start(),
                            o.interval().end(),
                            false,
                            false));
        }
        for (Planned planned : plan.windows()) {
            for (Placement placement : planned.window().placements()) {
                loads.computeIfAbsent(placement.node(), n -> new ArrayList<>())
                        .add(new Load(
                                planned.gang().id() + "/" + placement.pod(),
                                request(planned.gang(), placement).resources(),
                                placement.start(),
                                placement.end(),
                                true,
                                !promisedBefore(planned)));
            }
        }
        loads.forEach((node, there) -> {
            capacity(node, there, Load::ours);
            capacity(
                    node,
                    there.stream()
                            .map(load -> load.prolonged(policy.turnover()))
                            .toList(),
                    Load::isNew);
        });
    }

    /** Returns the running pods' occupations. A gang that is moved holds its room until its pods are gone. */
    private List<Occupation> occupations() {
        List<Occupation> left = new ArrayList<>(snapshot.cluster().occupations());
        for (Move move : plan.moves()) {
            Running gang = Objects.requireNonNull(running.get(move.gang().id()));
            long gone = snapshot.now() + gang.timing().gone();
            for (Occupation held : gang.room()) {
                left.remove(held);
                left.add(new Occupation(
                        held.holder(),
                        held.node(),
                        held.resources(),
                        new Interval(
                                held.interval().start(),
                                Math.min(held.interval().end(), gone))));
            }
        }
        return left;
    }

    /** Checks that a move is allowed, counts the remaining work correctly, and gains something. */
    private void move(Move move) {
        GangId id = move.gang().id();
        Running gang = Objects.requireNonNull(running.get(id));
        MigrationPolicy rules = policy.migration();
        GangProgress run = gang.progress();
        boolean reclaimed = move.purpose() instanceof Move.Reclaim;
        boolean displaced = move.purpose() instanceof Move.Interruption;
        boolean switchedOff = (displaced || reclaimed)
                ? policy.preemption() != Policy.Preempting.RUNNING
                        && !(reclaimed && gang.gang().preemptible())
                : rules.reach() == MigrationPolicy.Reach.NONE || !gang.keepsWork();
        long recent =
                gang.moves().stream().filter(t -> t > snapshot.now() - 3600).count();
        if (switchedOff || run.elapsed() < rules.minRun() || recent >= rules.limit()) {
            faults.add("%s was moved after %d s and %d moves".formatted(id, run.elapsed(), recent));
        }
        Window to = move.targetWindow();
        if ((to != null && to.start() < snapshot.now() + gang.timing().back())
                || move.back() != snapshot.now() + gang.timing().back()) {
            faults.add("%s starts again before its pods are there again".formatted(id));
        }
        long done = run.window().placements().stream()
                .mapToLong(placement -> done(gang, placement))
                .min()
                .orElseThrow();
        long work = gang.gang().runtime() - (gang.keepsWork() ? Math.max(done, run.overhead()) : run.overhead());
        long overhead = gang.keepsWork() ? rules.overhead() : run.overhead();
        if (move.work() != work || move.gang().runtime() != work + overhead) {
            faults.add("%s has %d s of work left in %d s, expected %d"
                    .formatted(id, move.work(), move.gang().runtime(), work));
        }
        BigInteger paid = paid(run);
        if (gang.gang().budget().total() != null
                && to != null
                && paid.add(exact(to))
                                .compareTo(BigInteger.valueOf(
                                                gang.gang().budget().total().micros())
                                        .multiply(BigInteger.valueOf(3600)))
                        > 0) {
            faults.add("%s pays more than its budget".formatted(id));
        }
        if (to == null) {
            waits(move);
            return;
        }
        reach(move, run, to);
        gain(move, run, to, exact(run.window()).subtract(paid));
    }

    /** Checks that only preemption stops a gang without giving it a window. */
    private void waits(Move move) {
        if (!isDisplacement(move)
                || move.reach() != MigrationPolicy.Reach.NONE
                || !isPending(move.gang().id())) {
            faults.add("%s was stopped and has no window".formatted(move.gang().id()));
        }
    }

    private static boolean isDisplacement(Move move) {
        return move.purpose() instanceof Move.Interruption || move.purpose() instanceof Move.Reclaim;
    }

    private void reach(Move move, GangProgress run, Window to) {
        Set<@Nullable String> before = domains(run.window());
        boolean local = before.containsAll(domains(to));
        boolean bound = policy.migration().reach() == MigrationPolicy.Reach.LOCAL && !isDisplacement(move);
        if ((move.reach() == MigrationPolicy.Reach.LOCAL) != local || (!local && bound)) {
            faults.add("%s went from %s to %s".formatted(move.gang().id(), before, domains(to)));
        }
    }

    /**
     * Checks that displaced gangs give room to a gang of strictly higher priority that may displace others and has its
     * window there. No gang with pods on their way is displaced, and moves of no kind exceed a disruption budget.
     */
    private void displacements() {
        Map<String, Integer> evicted = new HashMap<>();
        for (Move move : plan.moves()) {
            Running gang = Objects.requireNonNull(running.get(move.gang().id()));
            gang.guards().forEach(guard -> evicted.merge(guard.budget(), guard.pods(), Integer::sum));
            if (move.purpose() instanceof Move.Interruption(GangId by, long gained, long lost)) {
                List<Load> room = gang.room().stream()
                        .map(held -> new Load(
                                held.node(),
                                held.resources(),
                                held.interval().start(),
                                held.interval().end(),
                                true,
                                false))
                        .toList();
                if (gained <= 0 || lost < 0 || !makesWay(gang.gang(), room, by::equals)) {
                    faults.add(
                            "%s interrupts %s in vain".formatted(by, move.gang().id()));
                }
            }
        }
        plan.moves().stream()
                .flatMap(move -> Objects.requireNonNull(running.get(move.gang().id())).guards().stream())
                .filter(guard -> evicted.getOrDefault(guard.budget(), 0) > guard.allowed())
                .forEach(guard -> faults.add("%s is passed: %s".formatted(guard, evicted)));
        plan.broken().stream()
                .filter(broken -> broken.cause() == BrokenPromise.Cause.DISPLACED)
                .forEach(this::displaced);
    }

    private void displaced(BrokenPromise broken) {
        Request request = Objects.requireNonNull(requests.get(broken.gang()));
        Promise promise = Objects.requireNonNull(request.promise());
        List<Load> room = broken.window().placements().stream()
                .map(placement -> new Load(
                        placement.node(),
                        request(request.gang(), placement).resources(),
                        placement.start(),
                        placement.end(),
                        true,
                        false))
                .toList();
        if (policy.preemption() == Policy.Preempting.NONE
                || promise.released()
                || !promise.window().equals(broken.window())
                || !(makesWay(request.gang(), room, _ -> true)
                        || (policy.replan() != Policy.Replan.NEVER && isOutranked(request.gang())))) {
            faults.add("%s is displaced in vain".formatted(broken.gang()));
        }
    }

    /**
     * Returns whether some gang that may displace this one has displaced others. If so, this gang may have left its
     * promise for a window in the room that became free.
     */
    private boolean isOutranked(Gang gang) {
        return plan.windows().stream()
                .anyMatch(planned -> planned.origin() == WindowOrigin.PREEMPTION
                        && planned.gang().preempts()
                        && planned.gang().priority() > gang.priority());
    }

    /**
     * Returns whether a gang that may displace this one has its window in the room that this gang gives up, or in the
     * same seconds if both are in queues. The {@code who} of a load is the node.
     */
    private boolean makesWay(Gang gang, List<Load> room, Predicate<GangId> by) {
        boolean queued = snapshot.queues() != null && gang.queue() != null;
        return plan.windows().stream()
                .filter(planned -> by.test(planned.gang().id())
                        && planned.origin() == WindowOrigin.PREEMPTION
                        && planned.gang().preempts()
                        && planned.gang().priority() > gang.priority())
                .flatMap(planned -> planned.window().placements().stream())
                .anyMatch(placement -> room.stream()
                        .anyMatch(left -> (queued || left.who().equals(placement.node()))
                                && placement.start() < left.to() + policy.turnover()
                                && left.from() < placement.end() + policy.turnover()));
    }

    private Set<@Nullable String> domains(Window window) {
        Set<@Nullable String> domains = new HashSet<>();
        for (Placement placement : window.placements()) {
            domains.add(Objects.requireNonNull(nodes.get(placement.node()))
                    .labels()
                    .get(policy.online().domainKey()));
        }
        return domains;
    }

    private void gain(Move move, GangProgress run, Window to, BigInteger unpaid) {
        switch (move.purpose()) {
            case Move.Start(GangId gang, long gained, long lost) -> {
                long later = to.end() - run.startedAt() - run.window().runtime();
                long least = Math.max(later, policy.migration().overhead())
                        * run.window().placements().size();
                if (lost != least
                        || gained <= lost
                        || isPending(gang)
                        || priority(gang) < move.gang().priority()) {
                    faults.add("%s gains %d by the move of %s, which loses %d and not %d"
                            .formatted(gang, gained, move.gang().id(), least, lost));
                }
            }
            case Move.Interruption(GangId _, long _, long lost) -> displaced(move, run, to, lost);
            case Move.Reclaim(GangId _, long _, long lost) -> displaced(move, run, to, lost);
            case Move.Saving(Cost saved) -> {
                BigInteger difference = unpaid.subtract(exact(to));
                if (difference.signum() <= 0 || !difference.equals(BigInteger.valueOf(saved.microSecondsPerHour()))) {
                    faults.add("%s saves %s, the plan says %s"
                            .formatted(move.gang().id(), difference, saved));
                }
            }
        }
    }

    private void displaced(Move move, GangProgress run, Window to, long lost) {
        long later = to.end() - run.startedAt() - run.window().runtime();
        Running gang = Objects.requireNonNull(running.get(move.gang().id()));
        long least = gang.keepsWork() ? policy.migration().overhead() : run.elapsed();
        if (lost != Math.max(later, least) * run.window().placements().size()) {
            faults.add("%s does not lose %d".formatted(move.gang().id(), lost));
        }
    }

    private int priority(GangId gang) {
        return Objects.requireNonNull(requests.get(gang)).gang().priority();
    }

    private boolean isPending(GangId gang) {
        return plan.pending().stream().anyMatch(pending -> pending.gang().equals(gang));
    }

    private long done(Running gang, Placement placement) {
        Node node = Objects.requireNonNull(nodes.get(placement.node()));
        return gang.gang().requestOf(placement.pod()).nodeIndependent()
                ? gang.progress().elapsed()
                : BigDecimal.valueOf(gang.progress().elapsed())
                        .multiply(BigDecimal.valueOf(node.performance().millionths(), 6))
                        .longValue();
    }

    private static BigInteger exact(Window window) {
        return BigInteger.valueOf(window.cost().microSecondsPerHour());
    }

    private static BigInteger paid(GangProgress run) {
        BigInteger paid = BigInteger.ZERO;
        for (Placement placement : run.window().placements()) {
            StepFunction rate = run.tariff().rates().get(new PromiseTariff.Place(placement.node(), placement.cost()));
            BigInteger elapsed = BigInteger.valueOf(run.elapsed());
            if (rate == null) {
                paid = paid.add(BigInteger.valueOf(placement.cost().microSecondsPerHour())
                        .multiply(elapsed)
                        .divide(BigInteger.valueOf(placement.end() - placement.start())));
                continue;
            }
            for (int i = 0; i < rate.pieces(); i++) {
                long from = Math.max(placement.start(), rate.start(i));
                long to = Math.min(placement.start() + run.elapsed(), rate.end(i));
                paid = paid.add(BigInteger.valueOf(rate.value(i)).multiply(BigInteger.valueOf(Math.max(0, to - from))));
            }
        }
        return paid;
    }

    private void capacity(String name, List<Load> loads, Predicate<Load> judged) {
        Node node = nodes.get(name);
        if (node == null) {
            return;
        }
        TreeSet<Long> instants = loads.stream()
                .map(load -> Math.max(load.from(), snapshot.now()))
                .collect(Collectors.toCollection(TreeSet::new));
        for (long t : instants) {
            List<Load> there =
                    loads.stream().filter(l -> l.from() <= t && t < l.to()).toList();
            Set<String> kinds = there.stream()
                    .filter(judged)
                    .flatMap(l -> l.amount().asMap().keySet().stream())
                    .collect(Collectors.toSet());
            for (String kind : kinds) {
                BigInteger sum = there.stream()
                        .map(l -> BigInteger.valueOf(l.amount().get(kind)))
                        .reduce(BigInteger.ZERO, BigInteger::add);
                if (sum.compareTo(BigInteger.valueOf(node.allocatable().get(kind))) > 0) {
                    faults.add("node %s holds %s of %s at %d, has %d: %s"
                            .formatted(
                                    name,
                                    sum,
                                    kind,
                                    t,
                                    node.allocatable().get(kind),
                                    there.stream().map(Load::who).toList()));
                }
            }
        }
    }

    /**
     * Checks that the pods can come one after another, each where its rules about other pods hold together with all
     * running and promised pods.
     */
    private void together(Planned planned) {
        Gang gang = planned.gang();
        if (!gang.hasRules() || gang.size() > MOST_PODS) {
            return;
        }
        List<Occupation> others = new ArrayList<>(snapshot.after(plan.moves()).occupations());
        for (Planned other : plan.windows()) {
            for (Placement placement : other.window().placements()) {
                if (!other.equals(planned)) {
                    others.add(new Occupation(
                            other.gang().id() + "/" + placement.pod(),
                            placement.node(),
                            request(other.gang(), placement).resources(),
                            new Interval(placement.start(), placement.end())));
                }
            }
        }
        List<PodOrders.PlacedPod> pods = new ArrayList<>();
        for (Placement placement : planned.window().placements()) {
            int shape = 0;
            while (!gang.shapes().get(shape).pods().contains(placement.pod())) {
                shape++;
            }
            pods.add(new PodOrders.PlacedPod(
                    Objects.requireNonNull(nodes.get(placement.node())), shape, placement.start(), placement.end()));
        }
        Cluster cluster = new Cluster(snapshot.cluster().inventory(), others);
        if (!new PodOrders(cluster, promisedBefore(planned) ? 0 : policy.turnover(), gang).someOrderKeeps(pods)) {
            fault(planned, "its pods must not be together, or with others: " + gang.rules());
        }
    }

    /** Checks that a promise is kept, replaced by a better window, or reported as broken. */
    private void promise(Planned planned) {
        Request request = requests.get(planned.gang().id());
        Promise promise = request == null ? null : request.promise();
        if (promise == null
                || plan.broken().stream()
                        .map(BrokenPromise::gang)
                        .anyMatch(planned.gang().id()::equals)) {
            return;
        }
        Window was = promise.window();
        Window is = planned.window();
        PromiseBound by = promise.promiseBound();
        boolean worse = by == null
                ? is.start() > was.start()
                        || is.end() > was.end()
                        || is.cost().compareTo(was.cost()) > 0
                        || is.value(planned.gang()) > was.value(planned.gang())
                : is.start() > by.start()
                        || is.end() > by.end()
                        || is.cost().compareTo(by.cost()) > 0
                        || (is.runtime() > was.runtime() && planned.gang().criterion() == Criterion.RUNTIME);
        boolean same =
                is.start() == was.start() && is.end() == was.end() && is.cost().equals(was.cost());
        if (worse
                || (by == null && same && !is.equals(was) && !makesRoom(was))
                || (promise.released() && !is.equals(was))) {
            fault(planned, "the promise %s became %s without a cause".formatted(was, is));
        }
        if (planned.kept() != is.equals(was)) {
            fault(planned, "kept is %s".formatted(planned.kept()));
        }
    }

    /** Checks that the latest start of a promise with slack comes with the first window, by the policy, and stays. */
    private void bound(Planned planned) {
        Request request = requests.get(planned.gang().id());
        Promise promise = request == null ? null : request.promise();
        PromiseBound expected = promised(planned.gang(), planned.window());
        boolean stands = plan.broken().stream()
                .map(BrokenPromise::gang)
                .noneMatch(planned.gang().id()::equals);
        if (promise != null && stands) {
            Window was = promise.window();
            expected = promise.promiseBound() == null && !policy.slack().isNone()
                    ? new PromiseBound(was.start(), was.end(), was.cost())
                    : promise.promiseBound();
        }
        if (!Objects.equals(planned.bound(), expected)) {
            fault(planned, "it is promised %s, expected %s".formatted(planned.bound(), expected));
        }
    }

    private @Nullable PromiseBound promised(Gang gang, Window window) {
        PromiseSlack slack = policy.slack();
        if (slack.isNone()) {
            return null;
        }
        long wait = Math.max(0, window.start() - gang.arrival());
        long seconds = part(wait, slack.ofWait()) + part(window.end() - window.start(), slack.ofRuntime());
        long most = Math.max(slack.atLeast(), seconds);
        return new PromiseBound(
                window.start() + most,
                Math.max(window.end(), Math.min(gang.deadline(), window.end() + most)),
                most(gang, window.cost(), slack.dearer()));
    }

    private static Cost most(Gang gang, Cost first, int dearer) {
        Cost more = new Cost(first.microSecondsPerHour() + part(first.microSecondsPerHour(), dearer));
        return more.compareTo(gang.budget().limit()) < 0 || dearer == 0
                ? more
                : gang.budget().limit();
    }

    private static long part(long seconds, int millionths) {
        return BigInteger.valueOf(seconds)
                .multiply(BigInteger.valueOf(millionths))
                .divide(BigInteger.valueOf(1_000_000))
                .longValueExact();
    }

    /** Returns whether another gang has some of this room now that was not promised to it before. */
    private boolean makesRoom(Window was) {
        return plan.windows().stream()
                .filter(other -> !other.kept() && !other.gang().id().equals(was.gang()))
                .flatMap(other -> other.window().placements().stream())
                .anyMatch(placement -> was.placements().stream().anyMatch(old -> meet(old, placement)));
    }

    private boolean meet(Placement one, Placement other) {
        return one.node().equals(other.node())
                && one.start() < other.end() + policy.turnover()
                && other.start() < one.end() + policy.turnover();
    }

    /** Checks that no account is charged more than its balance, unless promises alone do so. */
    private void accounts() {
        for (Account account : snapshot.accounts()) {
            BigInteger all = charged(account, plan.windows().stream());
            BigInteger promised = charged(account, plan.windows().stream().filter(this::promisedBefore));
            BigInteger left =
                    BigInteger.valueOf(account.left().microSecondsPerHour()).add(givenBack(account));
            boolean onlyPromises = all.equals(promised);
            if (all.compareTo(left) > 0 && !onlyPromises) {
                faults.add("account %s is charged %s, of which %s are promises".formatted(account, all, promised));
            }
        }
    }

    /** The money that moved gangs will not pay for the windows that they leave. */
    private BigInteger givenBack(Account account) {
        return plan.moves().stream()
                .filter(move -> pays(account, move.gang())
                        && account.covers(move.window().start()))
                .map(move -> exact(move.window())
                        .subtract(paid(
                                Objects.requireNonNull(running.get(move.gang().id()))
                                        .progress())))
                .reduce(BigInteger.ZERO, BigInteger::add);
    }

    /** Returns whether the account is of the gang's namespace, its queue or a queue above. */
    private boolean pays(Account account, Gang gang) {
        String paying = account.queue();
        QueueState queues = snapshot.queues();
        if (paying == null) {
            return account.holder().equals(gang.id().namespace());
        }
        String queue = gang.queue();
        while (queues != null && queue != null && queues.tree().has(queue) && !queue.equals(paying)) {
            queue = queues.tree().parent(queue);
        }
        return paying.equals(queue);
    }

    private BigInteger charged(Account account, Stream<Planned> windows) {
        return windows.filter(planned -> pays(account, planned.gang())
                        && account.start() <= planned.window().start()
                        && planned.window().start() < account.end())
                .map(planned -> BigInteger.valueOf(planned.window().cost().microSecondsPerHour()))
                .reduce(BigInteger.ZERO, BigInteger::add);
    }

    /** Checks that the limit on cost or processor time is kept, unless promises alone exceed it. */
    private void limit() {
        Limit limit = policy.batch().limit();
        if (limit.figure().isEmpty()) {
            return;
        }
        BigInteger figure = BigInteger.valueOf(limit.figure().getAsLong());
        boolean anyNew = plan.windows().stream()
                .anyMatch(planned ->
                        weight(limit, planned).signum() > 0 && !promisedBefore(planned) && !hadPromise(planned));
        BigInteger sum = plan.windows().stream()
                .filter(planned -> !running.containsKey(planned.gang().id()))
                .map(planned -> weight(limit, planned))
                .reduce(BigInteger.ZERO, BigInteger::add);
        if (anyNew && sum.compareTo(figure) > 0) {
            faults.add("the batch weighs %s, the limit is %s".formatted(sum, limit));
        }
    }

    private boolean hadPromise(Planned planned) {
        Request request = requests.get(planned.gang().id());
        return request != null && request.promise() != null;
    }

    private static BigInteger weight(Limit limit, Planned planned) {
        return switch (limit.measure()) {
            case COST -> BigInteger.valueOf(planned.window().cost().microSecondsPerHour());
            case PROCESSOR_TIME ->
                planned.window().placements().stream()
                        .map(placement -> BigInteger.valueOf(placement.end() - placement.start()))
                        .reduce(BigInteger.ZERO, BigInteger::add);
            case NOTHING, AVERAGE_UTILITY -> BigInteger.ZERO;
        };
    }

    /**
     * Checks {@code backfill: easy}. At most one backfilled gang waits with a reservation. The others start now or get
     * nothing.
     */
    private void oneReservation() {
        if (policy.backfill() != Policy.Backfill.EASY) {
            return;
        }
        List<Planned> waiting = plan.windows().stream()
                .filter(planned -> planned.origin() == WindowOrigin.BACKFILL
                        && planned.window().start() > snapshot.now()
                        && !hadPromise(planned))
                .toList();
        boolean promisedHead = plan.windows().stream()
                .anyMatch(planned -> planned.origin() == WindowOrigin.BACKFILL
                        && planned.window().start() > snapshot.now()
                        && hadPromise(planned));
        if (waiting.size() > (promisedHead ? 0 : 1)) {
            faults.add("several backfilled gangs hold a reservation: "
                    + waiting.stream().map(planned -> planned.gang().id()).toList());
        }
    }

    /** Checks that the plan's account of its choices agrees with its windows. */
    private void deliberations() {
        for (ChoiceExplanation choice : plan.choices()) {
            Window chosen = choice.alternatives().get(choice.chosen());
            boolean planned = plan.windows().stream()
                    .anyMatch(p -> p.gang().id().equals(choice.gang())
                            && p.window().start() <= chosen.start()
                            && (p.origin() == WindowOrigin.MIGRATION
                                    || p.origin() == WindowOrigin.PREEMPTION
                                    || p.window().cost().compareTo(chosen.cost()) <= 0));
            boolean reference = policy.batch().anticipating().form() != null;
            if (!(planned || reference) || choice.loss() < 0 || choice.loss() > 1_000_000) {
                faults.add("%s: its choice is %s with a loss of %d".formatted(choice.gang(), chosen, choice.loss()));
            }
        }
    }
}
