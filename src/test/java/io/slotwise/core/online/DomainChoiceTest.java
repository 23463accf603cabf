package io.slotwise.core.online;

import static io.slotwise.testing.RandomClusters.NOW;
import static io.slotwise.testing.RandomClusters.SPAN;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Money;
import io.slotwise.core.online.DomainChoice.Chosen;
import io.slotwise.core.online.DomainChoice.Compared;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.Eligibility.Kind;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.testing.GangBuilder;
import io.slotwise.testing.PlanChecker;
import io.slotwise.testing.RandomClusters;
import io.slotwise.testing.Usual;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DomainChoiceTest {
    private static final CriterionWeights TIME = new CriterionWeights(1, 0, 0);
    private static final CriterionWeights COST = new CriterionWeights(0, 1, 0);
    private static final CriterionWeights ROOM = new CriterionWeights(0, 0, 1);

    private static Optional<Chosen> choose(Cluster cluster, Gang gang, OnlineRequest online, long turnover) {
        Timeline timeline = new Timeline(cluster, NOW, turnover);
        return new DomainChoice(new ResourceDomains(timeline, "zone"))
                .best(
                        gang,
                        online,
                        List.of(new Eligibility(Kind.of(gang), timeline, false)),
                        SlotTerms.of(gang, NOW, NOW + SPAN),
                        NOW);
    }

    /** Builds nodes of the domain {@code zone}, by default at reference speed, with prices in units per hour. */
    private static final class Zones {
        private final List<Node> nodes = new ArrayList<>();
        private final List<Occupation> load = new ArrayList<>();

        Zones node(String zone, int cores, double speed, double price, long bandwidth) {
            nodes.add(new Node(
                            zone + nodes.size(),
                            zone.isEmpty() ? Map.of() : Map.of("zone", zone),
                            List.of(),
                            true,
                            cores(cores).with(Resources.PODS, 110),
                            new Performance(Math.round(speed * 1_000_000)),
                            "owner",
                            StepFunction.constant(Math.round(price * Money.MICROS_PER_UNIT)),
                            List.of())
                    .withBandwidth(bandwidth));
            return this;
        }

        /** Makes the last node busy for this many seconds. */
        Zones busyFor(long seconds) {
            Node last = nodes.getLast();
            load.add(new Occupation("other/p", last.name(), last.allocatable(), new Interval(NOW, NOW + seconds)));
            return this;
        }

        Cluster cluster() {
            return new Cluster(nodes, load);
        }
    }

    private static Resources cores(long cores) {
        return Resources.of(Map.of(Resources.CPU, 1000 * cores, Resources.PODS, 1L));
    }

    /** A gang of pods of one core and 60 seconds. */
    private static Gang gang(int size) {
        return GangBuilder.gang("g", size, 1000, 60).arrival(NOW - 10).build();
    }

    @Test
    void completionLooksAtTheEndAndExecutionAtTheRuntime() {
        Cluster cluster = new Zones()
                .node("fast", 4, 2, 1, Node.UNKNOWN)
                .busyFor(100)
                .node("free", 4, 1, 1, Node.UNKNOWN)
                .cluster();

        Chosen emct = choose(cluster, gang(2), new OnlineRequest(OnlineMode.EMCT, 0, TIME), 0)
                .orElseThrow();
        Chosen emet = choose(cluster, gang(2), new OnlineRequest(OnlineMode.EMET, 0, TIME), 0)
                .orElseThrow();

        assertThat(emct.domain()).isEqualTo("free");
        assertThat(emct.compared()).extracting(Compared::time).containsExactly(70L, 140L);
        assertThat(emet.domain()).isEqualTo("fast");
        assertThat(emet.compared()).extracting(Compared::time).containsExactly(30L, 60L);
    }

    @Test
    void fragmentationPrefersTheDomainThatTheGangJustFills() {
        Cluster cluster = new Zones()
                .node("large", 9, 1, 1, Node.UNKNOWN)
                .node("small", 3, 1, 1, Node.UNKNOWN)
                .cluster();

        Chosen chosen = choose(cluster, gang(3), new OnlineRequest(OnlineMode.EMCT, 0, ROOM), 0)
                .orElseThrow();

        assertThat(chosen.domain()).isEqualTo("small");
        assertThat(chosen.compared()).extracting(Compared::free).containsExactly(0L, 6L);
    }

    @Test
    void nodesWithoutTheLabelAreADomainOfTheirOwn() {
        Cluster cluster = new Zones()
                .node("a", 1, 1, 1, Node.UNKNOWN)
                .node("", 1, 1, 1, Node.UNKNOWN)
                .node("", 1, 1, 1, Node.UNKNOWN)
                .cluster();

        Chosen chosen = choose(cluster, gang(2), new OnlineRequest(OnlineMode.EMCT, 0, TIME), 0)
                .orElseThrow();

        assertThat(chosen.domain()).isEmpty();
        assertThat(chosen.compared()).hasSize(1);
    }

    @Test
    void windowWaitsForItsInputAndTheTransferCounts() {
        // 1000 bytes take 80 s at 100 bit/s, 8 s at 1000 bit/s. A domain's bandwidth is the least of its nodes.
        Cluster cluster = new Zones()
                .node("far", 4, 2, 1, 500)
                .node("far", 4, 2, 1, 100)
                .node("near", 4, 1, 1, 1000)
                .cluster();

        Chosen chosen = choose(cluster, gang(2), new OnlineRequest(OnlineMode.EMCT, 1000, TIME), 0)
                .orElseThrow();
        Chosen without = choose(cluster, gang(2), new OnlineRequest(OnlineMode.EMCT, 0, TIME), 0)
                .orElseThrow();

        assertThat(without.domain()).isEqualTo("far");
        assertThat(chosen.domain()).isEqualTo("near");
        assertThat(chosen.compared()).extracting(Compared::transfer).containsExactly(8L, 80L);
        assertThat(chosen.compared()).extracting(c -> c.window().start() - NOW).containsExactly(8L, 80L);
        assertThat(chosen.compared()).extracting(Compared::time).containsExactly(8 + 10 + 8 + 60L, 80 + 10 + 80 + 30L);
    }

    @Test
    void domainOfUnknownBandwidthIsLeftOutIfAnotherIsKnown() {
        Zones zones = new Zones().node("silent", 4, 3, 1, Node.UNKNOWN).node("known", 4, 1, 1, 1000);
        OnlineRequest online = new OnlineRequest(OnlineMode.EMCT, 1000, TIME);

        Chosen chosen = choose(zones.cluster(), gang(2), online, 0).orElseThrow();
        Chosen full = choose(zones.busyFor(SPAN).cluster(), gang(2), online, 0).orElseThrow();

        assertThat(chosen.domain()).isEqualTo("known");
        assertThat(chosen.unknownBandwidth()).containsExactly("silent");
        assertThat(full.domain()).isEqualTo("silent");
        assertThat(full.unknownBandwidth()).isEmpty();
    }

    @Test
    void transferTimeIsRoundedUpAndNeverOverflows() {
        assertThat(new ResourceDomains.Domain("d", 3).transferTime(1)).isEqualTo(3);
        assertThat(new ResourceDomains.Domain("d", 8).transferTime(1)).isEqualTo(1);
        assertThat(new ResourceDomains.Domain("d", 1).transferTime(Long.MAX_VALUE))
                .isEqualTo(Long.MAX_VALUE / 4);
        assertThat(new ResourceDomains.Domain("d", Node.UNKNOWN).transferTime(0))
                .isZero();
        assertThat(new ResourceDomains.Domain("d", Node.UNKNOWN).transferTime(1))
                .isEqualTo(Node.UNKNOWN);
    }

    private record Case(Cluster cluster, Gang gang, OnlineRequest online, long turnover) {
        static Case of(long seed, OnlineMode mode) {
            RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            RandomClusters clusters = new RandomClusters(random);
            Cluster raw = clusters.cluster(2 + random.nextInt(9));
            Gang gang = clusters.gang("g", Criterion.START);
            Map<String, Long> bandwidths = new HashMap<>();
            List<Node> nodes = raw.inventory().stream()
                    .map(node -> rezoned(node, random, bandwidths))
                    .toList();
            CriterionWeights weights = switch (random.nextInt(4)) {
                case 0 -> TIME;
                case 1 -> COST;
                case 2 -> ROOM;
                default -> CriterionWeights.DEFAULT;
            };
            return new Case(
                    new Cluster(nodes, raw.occupations()),
                    gang,
                    new OnlineRequest(mode, random.nextInt(3) == 0 ? random.nextInt(2000) : 0, weights),
                    random.nextInt(3) == 0 ? 4 : 0);
        }

        /** Moves the node to one of three domains, or to none. */
        private static Node rezoned(Node node, RandomGenerator random, Map<String, Long> bandwidths) {
            int zone = random.nextInt(4);
            Map<String, String> labels = new HashMap<>(node.labels());
            if (zone == 0) {
                labels.remove("zone");
            } else {
                labels.put("zone", "z" + zone);
            }
            long bandwidth = bandwidths.computeIfAbsent(
                    "z" + zone, _ -> random.nextInt(3) == 0 ? Node.UNKNOWN : 50 + random.nextLong(900));
            return node.withLabels(labels).withBandwidth(bandwidth);
        }

        Optional<Chosen> chosen() {
            return choose(cluster, gang, online, turnover);
        }

        List<String> faults(Window window) {
            Snapshot snapshot = new Snapshot(NOW, cluster, List.of(new Request(gang, null)), List.of());
            Plan plan = Usual.plan(
                    NOW,
                    NOW + SPAN,
                    List.of(new Planned(gang, window, WindowOrigin.ONLINE, false)),
                    List.of(),
                    List.of(),
                    List.of());
            return PlanChecker.faults(snapshot, Policy.EXACT.withHorizon(SPAN).withTurnover(turnover), plan);
        }

        Set<String> zonesOf(Window window) {
            Set<String> names =
                    window.placements().stream().map(Placement::node).collect(Collectors.toSet());
            return cluster.inventory().stream()
                    .filter(node -> names.contains(node.name()))
                    .map(node -> node.labels().getOrDefault("zone", ""))
                    .collect(Collectors.toSet());
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyWindowLiesInItsDomainAndWithinEveryLimit(OnlineMode mode) {
        int compared = 0;
        for (int seed = 0; seed < 600; seed++) {
            Case given = Case.of(seed, mode);

            Chosen chosen = given.chosen().orElse(null);

            if (chosen == null) {
                continue;
            }
            compared += chosen.compared().size();
            for (Compared row : chosen.compared()) {
                assertThat(given.faults(row.window()))
                        .as("seed %d: %s", seed, given.gang())
                        .isEmpty();
                assertThat(given.zonesOf(row.window())).containsExactly(row.domain());
                assertThat(row.window().start()).isGreaterThanOrEqualTo(NOW + row.transfer());
                assertThat(row.free()).as("seed %d", seed).isEqualTo(freeByCounting(given, row));
            }
            assertThat(chosen.window()).isEqualTo(chosen.compared().getFirst().window());
        }
        assertThat(compared).as("windows compared").isGreaterThan(400);
    }

    /** The room that is left after the window. */
    private static long freeByCounting(Case given, Compared row) {
        Timeline timeline = new Timeline(given.cluster(), NOW, given.turnover());
        row.window().occupy(timeline, given.gang());
        Eligibility eligibility = new Eligibility(Kind.of(given.gang()), timeline, false);
        long free = 0;
        for (NodeTimeline node : timeline.nodes()) {
            boolean inside = node.node().labels().getOrDefault("zone", "").equals(row.domain())
                    && eligibility.offers().stream().anyMatch(offer -> offer.timeline() == node);
            int[] counts = new int[node.pieces()];
            node.counts(given.gang().request().resources(), Integer.MAX_VALUE, 0, counts.length, counts);
            long most = inside ? Integer.MAX_VALUE : 0;
            for (int i = 0; i < counts.length; i++) {
                boolean before = i + 1 < counts.length
                        && node.start(i + 1) <= row.window().start();
                boolean after = node.start(i) >= row.window().end() + given.turnover();
                most = before || after ? most : Math.min(most, counts[i]);
            }
            boolean kept = node.node().unavailable().stream()
                    .anyMatch(new Interval(row.window().start(), row.window().end())::overlaps);
            most = kept ? 0 : most;
            free += most;
        }
        return free;
    }

    @ParameterizedTest
    @EnumSource
    void allWeightOnOneCriterionGivesItsBestDomain(OnlineMode mode) {
        int several = 0;
        for (int seed = 0; seed < 600; seed++) {
            Case given = Case.of(seed, mode);
            Chosen chosen = given.chosen().orElse(null);
            if (chosen == null) {
                continue;
            }
            several += chosen.compared().size() > 1 ? 1 : 0;
            Compared first = chosen.compared().getFirst();
            if (given.online().weights().equals(TIME)) {
                assertThat(chosen.compared()).allMatch(row -> first.time() <= row.time());
            } else if (given.online().weights().equals(COST)) {
                assertThat(chosen.compared())
                        .allMatch(row ->
                                first.window().cost().compareTo(row.window().cost()) <= 0);
            } else if (given.online().weights().equals(ROOM)) {
                assertThat(chosen.compared()).allMatch(row -> first.free() <= row.free());
            }
        }
        assertThat(several).as("cases with a choice").isGreaterThan(100);
    }

    @Test
    void completionNeverEndsLaterThanExecutionInTheSameDomain() {
        int earlier = 0;
        for (int seed = 0; seed < 600; seed++) {
            Map<String, Window> emct = windows(Case.of(seed, OnlineMode.EMCT));
            Map<String, Window> emet = windows(Case.of(seed, OnlineMode.EMET));

            assertThat(emct.keySet()).as("seed %d", seed).isEqualTo(emet.keySet());
            for (Map.Entry<String, Window> domain : emct.entrySet()) {
                Window other = emet.getOrDefault(domain.getKey(), domain.getValue());
                assertThat(domain.getValue().end()).isLessThanOrEqualTo(other.end());
                assertThat(domain.getValue().runtime()).isGreaterThanOrEqualTo(other.runtime());
                earlier += domain.getValue().end() < other.end() ? 1 : 0;
            }
        }
        assertThat(earlier).as("domains where the modes differ").isPositive();
    }

    private static Map<String, Window> windows(Case given) {
        return given.chosen().map(Chosen::compared).orElse(List.of()).stream()
                .collect(Collectors.toMap(Compared::domain, Compared::window));
    }
}
