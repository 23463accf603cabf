package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.slotwise.it.ApiProxy.Turn;
import io.slotwise.it.PurchaseJudge.Limits;
import io.slotwise.it.PurchaseJudge.Telling;
import io.slotwise.it.PurchaseJudge.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Many purchases with the real Karpenter and random faults, judged by {@link PurchaseJudge}. {@code
 * -Dslotwise.it.purchases} sets their number and enables the test. {@code -Dslotwise.faults.seed} (default 1) selects
 * the faults.
 *
 * <p>Small gangs that fit nowhere come in waves. Each wave has three pools of its own, since offers rest after a
 * failure: one pool with two prices, one of spot nodes, and one whose cheapest type does not exist. The limits of the
 * policy and the pools, the spending limit and the budget of one of two namespaces are each less than a wave needs.
 */
@RealControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@EnabledIfSystemProperty(named = "slotwise.it.purchases", matches = "\\d+")
class ManyPurchasesIT {
    private static final int DELAY = 20;
    private static final int RUNTIME = 10;
    private static final int MOST = 40;
    private static final int GANGS = 25;
    /** The seconds that the gangs of a wave may take. */
    private static final int WAVE = 60;

    private static final String TYPE = "s-4x-amd64-linux";
    private static final String CLAIMS = "/apis/karpenter.sh/v1/nodeclaims";
    /** The spending limit of a wave, millionths: about four fifths of its need. */
    private static final long SPENDING = 270_000;
    /** The budget of the second namespace in a wave, millionths: about half of its need. */
    private static final long BUDGET = 50_000;

    private final Seed seed = new Seed("ManyPurchasesIT");
    private final ControlPlane plane;
    private final Cluster cluster;
    private final Karpenter karpenter;
    private final Installation chart;
    private final String policy;
    private final Map<String, Integer> pools = new HashMap<>();
    private final Map<String, Long> budgets = new HashMap<>();
    private final List<Absence> absences = new ArrayList<>();
    private final Set<String> taken = new HashSet<>();
    private final Map<String, Integer> faults = new TreeMap<>();
    private final List<GangSpec> gangs = new ArrayList<>();
    private long allowed;

    @AutoClose
    private final ApiProxy proxy;

    @AutoClose
    private final PurchaseStory story;

    @AutoClose
    private final SlotwiseProcess slotwise;

    ManyPurchasesIT(ControlPlane plane) {
        this.plane = plane;
        cluster = new Cluster(plane);
        karpenter = Karpenter.start(plane);
        proxy = new ApiProxy(plane, 1);
        chart = Installation.forBuying(plane, MOST, "#");
        story = new PurchaseStory(plane.client());
        String catalogue = String.join(
                "---\n",
                offer("four", TYPE, "on-demand", "test-zone-a", "0.5"),
                offer("other", TYPE, "on-demand", "test-zone-b", "0.6"),
                offer("spot", TYPE, "spot", "test-zone-a", "0.45"),
                offer("none", "no-such-type", "on-demand", "test-zone-a", "0.4"));
        slotwise = chart.buyer(proxy.url(), catalogue);
        try {
            // A gang that starts a second late ends a second late, which is not a fault of purchases.
            policy = Files.readString(chart.policy()).replaceFirst("turnover: .*", "turnover: 3s");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String offer(String name, String type, String capacity, String zone, String price) {
        return Karpenter.offer(name, type, capacity, zone, price, DELAY, "10s");
    }

    /** A step of a purchase at which Slotwise is killed. */
    private enum Step {
        RECORDED,
        KEPT,
        CLAIMED,
        UNANSWERED,
        THERE,
        BOUND,
        GIVEN_UP
    }

    private enum Trouble {
        NONE,
        KILLED,
        FROZEN,
        TAKEN
    }

    @Test
    void anyFailureKeepsLimitsWholeStartsAndLeavesNoClaim() throws IOException {
        int wanted = Integer.getInteger("slotwise.it.purchases", 1);
        Instant begin = Scenario.now();
        List<Step> steps = new ArrayList<>();
        List<Trouble> troubles = new ArrayList<>();
        for (int wave = 1; story.purchases() < wanted; wave++) {
            if (steps.isEmpty()) {
                steps.addAll(seed.shuffled(List.of(Step.values())));
            }
            if (troubles.isEmpty()) {
                troubles.addAll(seed.shuffled(List.of(Trouble.values())));
            }
            wave(wave, steps.removeFirst(), troubles.removeFirst());
            System.out.printf(
                    "Wave %d is over: %d purchases in %d s; faults %s%n",
                    wave,
                    story.purchases(),
                    Duration.between(begin, Scenario.now()).toSeconds(),
                    faults);
        }
        List<String> violations = new ArrayList<>(left());
        Verdict verdict = PurchaseJudge.judge(
                story.happenings(), new Limits(MOST, pools, budgets), new Telling(told(), absences, taken));
        violations.addAll(verdict.violations());
        violations.addAll(startedInPart());
        String report = "seed %d, %d s, %s, %s, %d violations"
                .formatted(
                        Long.getLong("slotwise.faults.seed", 1),
                        Duration.between(begin, Scenario.now()).toSeconds(),
                        verdict.figures(),
                        faults,
                        violations.size());
        System.out.println(report);
        Files.write(
                plane.logs().resolve("purchases.txt"),
                Stream.concat(Stream.of(report), violations.stream()).toList());
        assertThat(violations).as(report).isEmpty();
    }

    /**
     * The NodeClaims that are not given up. A node may exist without its NodeClaim: kwok's provider makes the node of a
     * NodeClaim that was deleted in the same second, and has no garbage collection for such nodes as clouds have.
     */
    private List<String> left() {
        try {
            Scenario.within("the last claims to go", 120)
                    .until(() -> karpenter.claims().isEmpty());
        } catch (ConditionTimeoutException e) {
            return karpenter.claims().stream()
                    .map(claim ->
                            "claim %s is left".formatted(claim.getMetadata().getName()))
                    .toList();
        }
        faults.merge("nodes without a claim", karpenter.bought().size(), Integer::sum);
        return List.of();
    }

    private void wave(int number, Step step, Trouble trouble) {
        String name = "w" + number;
        List<String> poolNames = pools(name);
        budgets.put(name + "-tight", BUDGET * 3600);
        namespace(name + "-open", "1000/day");
        namespace(name + "-tight", "0.%06d/day".formatted(BUDGET));
        allowMore();
        if (number == 1) {
            slotwise.start();
        }
        List<GangSpec> wave = new ArrayList<>();
        for (int i = 0; i < GANGS; i++) {
            String pool = poolNames.get(i % poolNames.size());
            String namespace = name + (i % 4 == 3 ? "-tight" : "-open");
            wave.add(GangSpec.of(namespace, name + "-g" + i, seed.from(2, 3), 3000, RUNTIME + 5)
                    .runningFor(RUNTIME)
                    .on("it.slotwise.io/pool", pool));
        }
        gangs.addAll(wave);
        Instant end = Scenario.in(WAVE);
        lieInWait(step);
        wave.forEach(cluster::submitAsPods);
        if (step.compareTo(Step.THERE) < 0) {
            kill(step, poolNames);
            disturb(trouble, name + "-s");
        } else {
            disturb(trouble, name + "-s");
            kill(step, poolNames);
        }
        try {
            Scenario.within("the gangs of " + name, Math.max(1, (int)
                            Duration.between(Scenario.now(), end).toSeconds()))
                    .until(() -> underWay(name) == 0);
        } catch (ConditionTimeoutException e) {
            faults.merge("gangs deleted under way", 1, Integer::sum);
        }
        Stream.of("-open", "-tight")
                .forEach(namespace -> cluster.client()
                        .pods()
                        .inNamespace(name + namespace)
                        .withGracePeriod(0)
                        .delete());
    }

    private List<String> pools(String wave) {
        pool(wave + "-a", TYPE, "on-demand", "test-zone-a, test-zone-b", 16);
        pool(wave + "-s", TYPE, "spot", "test-zone-a", 12);
        pool(wave + "-n", "no-such-type, " + TYPE, "on-demand", "test-zone-a", 16);
        return List.of(wave + "-a", wave + "-s", wave + "-n");
    }

    private void pool(String name, String types, String capacity, String zones, int nodes) {
        pools.put(name, nodes);
        karpenter.pool(name, types, capacity, zones, "{cpu: %d}".formatted(4 * nodes));
    }

    private void namespace(String name, String budget) {
        cluster.client()
                .resource(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName(name)
                        .addToAnnotations("slotwise.io/budget", budget)
                        .endMetadata()
                        .build())
                .create();
    }

    /** Raises the spending limit by less than a wave needs. */
    private void allowMore() {
        allowed = Math.max(
                allowed,
                karpenter.bills().values().stream().mapToLong(Long::longValue).sum() / 3600 + SPENDING);
        story.allow(allowed * 3600);
        plane.write(
                "policy.yaml",
                policy.replaceFirst(
                        "max-spend: .*", "max-spend: %d.%06d/day".formatted(allowed / 1_000_000, allowed % 1_000_000)));
    }

    /** The number of gangs of a wave that are promised, run, or may still be planned. */
    private long underWay(String wave) {
        return Stream.of("-open", "-tight")
                .flatMap(namespace -> cluster.reservations(wave + namespace).stream())
                .filter(reservation -> !List.of("Pending", "Completed").contains(Cluster.phase(reservation))
                        || Cluster.condition(reservation, "Planned").isEmpty())
                .count();
    }

    /** Holds the call at which Slotwise is to be killed. */
    private void lieInWait(Step step) {
        AtomicInteger calls = new AtomicInteger();
        int passing = seed.from(0, 6);
        proxy.treat((method, path) -> {
            boolean meant = switch (step) {
                case RECORDED -> !method.equals("GET") && path.contains("/reservations/");
                case KEPT -> !method.equals("GET") && path.contains("/configmaps");
                case CLAIMED, UNANSWERED -> method.equals("POST") && path.startsWith(CLAIMS);
                case THERE -> false;
                case BOUND -> path.endsWith("/binding");
                case GIVEN_UP -> method.equals("DELETE") && path.startsWith(CLAIMS);
            };
            int before = step == Step.KEPT ? 0 : passing;
            int call = meant ? calls.getAndIncrement() : 0;
            if (!meant || call < before) {
                return Turn.PASSES;
            }
            return step == Step.UNANSWERED && call == before ? Turn.UNANSWERED : Turn.HELD;
        });
    }

    private void kill(Step step, List<String> poolNames) {
        try {
            Scenario.within("the step " + step, 75)
                    .until(() -> step == Step.THERE
                            ? poolNames.stream()
                                            .mapToLong(pool ->
                                                    karpenter.bought(pool).size())
                                            .sum()
                                    > 5
                            : proxy.held() > 0);
            faults.merge("killed at " + step, 1, Integer::sum);
        } catch (ConditionTimeoutException e) {
            faults.merge("killed, not at " + step, 1, Integer::sum);
        }
        slotwise.kill();
        Instant death = Scenario.now();
        proxy.forget();
        Scenario.awaitClock(Scenario.in(seed.from(0, 3)));
        slotwise.start();
        Scenario.within("the first plan after a death", 60)
                .until(() -> slotwise.metric("slotwise_cycle_seconds_count") > 0);
        absences.add(new Absence(death, Scenario.now()));
    }

    private void disturb(Trouble trouble, String spotPool) {
        switch (trouble) {
            case NONE -> {}
            case KILLED -> {
                karpenter.kill();
                Scenario.awaitClock(Scenario.in(seed.from(1, 8)));
                karpenter.run();
            }
            case FROZEN -> {
                karpenter.freeze();
                Scenario.awaitClock(Scenario.in(seed.from(3, 25)));
                karpenter.wake();
            }
            case TAKEN -> {
                List<Node> spot = awaitBought(spotPool);
                if (spot.isEmpty()) {
                    return;
                }
                String node = seed.pick(spot).getMetadata().getName();
                taken.add(node);
                cluster.client().nodes().withName(node).delete();
            }
        }
        faults.merge("Karpenter or a node: " + trouble, 1, Integer::sum);
    }

    private List<Node> awaitBought(String pool) {
        try {
            Scenario.within("nodes of " + pool, 2 * DELAY)
                    .until(() -> !karpenter.bought(pool).isEmpty());
        } catch (ConditionTimeoutException e) {
            return List.of();
        }
        // A part of the nodes has its gang at this time.
        Scenario.awaitClock(Scenario.in(seed.from(0, DELAY)));
        return karpenter.bought(pool);
    }

    /** The events about broken promises, by gang. */
    private Map<String, List<String>> told() {
        Map<String, List<String>> told = new HashMap<>();
        cluster.client().events().v1().events().inAnyNamespace().list().getItems().stream()
                .filter(event -> "WindowBroken".equals(event.getReason()))
                .forEach(event -> told.computeIfAbsent(
                                event.getMetadata().getNamespace() + "/"
                                        + event.getRegarding().getName(),
                                gang -> new ArrayList<>())
                        .add(String.valueOf(event.getNote())));
        return told;
    }

    private List<String> startedInPart() {
        PartialStarts starts = new PartialStarts();
        plane.audit().read(entry -> entry.resource().startsWith("pods"), starts::take);
        return starts.violations(gangs, absences, Scenario.now());
    }
}
