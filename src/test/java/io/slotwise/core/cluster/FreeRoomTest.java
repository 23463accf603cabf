package io.slotwise.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.testing.RandomClusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

/** A timeline that goes on from what was free in another one is the one that is made anew, piece by piece. */
class FreeRoomTest {
    private static final int SEEDS = 150;
    private static final int ROUNDS = 8;
    private static final List<Long> AMOUNTS = List.of(1L, 500L, 1_000L, 7_000L, Long.MAX_VALUE);

    private final List<Occupation> held = new ArrayList<>();

    private static Occupation occupation(RandomGenerator random, long now) {
        long start = now - 20 + random.nextInt(60);
        long end = random.nextInt(10) == 0 ? Interval.FOREVER : start + 1 + random.nextInt(60);
        return new Occupation(
                "user/pod-" + random.nextInt(100),
                "n" + random.nextInt(8),
                Resources.of(Map.of(Resources.CPU, AMOUNTS.get(random.nextInt(AMOUNTS.size())), Resources.PODS, 1L)),
                new Interval(start, end));
    }

    /** Something ends, comes or is prolonged; nodes are lost, come, or are others of the same name. */
    private static Cluster changed(Cluster before, RandomGenerator random, long now) {
        List<Occupation> running = new ArrayList<>(before.occupations());
        List<Node> nodes = new ArrayList<>(before.nodes());
        for (int i = random.nextInt(4); i > 0; i--) {
            int what = random.nextInt(3);
            if (what > 0 || running.isEmpty()) {
                running.add(random.nextInt(running.size() + 1), occupation(random, now));
            }
            if (what < 2 && !running.isEmpty()) {
                running.remove(random.nextInt(running.size()));
            }
        }
        if (random.nextInt(3) == 0) {
            Node fresh = new RandomClusters(random).cluster(8).nodes().get(random.nextInt(8));
            nodes.removeIf(node -> node.name().equals(fresh.name()));
            nodes.add(fresh);
        }
        if (random.nextInt(3) == 0 && nodes.size() > 2) {
            nodes.remove(random.nextInt(nodes.size()));
        }
        return nodes.equals(before.nodes())
                ? new Cluster(before.nodes(), running)
                : new Cluster(new Inventory(nodes), running);
    }

    /** What windows do while a cycle lasts; all of it is given back, some only after it was shared. */
    private void disturb(Timeline timeline, RandomGenerator random, long now) {
        for (int i = random.nextInt(6); i > 0; i--) {
            Occupation one = occupation(random, now);
            timeline.occupy(one.node(), one.amount(), one.interval());
            held.add(one);
        }
    }

    private void calm(Timeline timeline) {
        held.forEach(one -> timeline.vacate(one.node(), one.amount(), one.interval()));
        held.clear();
    }

    private static void assertSame(NodeTimeline node, NodeTimeline expected, String what) {
        assertThat(node.node()).as(what).isEqualTo(expected.node());
        assertThat(node.pieces()).as(what).isEqualTo(expected.pieces());
        for (int i = 0; i < node.pieces(); i++) {
            assertThat(node.start(i)).as(what).isEqualTo(expected.start(i));
            long second = Math.max(node.start(i), 0);
            assertThat(node.leastFree(second, second + 1))
                    .as(what)
                    .containsExactly(expected.leastFree(second, second + 1));
        }
    }

    @Test
    void timelineThatGoesOnIsTheOneThatIsMadeAnew() {
        for (int seed = 0; seed < SEEDS; seed++) {
            RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            long turnover = random.nextInt(3);
            long now = RandomClusters.NOW;
            Cluster cluster = new RandomClusters(random).cluster(6);
            Timeline timeline = new Timeline(cluster, now, turnover);
            for (int round = 0; round < ROUNDS; round++) {
                FreeRoom room = timeline.freeRoom();
                disturb(timeline, random, now);
                if (random.nextBoolean()) {
                    calm(timeline);
                    room = timeline.freeRoom();
                }
                Cluster next = changed(cluster, random, now);
                now += Math.max(0, random.nextInt(70) - 25);

                Timeline goesOn = new Timeline(next, now, turnover, room, ClusterChanges.between(cluster, next));

                Timeline anew = new Timeline(next, now, turnover);
                for (int i = 0; i < anew.nodes().size(); i++) {
                    assertSame(
                            goesOn.nodes().get(i),
                            anew.nodes().get(i),
                            "node %d, round %d, seed %d".formatted(i, round, seed));
                }
                held.clear();
                timeline = goesOn;
                cluster = next;
            }
        }
    }

    @Test
    void whatWasSharedStaysAsItWas() {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(1);
        Cluster cluster = new RandomClusters(random).cluster(8);
        Timeline timeline = new Timeline(cluster, RandomClusters.NOW, 0);
        FreeRoom room = timeline.freeRoom();

        for (int i = 0; i < 50; i++) {
            disturb(timeline, random, RandomClusters.NOW);
        }

        Timeline goesOn = new Timeline(cluster, RandomClusters.NOW, 0, room, ClusterChanges.between(cluster, cluster));
        Timeline anew = new Timeline(cluster, RandomClusters.NOW, 0);
        for (int i = 0; i < anew.nodes().size(); i++) {
            assertSame(goesOn.nodes().get(i), anew.nodes().get(i), "node " + i);
        }
    }
}
