package io.slotwise.core.recall;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Criterion.Figure;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.slot.NodeKeys;
import io.slotwise.core.slot.PodTariffs;
import io.slotwise.core.slot.PodTariffs.PodFigures;
import io.slotwise.core.time.Interval;
import io.slotwise.testing.RandomClusters;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** No second and no node is left out that a window can use, by a count of every second. */
class InstantsTest {
    private static final int NODES = 7;

    /** A gang that asks, and what it sees. */
    private record Asker(
            PodRequest pod,
            PodFigures figures,
            Timeline timeline,
            Instants.Seats own,
            @Nullable NewStarts fresh,
            List<Instants.Sum> sums,
            long longest)
            implements Instants.View {
        @Override
        public NodeKeys durations() {
            return figures.keys(Figure.DURATION);
        }

        @Override
        public long mostOfDurations(long first) {
            return figures.mostOfKeys(Figure.DURATION, longest);
        }

        @Override
        public boolean takesOwn(int node, long first, long last) {
            return true;
        }

        @Override
        public long length(int node) {
            return figures.duration(node) + timeline.turnover();
        }

        @Override
        public long latestStart(int node) {
            return Long.MAX_VALUE;
        }

        /** Whether a pod that starts on a node at a second is a fresh start. */
        boolean isFresh(int node, long second) {
            return fresh == null
                    || IntStream.range(0, fresh.size())
                            .anyMatch(i -> fresh.node(i) == node && fresh.reaches(i, second, second));
        }

        /** How many pods can start on a node at a second. */
        long units(int node, long second) {
            if (figures.duration(node) > longest) {
                return 0;
            }
            NodeTimeline there = timeline.nodes().get(node);
            long[] free = there.leastFree(second, second + figures.duration(node) + timeline.turnover());
            long units = Long.MAX_VALUE;
            for (int q = 0; q < pod.resources().size(); q++) {
                int r = there.indexOf(pod.resources().name(q));
                units = Math.min(
                        units,
                        r < 0 ? 0 : Math.max(0, free[r]) / pod.resources().amount(q));
            }
            return units + own.on(node);
        }

        /** The nodes of a window at a second that adds least; none: there is none within the bound. */
        List<Integer> window(int pods, long second) {
            Instants.Sum sum = sums.getFirst();
            List<Integer> units = IntStream.range(0, NODES)
                    .boxed()
                    .sorted((one, other) -> Long.compare(
                            sum.least().applyAsLong(one), sum.least().applyAsLong(other)))
                    .flatMap(node -> Collections.nCopies((int) Math.min(pods, units(node, second)), node).stream())
                    .toList();
            if (units.size() < pods) {
                return List.of();
            }
            List<Integer> chosen = new ArrayList<>(units.subList(0, pods));
            if (chosen.stream().noneMatch(node -> isFresh(node, second))) {
                int next = units.stream()
                        .filter(node -> isFresh(node, second))
                        .findFirst()
                        .orElse(-1);
                if (next < 0) {
                    return List.of();
                }
                chosen.set(pods - 1, next);
            }
            long all = chosen.stream().mapToLong(sum.least()::applyAsLong).sum();
            return all <= sum.most() ? chosen : List.of();
        }
    }

    @Test
    void leavesNothingOutThatIsOfUse() {
        int open = 0;
        int nothing = 0;
        for (int seed = 0; seed < 500; seed++) {
            RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            RandomClusters clusters = new RandomClusters(random);
            Timeline timeline = new Timeline(clusters.cluster(NODES), RandomClusters.NOW, random.nextInt(3));
            PodTariffs tariffs = new PodTariffs(timeline.inventory(), random.nextBoolean());
            Instants instants = new Instants(timeline);
            for (int turn = 0; turn < 4; turn++) {
                Asker asker = asker(clusters, timeline, tariffs, random);
                int pods = 1 + random.nextInt(4);
                long first = RandomClusters.NOW + random.nextLong(60);
                long last = first + random.nextLong(90);
                long shortest = IntStream.range(0, NODES)
                        .mapToLong(asker.figures()::duration)
                        .min()
                        .orElseThrow();

                Instants.Open found =
                        instants.open(new Instants.Asked(asker.pod().resources(), shortest, first, last, pods), asker);

                for (long t = first; t <= last && found != null; t++) {
                    List<Integer> window = asker.window(pods, t);
                    if (!window.isEmpty()) {
                        assertThat(found.first()).as("seed %d", seed).isLessThanOrEqualTo(t);
                        assertThat(found.last()).as("seed %d", seed).isGreaterThanOrEqualTo(t);
                        assertThat(window).as("seed %d", seed).allMatch(found.nodes()::get);
                    }
                }
                open += found != null && !found.isEmpty() ? 1 : 0;
                nothing += found != null && found.isEmpty() ? 1 : 0;
                change(timeline, random);
            }
        }
        assertThat(open).isGreaterThan(150);
        assertThat(nothing).isGreaterThan(150);
    }

    /** Whoever goes on from what the cycle before knew has the answers of one who looks at all nodes. */
    @Test
    void goesOnFromTheCycleBeforeAlsoWhereNodesHaveGone() {
        int open = 0;
        for (int seed = 0; seed < 200; seed++) {
            RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            RandomClusters clusters = new RandomClusters(random);
            Cluster cluster = clusters.cluster(NODES);
            long now = RandomClusters.NOW;
            Instants.Kept kept = Instants.Kept.NOTHING;
            for (int cycle = 0; cycle < 4; cycle++) {
                Timeline timeline = new Timeline(cluster, now, 0);
                PodTariffs tariffs = new PodTariffs(timeline.inventory(), false);
                Instants goingOn = new Instants(timeline, now, kept);
                Instants fresh = new Instants(timeline);
                for (int turn = 0; turn < 4; turn++) {
                    PodRequest pod = clusters.gang("g", Criterion.START).request();
                    PodFigures figures = tariffs.figures(pod);
                    Asker asker =
                            new Asker(pod, figures, timeline, Instants.Seats.NONE, null, List.of(), Long.MAX_VALUE);
                    long shortest = IntStream.range(0, timeline.nodes().size())
                            .mapToLong(figures::duration)
                            .min()
                            .orElseThrow();
                    Instants.Asked asked = new Instants.Asked(pod.resources(), shortest, now, now + 60, 2);

                    Instants.Open found = goingOn.open(asked, asker);

                    assertThat(found).as("seed %d, cycle %d", seed, cycle).isEqualTo(fresh.open(asked, asker));
                    open += found != null && !found.isEmpty() ? 1 : 0;
                    if (random.nextBoolean()) {
                        change(timeline, random);
                    }
                }
                kept = goingOn.kept();
                now += random.nextInt(3);
                cluster = random.nextBoolean() ? cluster : withoutOne(cluster, random);
            }
        }
        assertThat(open).isGreaterThan(150);
    }

    private static Cluster withoutOne(Cluster cluster, RandomGenerator random) {
        List<Node> nodes = new ArrayList<>(cluster.nodes());
        nodes.remove(random.nextInt(nodes.size()));
        return new Cluster(nodes, cluster.occupations());
    }

    /** Where there are no nodes the shortest runtime is the longest that there is. */
    @Test
    void looksAtRuntimesBeyondAllTimeAsAtLongOnes() {
        RandomClusters clusters =
                new RandomClusters(RandomGeneratorFactory.of("L64X128MixRandom").create(1));
        Timeline timeline = new Timeline(clusters.cluster(NODES), RandomClusters.NOW, 0);
        Asker asker = asker(
                clusters,
                timeline,
                new PodTariffs(timeline.inventory(), false),
                RandomGeneratorFactory.of("L64X128MixRandom").create(2));
        for (long shortest = Long.MAX_VALUE; shortest > 1L << 30; shortest /= 2) {
            Instants.Asked asked = new Instants.Asked(
                    asker.pod().resources(), shortest, RandomClusters.NOW, RandomClusters.NOW + 100, 2);

            assertThatCode(() -> new Instants(timeline).open(asked, asker))
                    .as("%d s", shortest)
                    .doesNotThrowAnyException();
        }
    }

    private static Asker asker(RandomClusters clusters, Timeline timeline, PodTariffs tariffs, RandomGenerator random) {
        PodRequest pod = clusters.gang("g", Criterion.START).request();
        PodFigures figures = tariffs.figures(pod);
        NewStarts fresh = new NewStarts();
        for (int i = random.nextInt(NODES); i > 0; i--) {
            long from = RandomClusters.NOW + random.nextLong(140) - 10;
            fresh.add(random.nextInt(NODES), from, from + random.nextLong(40));
        }
        Instants.Seats own = random.nextInt(3) > 0
                ? Instants.Seats.NONE
                : new Instants.Seats(new int[] {1, 4}, new int[] {1 + random.nextInt(2), 1});
        boolean byCost = random.nextBoolean();
        long most = (1 + random.nextInt(4))
                * (byCost ? pod.runtime() * random.nextLong(3_000_000) : random.nextLong(2 * pod.runtime()));
        Figure figure = byCost ? Figure.COST : Figure.DURATION;
        Instants.Sum sum = new Instants.Sum(
                byCost ? figures::leastCost : figures::duration,
                most,
                figures.keys(figure),
                figures.mostOfKeys(figure, most));
        long longest = random.nextBoolean() ? Long.MAX_VALUE : figures.duration(random.nextInt(NODES));
        return new Asker(pod, figures, timeline, own, random.nextBoolean() ? null : fresh, List.of(sum), longest);
    }

    /** Somebody takes room or gives it back. */
    private static void change(Timeline timeline, RandomGenerator random) {
        for (int i = random.nextInt(3); i > 0; i--) {
            String node = "n" + random.nextInt(NODES);
            long from = RandomClusters.NOW + random.nextLong(120);
            Interval when = new Interval(from, from + 1 + random.nextLong(60));
            Resources amount = Resources.of(Map.of(Resources.CPU, 500L));
            if (random.nextBoolean()) {
                timeline.occupy(node, amount, when);
            } else {
                timeline.vacate(node, amount, when);
            }
        }
    }
}
