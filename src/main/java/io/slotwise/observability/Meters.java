package io.slotwise.observability;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.MultiGauge.Row;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.combination.Account;
import io.slotwise.core.combination.AccountBalances;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.migration.MigrationPolicy.Reach;
import io.slotwise.core.migration.Move;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.DomainComparison;
import io.slotwise.core.plan.FirstPromise;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.resource.Share;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.kubernetes.bind.BarrierObserver;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.refusal.RefusalObserver;
import io.slotwise.kubernetes.watch.WatchObserver;
import io.slotwise.live.port.ClusterView.Notice;
import io.slotwise.live.port.MetricsRecorder;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.DoubleSummaryStatistics;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All meters, by the names of the public contract. Durations are seconds, money is currency units. */
@ApplicationScoped
public class Meters implements BarrierObserver, MetricsRecorder, RefusalObserver, WatchObserver {
    /** Searches in small clusters take less than the least of Micrometer's usual buckets, a millisecond. */
    private static final Duration SHORTEST_SEARCH = Duration.ofNanos(100_000);

    private static final double MILLIS = 1000.0;

    private static final Duration LONGEST_SEARCH = Duration.ofSeconds(10);

    /** No time that is recorded is longer. */
    private static final Duration LONGEST_TIME = Duration.ofDays(366);

    /** The bounds of the histogram of waits. */
    private static final Duration[] WAITS = {
        Duration.ofSeconds(1),
        Duration.ofSeconds(10),
        Duration.ofMinutes(1),
        Duration.ofMinutes(5),
        Duration.ofMinutes(15),
        Duration.ofHours(1),
        Duration.ofHours(4),
        Duration.ofHours(12),
        Duration.ofDays(1),
        Duration.ofDays(3),
        Duration.ofDays(7)
    };

    /** The bounds of the histogram of start-up delays of nodes. */
    private static final Duration[] NODE_STARTS = {
        Duration.ofSeconds(30),
        Duration.ofMinutes(1),
        Duration.ofMinutes(2),
        Duration.ofMinutes(5),
        Duration.ofMinutes(10),
        Duration.ofMinutes(30)
    };

    /** So many pairs of namespace and reason have a series of their own. */
    static final int MOST_PENDING = 200;

    /**
     * So many nodes have a series of their own, the first ones by name, so that series do not come and go; the
     * statistics are of all.
     */
    static final int MOST_NODES = 500;

    /** The namespace of all those that have none. */
    static final String OTHERS = "";

    private final MeterRegistry registry;
    private final Counter partialGangs;
    private final Timer startDelay;
    private final Timer wait;
    private final DistributionSummary satisfaction;
    private final Timer cycle;
    private final Counter cycleFailures;
    private final AtomicInteger searchRounds = new AtomicInteger();
    private final Counter searchesStopped;
    private final AtomicLong lastCycle = new AtomicLong();
    private final AtomicLong longest = new AtomicLong();
    private final AtomicInteger leader = new AtomicInteger();
    private final AtomicInteger policyInvalid = new AtomicInteger();
    private final Counter policyReloads;
    private final Map<Criterion, Timer> searches = new EnumMap<>(Criterion.class);
    private final Map<Phase, AtomicInteger> gangs = new EnumMap<>(Phase.class);
    private final Map<IntakeWarning.Reason, AtomicInteger> warnings = new EnumMap<>(IntakeWarning.Reason.class);
    private final MultiGauge busyShare;
    private final MultiGauge busyShares;
    private final AtomicReference<Double> idleInVain = new AtomicReference<>(0.0);
    private final MultiGauge budgetLeft;
    private final MultiGauge pending;
    private final MultiGauge boughtNodes;
    private final MultiGauge spentOnNodes;
    private final AtomicLong oldestWaiting = new AtomicLong();
    /** What is shown of the cluster is the leader's to say: a cycle that ends after its reign shows nothing. */
    private final Object shown = new Object();

    private boolean resigned;

    /** Registers what is known from the beginning, so that it is seen as zero before it happens. */
    public Meters(MeterRegistry registry) {
        this.registry = registry;
        partialGangs = Counter.builder("slotwise_partial_gangs")
                .description("gangs of which some members were bound and others refused")
                .register(registry);
        startDelay = Timer.builder("slotwise_gang_start_delay")
                .description("real start minus promised start")
                .publishPercentileHistogram()
                .serviceLevelObjectives(Duration.ofSeconds(1))
                .register(registry);
        wait = Timer.builder("slotwise_gang_wait")
                .description("start minus the moment at which the gang was first seen")
                .serviceLevelObjectives(WAITS)
                .minimumExpectedValue(WAITS[0])
                .maximumExpectedValue(WAITS[WAITS.length - 1])
                .register(registry);
        satisfaction = DistributionSummary.builder("slotwise_user_satisfaction")
                .description("response / time weight + cost / cost weight of gangs that were placed online, each by "
                        + "the weights that it was placed by; less is better")
                .register(registry);
        cycle = Timer.builder("slotwise_cycle")
                .description("one cycle: snapshot, plan, publish")
                .publishPercentileHistogram()
                .register(registry);
        for (String verb : List.of("filter", "prioritize", "preempt", "bind")) {
            answers(verb);
        }
        cycleFailures = Counter.builder("slotwise_cycle_failures")
                .description("cycles that ended with an error and were tried again")
                .register(registry);
        Gauge.builder("slotwise_search_rounds", searchRounds, AtomicInteger::get)
                .description("rounds of the last cycle's search for alternatives, each for one more of every gang")
                .register(registry);
        searchesStopped = Counter.builder("slotwise_searches_stopped")
                .description("cycles whose search for alternatives ended by the policy's planner.search-time")
                .register(registry);
        Gauge.builder("slotwise_last_cycle_timestamp_seconds", lastCycle, ended -> ended.get() / MILLIS)
                .description("when this replica finished a cycle last, seconds since 1970; 0: it has not yet")
                .register(registry);
        Gauge.builder("slotwise_cycle_limit_seconds", longest, limit -> limit.get() / MILLIS)
                .description("a leader that has not finished a cycle for so long does not plan")
                .register(registry);
        busyShare = MultiGauge.builder("slotwise_node_busy_share")
                .description(
                        "the largest share of a node's resources that is taken now; of the first 500 nodes by name")
                .register(registry);
        busyShares = MultiGauge.builder("slotwise_nodes_busy_share")
                .description("the mean, least and greatest of the same over all nodes")
                .register(registry);
        Gauge.builder("slotwise_capacity_lost_share", idleInVain, AtomicReference::get)
                .description("the share of all processors that are idle while a gang waits that asks for no more of "
                        + "them; 0: none does. Its mean over time is the loss of capacity")
                .register(registry);
        budgetLeft = MultiGauge.builder("slotwise_namespace_budget_left")
                .description(
                        "what is left of a namespace's budget in the current period, after spent and promised money")
                .register(registry);
        pending = MultiGauge.builder("slotwise_pending_gangs")
                .description("gangs that wait without a window, by the reason for it")
                .register(registry);
        Gauge.builder("slotwise_oldest_waiting_gang_seconds", oldestWaiting, AtomicLong::get)
                .description("how long the gang waits that has waited longest without a window; 0: none waits")
                .register(registry);
        boughtNodes = MultiGauge.builder("slotwise_bought_nodes")
                .description("nodes that Slotwise buys, by how far that has come")
                .register(registry);
        spentOnNodes = MultiGauge.builder("slotwise_purchases_spent")
                .description(
                        "what the nodes cost that were bought in the current period of the policy's buying.max-spend, or "
                                + "without one this month")
                .register(registry);
        for (Punctuality punctuality : Punctuality.values()) {
            starts(punctuality);
        }
        Gauge.builder("slotwise_leader", leader, AtomicInteger::get)
                .description("1 on the leader, else 0")
                .register(registry);
        Gauge.builder("slotwise_policy_invalid", policyInvalid, AtomicInteger::get)
                .description("1 while the policy file cannot be used and an earlier policy stays active, else 0")
                .register(registry);
        policyReloads = Counter.builder("slotwise_policy_reloads")
                .description("policies that replaced the previous one while this replica ran")
                .register(registry);
        for (Phase phase : Phase.values()) {
            AtomicInteger count = new AtomicInteger();
            gangs.put(phase, count);
            Gauge.builder("slotwise_gangs", count, AtomicInteger::get)
                    .description("gangs by phase, as the leader sees them")
                    .tag("phase", phase.key())
                    .register(registry);
        }
        for (IntakeWarning.Reason reason : IntakeWarning.Reason.values()) {
            AtomicInteger count = new AtomicInteger();
            warnings.put(reason, count);
            Gauge.builder("slotwise_object_warnings", count, AtomicInteger::get)
                    .description("warnings about nodes and other objects, as the leader sees them")
                    .tag("reason", reason.key())
                    .register(registry);
        }
        for (Criterion criterion : Criterion.values()) {
            searches.put(
                    criterion,
                    Timer.builder("slotwise_window_search")
                            .description("one search of the planning cycle for the best window of one gang")
                            .tag("criterion", criterion.key())
                            .publishPercentileHistogram()
                            .minimumExpectedValue(SHORTEST_SEARCH)
                            .maximumExpectedValue(LONGEST_SEARCH)
                            .register(registry));
        }
        for (Cause cause : Cause.values()) {
            brokenPromises(cause);
        }
        for (WindowOrigin via : WindowOrigin.values()) {
            windows(via);
        }
        for (Reach kind : List.of(Reach.LOCAL, Reach.EXTERNAL)) {
            Move.REASONS.forEach(reason -> migrations(kind, reason));
        }
        migrations(Reach.NONE, Move.INTERRUPTION);
    }

    /** One answer to kube-scheduler. */
    public void answered(String verb, Duration took) {
        answers(verb).record(took);
    }

    private Timer answers(String verb) {
        return Timer.builder("slotwise_extender")
                .description("time to answer kube-scheduler; bind waits at the barrier")
                .tag("verb", verb)
                .publishPercentileHistogram()
                .register(registry);
    }

    @Override
    public void leads(boolean leads) {
        leader.set(leads ? 1 : 0);
        synchronized (shown) {
            resigned = !leads;
            if (!leads) {
                forget();
            }
        }
    }

    /** Another replica says from now on how the cluster is. */
    private void forget() {
        oldestWaiting.set(0);
        idleInVain.set(0.0);
        searchRounds.set(0);
        gangs.values().forEach(count -> count.set(0));
        warnings.values().forEach(count -> count.set(0));
        pending.register(List.of(), true);
        budgetLeft.register(List.of(), true);
        boughtNodes.register(List.of(), true);
        spentOnNodes.register(List.of(), true);
        busyShare.register(List.of(), true);
        busyShares.register(List.of(), true);
    }

    @Override
    public void opened(GangId gang, Instant promisedStart, Instant openedAt) {
        startDelay.record(bounded(Duration.between(promisedStart, openedAt)));
    }

    /** A timer counts nanoseconds in a long, and a record may name the year 1. */
    private static Duration bounded(Duration time) {
        return time.compareTo(LONGEST_TIME) < 0 ? time : LONGEST_TIME;
    }

    @Override
    public void partial(GangId gang) {
        partialGangs.increment();
    }

    @Override
    public void cycle(Duration took, Snapshot snapshot, Plan plan, Collection<GangRecord> standings) {
        cycle.record(took);
        lastCycle.set(registry.config().clock().wallTime());
        searchesStopped.increment(plan.search().stopped() ? 1 : 0);
        expectMoney(snapshot, standings);
        placedOnline(snapshot, plan);
        synchronized (shown) {
            if (!resigned) {
                show(snapshot, plan, standings);
            }
        }
    }

    /**
     * What gangs that were placed online in this cycle were promised, as users judge it: seconds from the arrival to
     * the end, and currency units, each divided by its weight. Where one of the weights is 0 that is not defined. S.
     * Bansal, C. Hota, "Distributed Scheduling on Utility Grids" (2012), section 5, equation (12).
     */
    private void placedOnline(Snapshot snapshot, Plan plan) {
        Map<GangId, DomainComparison> chosen =
                plan.domains().stream().collect(Collectors.toMap(DomainComparison::gang, domains -> domains));
        for (Request request : snapshot.requests()) {
            DomainComparison domains = chosen.get(request.gang().id());
            if (domains != null
                    && domains.weights().time() > 0
                    && domains.weights().cost() > 0) {
                long response =
                        Math.max(0, domains.window().end() - request.gang().arrival());
                satisfaction.record(response / domains.weights().time()
                        + units(domains.window().cost()) / domains.weights().cost());
            }
        }
    }

    private void show(Snapshot snapshot, Plan plan, Collection<GangRecord> standings) {
        searchRounds.set(plan.search().rounds());
        gangs.forEach((phase, count) -> count.set((int) standings.stream()
                .filter(s -> s.phase() == phase && !s.tenure().isHeld())
                .count()));
        List<GangRecord> waiting = standings.stream()
                .filter(standing ->
                        standing.phase() == Phase.PENDING && !standing.tenure().isHeld())
                .toList();
        pending.register(pending(waiting), true);
        oldestWaiting.set(waiting.stream()
                .mapToLong(standing -> snapshot.now() - standing.history().seen())
                .max()
                .orElse(0));
        Map<String, Resources> taken = taken(snapshot);
        idleInVain.set(idleInVain(snapshot, taken));
        List<BusyNode> busy = busyNodes(snapshot, taken);
        busyShare.register(
                busy.stream()
                        .limit(MOST_NODES)
                        .<Row<?>>map(node -> Row.of(Tags.of("node", node.name()), node.share()))
                        .toList(),
                true);
        busyShares.register(statistics(busy), true);
        budgetLeft.register(budgetsLeft(snapshot, plan), true);
    }

    @Override
    public void refusing(IntSupplier kinds) {
        Gauge.builder("slotwise_refused_calls", kinds::getAsInt)
                .description("kinds of calls that the API server refuses at the moment")
                .register(registry);
    }

    @Override
    public void refused(String what) {
        registry.counter("slotwise_api_refusals_total", "call", what).increment();
    }

    @Override
    public void watching(String kind, Supplier<@Nullable Duration> sinceProof) {
        Gauge.builder("slotwise_watch_last_proof_timestamp_seconds", () -> lastProof(sinceProof.get()))
                .description(
                        "when the watch of a kind last proved that it works, seconds since 1970; 0: it has not yet")
                .tag("kind", kind)
                .register(registry);
    }

    private double lastProof(@Nullable Duration since) {
        return since == null ? 0 : (registry.config().clock().wallTime() - since.toMillis()) / MILLIS;
    }

    @Override
    public void cycleFailed() {
        cycleFailures.increment();
    }

    @Override
    public void pace(Duration limit) {
        longest.set(limit.toMillis());
    }

    @Override
    public <T> T around(Criterion criterion, Supplier<T> search) {
        return Objects.requireNonNull(searches.get(criterion)).record(search);
    }

    @Override
    public void noticed(Collection<Notice> notices) {
        synchronized (shown) {
            warnings.forEach((reason, count) -> count.set(
                    resigned
                            ? 0
                            : (int) notices.stream()
                                    .filter(notice -> notice.reason().equals(reason.key()))
                                    .count()));
        }
    }

    @Override
    public void broken(Cause cause) {
        brokenPromises(cause).increment();
    }

    @Override
    public void moved(Move move) {
        migrations(move.reach(), move.purpose().key()).increment();
    }

    @Override
    public void promised(GangRecord standing) {
        Promise promise = standing.promise();
        if (promise != null) {
            windows(promise.via()).increment();
        }
    }

    /**
     * The promised cost and the owners' income are counted once, at the start, for a gang that was moved at each; its
     * budget and its wait at the first.
     */
    @Override
    public void started(GangRecord standing, Cluster cluster) {
        Promise promise = standing.promise();
        if (promise == null) {
            return;
        }
        boolean first = standing.history().past() == null;
        if (first) {
            GangRecord.History history = standing.history();
            history.startedAt().ifPresent(second -> {
                wait.record(bounded(Duration.ofSeconds(Math.max(0, second - history.seen()))));
                if (history.first() != null) {
                    starts(Punctuality.of(history.first(), second)).increment();
                }
            });
        }
        String namespace = standing.gang().namespace();
        cost(namespace).increment(units(promise.window().cost()));
        Money budget = standing.terms().budget();
        if (budget != null && first) {
            budget(namespace).increment((double) budget.micros() / Money.MICROS_PER_UNIT);
        }
        Map<String, String> owners = owners(cluster);
        promise.window().placements().forEach(place -> income(place, place.cost(), owners));
    }

    /** Counted are the seconds that the room was really kept. */
    @Override
    public void held(GangRecord standing, Cluster cluster) {
        Promise promise = standing.promise();
        if (promise == null) {
            return;
        }
        Window window = promise.window();
        long endedAt = standing.history().endedAt().orElse(window.end());
        Map<String, String> owners = owners(cluster);
        standing.tariff().kept(window, endedAt).forEach((place, cost) -> {
            cost(standing.gang().namespace()).increment(units(cost));
            income(place, cost, owners);
        });
    }

    private static Map<String, String> owners(Cluster cluster) {
        Map<String, String> owners = new HashMap<>();
        cluster.nodes().forEach(node -> owners.put(node.name(), node.owner()));
        return owners;
    }

    private void income(Placement place, Cost cost, Map<String, String> owners) {
        income(owners.getOrDefault(place.node(), "unknown")).increment(units(cost));
    }

    @Override
    public void offered(Collection<String> offers) {
        for (String offer : offers) {
            purchases(offer);
            purchaseCost(offer);
            startDelays(offer);
            idleTime(offer);
            for (Failure why : Failure.values()) {
                failedPurchases(offer, why);
            }
        }
    }

    @Override
    public void bought(String offer) {
        purchases(offer).increment();
    }

    @Override
    public void paid(String offer, long bill) {
        purchaseCost(offer).increment(units(new Cost(bill)));
    }

    @Override
    public void ready(String offer, long seconds) {
        startDelays(offer).record(bounded(Duration.ofSeconds(seconds)));
    }

    @Override
    public void failed(String offer, Failure why) {
        failedPurchases(offer, why).increment();
    }

    @Override
    public void idle(String offer, long seconds) {
        idleTime(offer).increment((double) seconds);
    }

    @Override
    public void holding(Nodes nodes) {
        synchronized (shown) {
            if (!resigned) {
                boughtNodes.register(
                        List.of(
                                Row.of(Tags.of("state", "planned"), nodes.planned()),
                                Row.of(Tags.of("state", "starting"), nodes.starting()),
                                Row.of(Tags.of("state", "idle"), nodes.idle()),
                                Row.of(Tags.of("state", "busy"), nodes.busy())),
                        true);
            }
        }
    }

    @Override
    public void spent(long bills) {
        synchronized (shown) {
            if (!resigned) {
                spentOnNodes.register(List.of(Row.of(Tags.empty(), units(new Cost(bills)))), true);
            }
        }
    }

    private Counter purchases(String offer) {
        return ofOffer("slotwise_purchases", "nodes that were bought", offer);
    }

    private Counter purchaseCost(String offer) {
        return ofOffer("slotwise_purchase_cost", "the bills of bought nodes that were there", offer);
    }

    private Counter idleTime(String offer) {
        return ofOffer("slotwise_bought_idle_seconds", "how long bought nodes were there with no gang on them", offer);
    }

    private Counter ofOffer(String name, String description, String offer) {
        return Counter.builder(name)
                .description(description)
                .tag("offer", offer)
                .register(registry);
    }

    private Counter failedPurchases(String offer, Failure why) {
        return Counter.builder("slotwise_purchases_failed")
                .description("purchases of nodes that came to nothing")
                .tag("offer", offer)
                .tag("reason", why.key())
                .register(registry);
    }

    private Timer startDelays(String offer) {
        return Timer.builder("slotwise_bought_node_start")
                .description("from the purchase of a node until pods can be on it")
                .tag("offer", offer)
                .serviceLevelObjectives(NODE_STARTS)
                .minimumExpectedValue(NODE_STARTS[0])
                .maximumExpectedValue(NODE_STARTS[NODE_STARTS.length - 1])
                .register(registry);
    }

    @Override
    public void policyReplaced() {
        policyReloads.increment();
    }

    @Override
    public void policyUsable(boolean usable) {
        policyInvalid.set(usable ? 0 : 1);
    }

    /**
     * What became of promises since this replica began.
     *
     * @param started gangs that started and were promised a start
     * @param asPromised of these, those that {@link FirstPromise#isKept started by what was promised}
     * @param moves promises that moved, by cause; causes for which none did are left out
     */
    public record Promises(long started, long asPromised, SortedMap<String, Long> moves) {
        public Promises {
            moves = Collections.unmodifiableSortedMap(new TreeMap<>(moves));
        }
    }

    /** See there. */
    public Promises promises() {
        long asPromised = Math.round(
                starts(Punctuality.EARLY).count() + starts(Punctuality.PUNCTUAL).count());
        long late = Math.round(starts(Punctuality.LATE).count());
        SortedMap<String, Long> moves = new TreeMap<>();
        for (Cause cause : Cause.values()) {
            long count = Math.round(brokenPromises(cause).count());
            if (count > 0) {
                moves.put(cause.key(), count);
            }
        }
        return new Promises(asPromised + late, asPromised, moves);
    }

    private Counter brokenPromises(Cause cause) {
        return Counter.builder("slotwise_promises_broken")
                .description("promises that moved for a cause")
                .tag("cause", cause.key())
                .register(registry);
    }

    private Counter starts(Punctuality punctuality) {
        return Counter.builder("slotwise_gang_starts")
                .description("gangs that started: early (before the start that was expected with the first promise), "
                        + "punctual (by the latest start that was promised with it) or late")
                .tag("punctuality", punctuality.name().toLowerCase(Locale.ROOT))
                .register(registry);
    }

    private Counter migrations(Reach kind, String reason) {
        return Counter.builder("slotwise_migrations")
                .description("gangs that were stopped while they ran, to be placed again")
                .tag("kind", kind.key())
                .tag("reason", reason)
                .register(registry);
    }

    private Counter windows(WindowOrigin via) {
        return Counter.builder("slotwise_window_via")
                .description("windows promised, by the part of the cycle that gave them")
                .tag("via", via.key())
                .register(registry);
    }

    /** The first gang of a namespace, or on an owner's nodes, is an increase only where zero was seen before. */
    private void expectMoney(Snapshot snapshot, Collection<GangRecord> standings) {
        snapshot.cluster().nodes().stream().map(Node::owner).distinct().forEach(this::income);
        standings.stream()
                .map(standing -> standing.gang().namespace())
                .distinct()
                .forEach(this::cost);
        standings.stream()
                .filter(standing -> standing.terms().budget() != null)
                .map(standing -> standing.gang().namespace())
                .distinct()
                .forEach(this::budget);
    }

    private Counter cost(String namespace) {
        return money(
                "slotwise_gang_cost",
                "what started gangs were promised to cost, and what advance reservations cost",
                "namespace",
                namespace);
    }

    private Counter budget(String namespace) {
        return money("slotwise_gang_budget", "the budgets of started gangs that have one", "namespace", namespace);
    }

    private Counter income(String owner) {
        return money("slotwise_owner_income", "what nodes earn by started gangs", "owner", owner);
    }

    private Counter money(String name, String description, String key, String value) {
        return Counter.builder(name).description(description).tag(key, value).register(registry);
    }

    private static double units(Cost cost) {
        return cost.exact().doubleValue() / 3600.0 / Money.MICROS_PER_UNIT;
    }

    /** The largest {@link #MOST_PENDING} by namespace and reason; all others count together, by reason. O(n log n). */
    private static List<Row<?>> pending(List<GangRecord> waiting) {
        record Group(String namespace, String reason) {}
        Map<Group, Long> groups = waiting.stream()
                .collect(Collectors.groupingBy(
                        standing -> new Group(
                                standing.gang().namespace(), standing.planned().reason()),
                        Collectors.counting()));
        List<Group> largestFirst = groups.keySet().stream()
                .sorted(Comparator.<Group, Long>comparing(groups::get)
                        .reversed()
                        .thenComparing(Group::namespace)
                        .thenComparing(Group::reason))
                .toList();
        Map<Group, Long> shown = new HashMap<>();
        for (int i = 0; i < largestFirst.size(); i++) {
            Group group = largestFirst.get(i);
            shown.merge(
                    i < MOST_PENDING ? group : new Group(OTHERS, group.reason()),
                    groups.getOrDefault(group, 0L),
                    Long::sum);
        }
        List<Row<?>> rows = new ArrayList<>();
        shown.forEach((group, count) ->
                rows.add(Row.of(Tags.of("namespace", group.namespace(), "reason", group.reason()), count)));
        return rows;
    }

    /** How a start lies to what was promised first. */
    private enum Punctuality {
        EARLY,
        PUNCTUAL,
        LATE;

        static Punctuality of(FirstPromise promised, long started) {
            if (!promised.isKept(started)) {
                return LATE;
            }
            return started < promised.start() ? EARLY : PUNCTUAL;
        }
    }

    private static List<Row<?>> budgetsLeft(Snapshot snapshot, Plan plan) {
        AccountBalances purses = new AccountBalances(snapshot.accounts());
        plan.windows().forEach(planned -> purses.charge(planned.window()));
        List<Row<?>> rows = new ArrayList<>();
        for (Account account : snapshot.accounts()) {
            if (account.covers(snapshot.now())) {
                Cost left = purses.spans(account.namespace(), snapshot.now(), snapshot.now() + 1)
                        .getFirst()
                        .most();
                rows.add(Row.of(Tags.of("namespace", account.namespace()), units(left)));
            }
        }
        return rows;
    }

    /** How much of a node is taken. */
    private record BusyNode(String name, double share) {}

    private static List<Row<?>> statistics(List<BusyNode> busy) {
        DoubleSummaryStatistics all = busy.stream().mapToDouble(BusyNode::share).summaryStatistics();
        return all.getCount() == 0
                ? List.of()
                : List.of(
                        Row.of(Tags.of("statistic", "mean"), all.getAverage()),
                        Row.of(Tags.of("statistic", "least"), all.getMin()),
                        Row.of(Tags.of("statistic", "greatest"), all.getMax()));
    }

    /**
     * The part of all processors that are idle now, if a gang that has not started asks for no more than these, else 0:
     * what the loss of capacity is the mean of over time. F. A. P. Pinto, C. B. Chaves, L. G. Leite, F. H. L.
     * Vasconcelos, G. C. Barroso, "Analysis of Scheduling Algorithms with Migration Strategies in Distributed Systems"
     * (2014), section VI, equation (6).
     */
    private static double idleInVain(Snapshot snapshot, Map<String, Resources> taken) {
        double all = 0;
        double idle = 0;
        for (Node node : snapshot.cluster().nodes()) {
            double processors = node.allocatable().get(Resources.CPU);
            Resources amount = taken.get(node.name());
            all += processors;
            idle += Math.max(0, processors - (amount == null ? 0 : amount.get(Resources.CPU)));
        }
        double smallest = snapshot.requests().stream()
                .mapToDouble(request -> request.gang().shapes().stream()
                        .mapToDouble(shape -> (double) shape.pods().size()
                                * shape.request().resources().get(Resources.CPU))
                        .sum())
                .min()
                .orElse(Double.POSITIVE_INFINITY);
        return all > 0 && smallest <= idle ? idle / all : 0;
    }

    /** What is taken now of each node that is not empty. */
    private static Map<String, Resources> taken(Snapshot snapshot) {
        Map<String, Resources> taken = new HashMap<>();
        for (Occupation occupation : snapshot.cluster().occupations()) {
            if (occupation.interval().start() <= snapshot.now()
                    && snapshot.now() < occupation.interval().end()) {
                taken.merge(occupation.node(), occupation.amount(), Resources::plus);
            }
        }
        return taken;
    }

    /** All nodes, by name. */
    private static List<BusyNode> busyNodes(Snapshot snapshot, Map<String, Resources> taken) {
        List<BusyNode> busy = new ArrayList<>();
        for (Node node : snapshot.cluster().nodes()) {
            Resources amount = taken.get(node.name());
            Share share = amount == null ? Share.NONE : amount.dominantShareOf(node.allocatable());
            busy.add(new BusyNode(node.name(), (double) share.part() / share.whole()));
        }
        return busy;
    }
}
