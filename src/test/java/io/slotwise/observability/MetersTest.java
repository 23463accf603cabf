package io.slotwise.observability;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.Patience;
import io.slotwise.core.gang.TopologyLevels;
import io.slotwise.core.ledger.PromiseTariff;
import io.slotwise.core.online.CriterionWeights;
import io.slotwise.core.online.DomainChoice;
import io.slotwise.core.online.OnlineMode;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.DomainComparison;
import io.slotwise.core.plan.FirstPromise;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.window.SearchExtent;
import io.slotwise.live.port.ClusterView.Notice;
import io.slotwise.live.record.GangRecord;
import io.slotwise.testing.GangBuilder;
import io.slotwise.testing.PlanBuilder;
import io.slotwise.testing.PlanBuilder.PlacedPod;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MetersTest {
    private static final Cluster NO_NODES = new Cluster(List.of(), List.of());

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final Meters meters = new Meters(registry);

    private double warnings(String reason) {
        return registry.get("slotwise_object_warnings")
                .tag("reason", reason)
                .gauge()
                .value();
    }

    @Test
    void warningsAreCountedByReasonAndForgottenOnceTheyAreMended() {
        assertThat(warnings("PriceMissing")).isZero();

        meters.noticed(
                List.of(notice("n1", "PriceMissing"), notice("n2", "PriceMissing"), notice("n1", "InvalidValue")));
        assertThat(warnings("PriceMissing")).isEqualTo(2);
        assertThat(warnings("InvalidValue")).isEqualTo(1);

        meters.noticed(List.of());
        assertThat(warnings("PriceMissing")).isZero();
    }

    @Test
    void aReplicaThatLeadsNoMoreSaysNothingOfTheCluster() {
        meters.leads(true);
        Plan plan = new PlanBuilder().node("n1", 4000, "ann").plan();
        Snapshot snapshot = new PlanBuilder().node("n1", 4000, "ann").snapshot();
        GangRecord waiting = GangRecord.first(new GangId("user", "g"), 0);
        meters.cycle(Duration.ofMillis(1), snapshot, plan, List.of(waiting));
        meters.noticed(List.of(notice("n1", "PriceMissing")));
        assertThat(registry.find("slotwise_node_busy_share").gauges()).hasSize(1);
        assertThat(registry.get("slotwise_gangs")
                        .tag("phase", "Pending")
                        .gauge()
                        .value())
                .isEqualTo(1);

        meters.leads(false);
        // A running cycle ends.
        meters.cycle(Duration.ofMillis(1), snapshot, plan, List.of(waiting));
        meters.noticed(List.of(notice("n1", "PriceMissing")));

        assertThat(registry.find("slotwise_node_busy_share").gauges()).isEmpty();
        assertThat(registry.find("slotwise_nodes_busy_share").gauges()).isEmpty();
        assertThat(registry.find("slotwise_pending_gangs").gauges()).isEmpty();
        assertThat(registry.get("slotwise_gangs")
                        .tag("phase", "Pending")
                        .gauge()
                        .value())
                .isZero();
        assertThat(warnings("PriceMissing")).isZero();

        meters.leads(true);
        meters.cycle(Duration.ofMillis(1), snapshot, plan, List.of(waiting));
        assertThat(registry.find("slotwise_node_busy_share").gauges()).hasSize(1);
    }

    @Test
    void gangsAreCountedByTheNarrowestLevelThatHoldsAllTheirNodes() {
        List<Node> nodes = List.of(
                PlanBuilder.oneCore("n1", 1).withLabels(Map.of("block", "a", "rack", "1")),
                PlanBuilder.oneCore("n2", 1).withLabels(Map.of("block", "a", "rack", "1")),
                PlanBuilder.oneCore("n3", 1).withLabels(Map.of("block", "a", "rack", "2")),
                PlanBuilder.oneCore("n4", 1).withLabels(Map.of("block", "b", "rack", "1")));
        Snapshot snapshot = new Snapshot(0, new Cluster(nodes, List.of()), List.of(), List.of())
                .with(copy -> copy.levels(new TopologyLevels(List.of(List.of("block", "rack")), Patience.NONE)));
        List<GangRecord> records = List.of(
                promised("near", "n1", "n2"),
                promised("single", "n4"),
                promised("next-rack", "n1", "n3"),
                promised("far", "n2", "n4"),
                GangRecord.first(new GangId("user", "waiting"), 0));

        meters.cycle(Duration.ofMillis(1), snapshot, new PlanBuilder().plan(), records);

        assertThat(registry.find("slotwise_gangs_by_level").gauges())
                .extracting(gauge -> gauge.getId().getTag("level"), Gauge::value)
                .containsExactlyInAnyOrder(tuple("rack", 2.0), tuple("block", 1.0), tuple("cluster", 1.0));
    }

    private static GangRecord promised(String name, String... nodes) {
        PlacedPod[] pods =
                Arrays.stream(nodes).map(node -> new PlacedPod(node, 60, 0)).toArray(PlacedPod[]::new);
        Planned planned =
                new PlanBuilder().window(name, 0, null, pods).plan().windows().getFirst();
        return GangRecord.first(planned.gang().id(), 0)
                .promised(new Promise(planned.window(), planned.origin(), false), PromiseTariff.CONSTANT);
    }

    @Test
    void theSeriesOfNodesAreBoundedAndTheStatisticsCountAll() {
        PlanBuilder many = new PlanBuilder();
        IntStream.range(0, ClusterGauges.MOST_NODES + 20).forEach(i -> many.node("n%04d".formatted(i), 4000, "ann"));

        meters.cycle(Duration.ofMillis(1), many.snapshot(), new PlanBuilder().plan(), List.of());

        assertThat(registry.find("slotwise_node_busy_share").gauges())
                .hasSize(ClusterGauges.MOST_NODES)
                .noneMatch(gauge -> "n0519".equals(gauge.getId().getTag("node")));
        assertThat(registry.get("slotwise_nodes_busy_share")
                        .tag("statistic", "mean")
                        .gauge()
                        .value())
                .isZero();
    }

    @Test
    void capacityIsLostWhileAGangWaitsThatWouldFit() {
        Snapshot half = new PlanBuilder()
                .node("n1", 4000, "ann")
                .node("n2", 4000, "ann")
                .running("n1", 4000, 600)
                .snapshot();
        Plan plan = new PlanBuilder().plan();

        meters.cycle(Duration.ofMillis(1), half.withRequests(waiting(5)), plan, List.of());
        assertThat(lost()).isZero();

        meters.cycle(Duration.ofMillis(1), half.withRequests(waiting(4)), plan, List.of());
        assertThat(lost()).isEqualTo(0.5);

        meters.cycle(Duration.ofMillis(1), half, plan, List.of());
        assertThat(lost()).isZero();
    }

    private static List<Request> waiting(int cores) {
        return List.of(new Request(GangBuilder.gang("g", cores, 1000, 600).build(), null));
    }

    private double lost() {
        return registry.get("slotwise_capacity_lost_share").gauge().value();
    }

    @Test
    void cyclesThatFailAndTheLimitAreSeenFromTheBeginning() {
        assertThat(registry.get("slotwise_cycle_failures").counter().count()).isZero();
        assertThat(registry.get("slotwise_last_cycle_timestamp_seconds").gauge().value())
                .isZero();

        meters.cycleFailed();
        meters.pace(Duration.ofSeconds(45));

        assertThat(registry.get("slotwise_cycle_failures").counter().count()).isOne();
        assertThat(registry.get("slotwise_cycle_limit_seconds").gauge().value()).isEqualTo(45);
    }

    @Test
    void theRoundsOfASearchAndThoseThatWereStoppedAreCounted() {
        Snapshot nothing = new Snapshot(0, new Cluster(List.of(), List.of()), List.of(), List.of());
        assertThat(registry.get("slotwise_searches_stopped").counter().count()).isZero();

        meters.cycle(Duration.ofSeconds(1), nothing, searched(new SearchExtent(7, 40, true)), List.of());
        meters.cycle(Duration.ofSeconds(1), nothing, searched(new SearchExtent(3, 20, false)), List.of());

        assertThat(registry.get("slotwise_searches_stopped").counter().count()).isOne();
        assertThat(registry.get("slotwise_search_rounds").gauge().value()).isEqualTo(3);
    }

    @Test
    void aGangStartsAsPromisedUpToTheLatestStartOfItsFirstPromise() {
        for (long start : new long[] {99, 100, 130, 131}) {
            meters.started(started(new FirstPromise(100, 130), start), NO_NODES);
        }
        meters.broken(Cause.NODE_LOST);
        meters.broken(Cause.NODE_LOST);

        assertThat(starts("early")).isEqualTo(1);
        assertThat(starts("punctual")).isEqualTo(2);
        assertThat(starts("late")).isEqualTo(1);
        assertThat(meters.promises())
                .isEqualTo(new FirstPromise.Outcomes(4, 3, new TreeMap<>(Map.of("node-lost", 2L))));
    }

    @Test
    void waitsAreCountedInBucketsUpToAWeek() {
        meters.started(started(new FirstPromise(50), 50), NO_NODES);
        meters.started(started(new FirstPromise(5000), 5000), NO_NODES);

        CountAtBucket[] buckets =
                registry.get("slotwise_gang_wait").timer().takeSnapshot().histogramCounts();

        assertThat(buckets)
                .extracting(bucket -> bucket.bucket(TimeUnit.SECONDS), CountAtBucket::count)
                .contains(tuple(60.0, 1.0), tuple(3600.0, 1.0), tuple(14_400.0, 2.0), tuple(604_800.0, 2.0));
    }

    @Test
    void waitingGangsAreCountedByNamespaceAndReasonAndTheOldestIsSeen() {
        GangRecord refused = waiting("team", "a", 10).planned(false, "OverBudget", "too dear", 20);

        cycle(List.of(refused, waiting("team", "b", 40), waiting("team", "c", 50), waiting("lab", "d", 60)));

        assertThat(pending("team", "OverBudget")).isEqualTo(1);
        assertThat(pending("team", "Seen")).isEqualTo(2);
        assertThat(pending("lab", "Seen")).isEqualTo(1);
        assertThat(registry.get("slotwise_oldest_waiting_gang_seconds").gauge().value())
                .isEqualTo(90);

        cycle(List.of());

        assertThat(registry.find("slotwise_pending_gangs").gauges()).isEmpty();
        assertThat(registry.get("slotwise_oldest_waiting_gang_seconds").gauge().value())
                .isZero();
    }

    @Test
    void theSeriesOfWaitingGangsAreBounded() {
        List<GangRecord> many = IntStream.range(0, ClusterGauges.MOST_PENDING + 30)
                .mapToObj(at -> waiting("n" + at, "g", 0))
                .toList();

        cycle(many);

        assertThat(registry.find("slotwise_pending_gangs").gauges()).hasSize(ClusterGauges.MOST_PENDING + 1);
        assertThat(pending(ClusterGauges.OTHERS, "Seen")).isEqualTo(30);
    }

    @Test
    void aReplicaThatDoesNotLeadAnyMoreTellsNothingOfWaitingGangs() {
        meters.leads(true);
        cycle(List.of(waiting("team", "a", 10)));

        meters.leads(false);

        assertThat(registry.find("slotwise_pending_gangs").gauges()).isEmpty();
        assertThat(registry.get("slotwise_oldest_waiting_gang_seconds").gauge().value())
                .isZero();
    }

    @Test
    void aGangThatIsPlacedOnlineCountsByTheWeightsOfItsChoice() {
        DistributionSummary satisfaction =
                registry.get("slotwise_user_satisfaction").summary();
        assertThat(satisfaction.count()).isZero();
        Planned planned = new PlanBuilder()
                .window("g", 0, "1", new PlacedPod("n", 900, 3_000_000))
                .plan()
                .windows()
                .getFirst();
        Snapshot snapshot =
                new Snapshot(planned.window().start(), NO_NODES, List.of(new Request(planned.gang(), null)), List.of());

        meters.cycle(
                Duration.ofSeconds(1), snapshot, online(planned, new CriterionWeights(0.5, 0.25, 0.25)), List.of());
        meters.cycle(Duration.ofSeconds(1), snapshot, online(planned, new CriterionWeights(1, 0, 0)), List.of());

        double response = planned.window().end() - planned.gang().arrival();
        double cost = planned.window().cost().exact().doubleValue() / 3.6e9;
        assertThat(cost).isPositive();
        assertThat(satisfaction.count()).isOne();
        assertThat(satisfaction.totalAmount()).isCloseTo(response / 0.5 + cost / 0.25, within(1e-9));
    }

    private static Plan online(Planned planned, CriterionWeights weights) {
        DomainComparison domains = new DomainComparison(
                planned.gang().id(),
                OnlineMode.EMCT,
                weights,
                List.of(new DomainChoice.Compared("a", planned.window(), 0, 900, 1, 0, 0)),
                List.of());
        return new Plan(
                0,
                10,
                List.of(planned),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(),
                List.of(domains),
                new SearchExtent(1, 1, false),
                List.of(),
                Map.of());
    }

    private void cycle(List<GangRecord> records) {
        Snapshot snapshot = new Snapshot(100, NO_NODES, List.of(), List.of());
        meters.cycle(Duration.ofSeconds(1), snapshot, searched(new SearchExtent(1, 1, false)), records);
    }

    private static GangRecord waiting(String namespace, String name, long seen) {
        return GangRecord.first(new GangId(namespace, name), seen);
    }

    /** A gang that was seen at second 0. */
    private static GangRecord started(FirstPromise promised, long start) {
        Planned planned = new PlanBuilder()
                .window("g", 0, "1", new PlacedPod("n", 60, 1_000_000))
                .plan()
                .windows()
                .getFirst();
        GangRecord record = GangRecord.first(planned.gang().id(), 0)
                .promised(new Promise(planned.window(), planned.origin(), false), PromiseTariff.CONSTANT);
        return record.withHistory(record.history().promised(promised).started(start, new TreeMap<>()));
    }

    private double starts(String punctuality) {
        return registry.get("slotwise_gang_starts")
                .tag("punctuality", punctuality)
                .counter()
                .count();
    }

    private double pending(String namespace, String reason) {
        return registry.get("slotwise_pending_gangs")
                .tags("namespace", namespace, "reason", reason)
                .gauge()
                .value();
    }

    private static Plan searched(SearchExtent extent) {
        return new Plan(
                0, 10, List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), List.of(), extent, List.of(),
                Map.of());
    }

    @Test
    void theLastProofOfAWatchIsSeenFromTheBeginning() {
        AtomicReference<@Nullable Duration> since = new AtomicReference<>();
        meters.watching("pods", since::get);
        Gauge proof = registry.get("slotwise_watch_last_proof_timestamp_seconds")
                .tag("kind", "pods")
                .gauge();
        assertThat(proof.value()).isZero();

        since.set(Duration.ofSeconds(20));

        assertThat(proof.value()).isCloseTo(Instant.now().getEpochSecond() - 20.0, within(5.0));
    }

    private static Notice notice(String node, String reason) {
        return new Notice("Node", "", node, reason, "node " + node);
    }

    @Test
    void aPromiseOfTheYearOneIsMeasuredAsTheLongestDelayThatThereIs() {
        meters.opened(
                new GangId("user", "g"), Instant.parse("0001-01-01T00:00:00Z"), Instant.parse("2030-01-01T00:00:00Z"));

        assertThat(registry.get("slotwise_gang_start_delay").timer().max(TimeUnit.DAYS))
                .isEqualTo(366);
    }
}
