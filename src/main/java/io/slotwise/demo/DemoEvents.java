package io.slotwise.demo;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.money.Money;
import io.slotwise.core.time.StepFunction;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * What happens to a living cluster from outside: gangs are submitted and, if they wait too long, given up; spot prices
 * move; nodes fail and come back. Each thing that happens brings about the next of its kind.
 */
final class DemoEvents {
    private static final long PATIENCE = Duration.ofHours(8).toSeconds();
    private static final long PRICES_STAY = Duration.ofMinutes(50).toSeconds();
    private static final long NODES_STAY = Duration.ofHours(80).toSeconds();
    private static final long FIRST_FAILURE = Duration.ofMinutes(45).toSeconds();

    private final LivingCluster cluster;
    private final StepClock clock;
    private final DemoListener audience;
    private final RandomGenerator random;
    private final DemoSubmissions submissions;
    private final Map<String, Long> firstPrices = new HashMap<>();

    DemoEvents(
            LivingCluster cluster,
            StepClock clock,
            DemoListener audience,
            RandomGenerator random,
            DemoSubmissions submissions) {
        this.cluster = cluster;
        this.clock = clock;
        this.audience = audience;
        this.random = random;
        this.submissions = submissions;
    }

    /** Sets everything going; so many gangs are there from the beginning. */
    void begin(int gangs) {
        for (int i = 0; i < gangs; i++) {
            submit();
        }
        arrive();
        cluster.at(clock.second() + PRICES_STAY, this::reprice);
        cluster.at(clock.second() + FIRST_FAILURE, this::fail);
    }

    private void arrive() {
        cluster.at(clock.second() + submissions.gap(), () -> {
            submit();
            arrive();
        });
    }

    private void submit() {
        DemoSubmission submission = submissions.next(clock.second());
        cluster.submit(submission);
        cluster.at(
                clock.second() + PATIENCE,
                () -> cluster.withdraw(submission.gang().id()));
    }

    /** A spot market moves: all nodes of one type and zone, to between half and twice of what they cost at first. */
    private void reprice() {
        List<Node> spot = cluster.nodes().stream()
                .filter(node -> "spot".equals(node.labels().get("karpenter.sh/capacity-type")))
                .toList();
        if (!spot.isEmpty()) {
            Node chosen = spot.get(random.nextInt(spot.size()));
            Money before = new Money(chosen.price().min());
            Money after = new Money(first(chosen) * (50 + random.nextInt(150)) / 100);
            for (Node node : spot) {
                if (market(node).equals(market(chosen))) {
                    cluster.replace(node.at(StepFunction.constant(after.micros())));
                }
            }
            tell("PriceChanged", market(chosen), "spot nodes cost %s an hour instead of %s".formatted(after, before));
        }
        cluster.at(clock.second() + PRICES_STAY, this::reprice);
    }

    private long first(Node node) {
        return firstPrices.computeIfAbsent(market(node), _ -> node.price().min());
    }

    private static String market(Node node) {
        return node.labels().get("node.kubernetes.io/instance-type") + " "
                + node.labels().get("topology.kubernetes.io/zone");
    }

    /** A node fails and is back after a while. */
    private void fail() {
        List<Node> nodes = cluster.nodes();
        if (!nodes.isEmpty()) {
            String name = nodes.get(random.nextInt(nodes.size())).name();
            if (cluster.usable(name)) {
                cluster.lose(name);
                tell("NodeLost", name, "it fails");
                cluster.at(clock.second() + 900L + random.nextInt(2700), () -> {
                    cluster.restore(name);
                    tell("NodeBack", name, "it is back");
                });
            }
        }
        cluster.at(clock.second() + Math.max(600, NODES_STAY / Math.max(1, nodes.size())), this::fail);
    }

    private void tell(String what, String whom, String words) {
        audience.told(clock.instant(), what, whom, words);
    }
}
