package io.slotwise.observability;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.migration.MigrationPolicy.Reach;
import io.slotwise.core.migration.Move;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.DomainComparison;
import io.slotwise.core.plan.FirstPromise;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.kubernetes.bind.BarrierObserver;
import io.slotwise.kubernetes.refusal.RefusalObserver;
import io.slotwise.kubernetes.watch.WatchObserver;
import io.slotwise.live.port.ClusterView.Notice;
import io.slotwise.live.port.MetricsRecorder;
import io.slotwise.live.record.GangRecord;
import jakarta.enterprise.context.ApplicationScoped;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All meters, with their public names. Durations are seconds, money is currency units. */
@ApplicationScoped
public class Meters implements BarrierObserver, MetricsRecorder, RefusalObserver, WatchObserver {
    /** Searches in small clusters take less than Micrometer's smallest default bucket, a millisecond. */
    private static final Duration SHORTEST_SEARCH = Duration.ofNanos(100_000);

    private static final double MILLIS = 1000.0;
    private static final Duration LONGEST_SEARCH = Duration.ofSeconds(10);

    /** The limit of recorded times. */
    private static final Duration LONGEST_TIME = Duration.ofDays(366);

    /** The buckets of waits. */
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

    /** The buckets of the nodes' start-up delays. */
    private static final Duration[] NODE_STARTS = {
        Duration.ofSeconds(30),
        Duration.ofMinutes(1),
        Duration.ofMinutes(2),
        Duration.ofMinutes(5),
        Duration.ofMinutes(10),
        Duration.ofMinutes(30)
    };

    private final MeterRegistry registry;
    private final ClusterGauges seenGauges;
    private final MoneyMeters money;
    private final Counter partialGangs;
    private final Timer startDelay;
    private final Timer wait;
    private final DistributionSummary satisfaction;
    private final Timer cycle;
    private final Counter cycleFailures;
    private final Counter searchesStopped;
    private final AtomicLong lastCycle = new AtomicLong();
    private final AtomicLong longest = new AtomicLong();
    private final AtomicInteger leader = new AtomicInteger();
    private final AtomicInteger policyInvalid = new AtomicInteger();
    private final Counter policyReloads;
    private final Map<Criterion, Timer> searches = new EnumMap<>(Criterion.class);

    /** Registers the known meters, so that they are zero before the first event. */
    public Meters(MeterRegistry registry) {
        this.registry = registry;
        this.seenGauges = new ClusterGauges(registry);
        this.money = new MoneyMeters(registry);
        partialGangs = counter("slotwise_partial_gangs", "gangs of which some members were bound and others refused");
        startDelay = Timer.builder("slotwise_gang_start_delay")
                .description("real start minus promised start")
                .publishPercentileHistogram()
                .serviceLevelObjectives(Duration.ofSeconds(1))
                .register(registry);
        wait = timer("slotwise_gang_wait", "start minus the moment at which the gang was first seen", WAITS);
        satisfaction = DistributionSummary.builder("slotwise_user_satisfaction")
                .description("response / time weight + cost / cost weight of gangs that were placed online, each by "
                        + "the weights that it was placed by; less is better")
                .register(registry);
        cycle = Timer.builder("slotwise_cycle")
                .description("one cycle: snapshot, plan, publish")
                .publishPercentileHistogram()
                .register(registry);
        cycleFailures = counter("slotwise_cycle_failures", "cycles that ended with an error and were tried again");
        searchesStopped = counter(
                "slotwise_searches_stopped",
                "cycles whose search for alternatives ended by the policy's planner.search-time");
        Gauge.builder("slotwise_last_cycle_timestamp_seconds", lastCycle, ended -> ended.get() / MILLIS)
                .description("when this replica finished a cycle last, seconds since 1970; 0: it has not yet")
                .register(registry);
        Gauge.builder("slotwise_cycle_limit_seconds", longest, limit -> limit.get() / MILLIS)
                .description("a leader that has not finished a cycle for so long does not plan")
                .register(registry);
        Gauge.builder("slotwise_leader", leader, AtomicInteger::get)
                .description("1 on the leader, else 0")
                .register(registry);
        Gauge.builder("slotwise_policy_invalid", policyInvalid, AtomicInteger::get)
                .description("1 while the policy file cannot be used and an earlier policy stays active, else 0")
                .register(registry);
        policyReloads =
                counter("slotwise_policy_reloads", "policies that replaced the previous one while this replica ran");
        for (Criterion criterion : Criterion.values()) {
            searches.put(criterion, search(criterion));
        }
        countFromZero();
    }

    /** Registers the counters by kind, as zero. */
    private void countFromZero() {
        for (String verb : List.of("filter", "prioritize", "preempt", "bind")) {
            answers(verb);
        }
        for (Punctuality punctuality : Punctuality.values()) {
            starts(punctuality);
        }
        for (Cause cause : Cause.values()) {
            brokenPromises(cause);
        }
        for (WindowOrigin origin : WindowOrigin.values()) {
            windows(origin);
        }
        for (Reach reach : List.of(Reach.LOCAL, Reach.EXTERNAL)) {
            Move.REASONS.forEach(reason -> migrations(reach, reason));
        }
        migrations(Reach.NONE, Move.INTERRUPTION);
        migrations(Reach.NONE, Move.RECLAIM);
    }

    private Counter counter(String name, String description, String... tags) {
        return Counter.builder(name).description(description).tags(tags).register(registry);
    }

    private Timer timer(String name, String description, Duration[] bounds, String... tags) {
        return Timer.builder(name)
                .description(description)
                .tags(tags)
                .serviceLevelObjectives(bounds)
                .minimumExpectedValue(bounds[0])
                .maximumExpectedValue(bounds[bounds.length - 1])
                .register(registry);
    }

    private Timer search(Criterion criterion) {
        return Timer.builder("slotwise_window_search")
                .description("one search of the planning cycle for the best window of one gang")
                .tag("criterion", criterion.key())
                .publishPercentileHistogram()
                .minimumExpectedValue(SHORTEST_SEARCH)
                .maximumExpectedValue(LONGEST_SEARCH)
                .register(registry);
    }

    /** Records an answer to kube-scheduler. */
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
        seenGauges.leads(leads);
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
    public void cycle(Duration took, Snapshot snapshot, Plan plan, Collection<GangRecord> records) {
        cycle.record(took);
        lastCycle.set(registry.config().clock().wallTime());
        searchesStopped.increment(plan.search().stopped() ? 1 : 0);
        money.expect(snapshot, records);
        placedOnline(snapshot, plan);
        seenGauges.show(snapshot, plan, records);
    }

    /**
     * Records the user satisfaction of gangs that were placed online in this cycle: seconds from the arrival to the
     * end, and currency units, each divided by its weight. Undefined if a weight is 0. S. Bansal, C. Hota, "Distributed
     * Scheduling on Utility Grids" (2012), section 5, equation (12).
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
                        + MoneyMeters.units(domains.window().cost())
                                / domains.weights().cost());
            }
        }
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
        seenGauges.show(notices);
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
    public void promised(GangRecord record) {
        Promise promise = record.promise();
        if (promise != null) {
            windows(promise.origin()).increment();
        }
    }

    /**
     * The promised cost and the owners' income count at each start, so for a moved gang again; its budget and its wait
     * count at the first start.
     */
    @Override
    public void started(GangRecord record, Cluster cluster) {
        Promise promise = record.promise();
        if (promise == null) {
            return;
        }
        boolean first = record.history().history() == null;
        if (first) {
            GangRecord.History history = record.history();
            history.startedAt().ifPresent(second -> {
                wait.record(bounded(Duration.ofSeconds(Math.max(0, second - history.seen()))));
                if (history.first() != null) {
                    starts(Punctuality.of(history.first(), second)).increment();
                }
            });
        }
        money.started(record, promise.window(), cluster);
    }

    @Override
    public void held(GangRecord record, Cluster cluster) {
        money.held(record, cluster);
    }

    @Override
    public void offered(Collection<String> offers) {
        for (String offer : offers) {
            purchases(offer);
            purchaseCost(offer);
            startDelays(offer);
            idleTime(offer);
            for (Failure failure : Failure.values()) {
                failedPurchases(offer, failure);
            }
        }
    }

    @Override
    public void bought(String offer) {
        purchases(offer).increment();
    }

    @Override
    public void paid(String offer, long bill) {
        purchaseCost(offer).increment(MoneyMeters.units(new Cost(bill)));
    }

    @Override
    public void ready(String offer, long seconds) {
        startDelays(offer).record(bounded(Duration.ofSeconds(seconds)));
    }

    @Override
    public void failed(String offer, Failure failure) {
        failedPurchases(offer, failure).increment();
    }

    @Override
    public void idle(String offer, long seconds) {
        idleTime(offer).increment((double) seconds);
    }

    @Override
    public void holding(Nodes nodes) {
        seenGauges.show(nodes);
    }

    @Override
    public void spent(long bills) {
        seenGauges.showSpent(bills);
    }

    private Counter purchases(String offer) {
        return counter("slotwise_purchases", "nodes that were bought", "offer", offer);
    }

    private Counter purchaseCost(String offer) {
        return counter("slotwise_purchase_cost", "the bills of bought nodes that were there", "offer", offer);
    }

    private Counter idleTime(String offer) {
        String description = "how long bought nodes were there with no gang on them";
        return counter("slotwise_bought_idle_seconds", description, "offer", offer);
    }

    private Counter failedPurchases(String offer, Failure failure) {
        return counter(
                "slotwise_purchases_failed",
                "purchases of nodes that came to nothing",
                "offer",
                offer,
                "reason",
                failure.key());
    }

    private Timer startDelays(String offer) {
        String description = "from the purchase of a node until pods can be on it";
        return timer("slotwise_bought_node_start", description, NODE_STARTS, "offer", offer);
    }

    @Override
    public void policyReplaced() {
        policyReloads.increment();
    }

    @Override
    public void policyUsable(boolean usable) {
        policyInvalid.set(usable ? 0 : 1);
    }

    @Override
    public FirstPromise.Outcomes promises() {
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
        return new FirstPromise.Outcomes(asPromised + late, asPromised, moves);
    }

    private Counter brokenPromises(Cause cause) {
        return counter("slotwise_promises_broken", "promises that moved for a cause", "cause", cause.key());
    }

    private Counter starts(Punctuality punctuality) {
        return counter(
                "slotwise_gang_starts",
                "gangs that started: early (before the start that was expected with the first promise), "
                        + "punctual (by the latest start that was promised with it) or late",
                "punctuality",
                punctuality.name().toLowerCase(Locale.ROOT));
    }

    private Counter migrations(Reach reach, String reason) {
        return counter(
                "slotwise_migrations",
                "gangs that were stopped while they ran, to be placed again",
                "kind",
                reach.key(),
                "reason",
                reason);
    }

    private Counter windows(WindowOrigin origin) {
        return counter(
                "slotwise_window_via",
                "windows promised, by the part of the cycle that gave them",
                "via",
                origin.key());
    }

    /** A start relative to the first promise. */
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
}
