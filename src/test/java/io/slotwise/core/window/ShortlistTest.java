package io.slotwise.core.window;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.Eligibility.Kind;
import io.slotwise.core.slot.Terms;
import io.slotwise.testing.RandomClusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ShortlistTest {
    @ParameterizedTest
    @EnumSource
    void lookingAtFewNodesAndTheNearFutureFirstFindsTheSameWindow(Criterion criterion) {
        int found = 0;
        for (int seed = 0; seed < 500; seed++) {
            RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            RandomClusters clusters = new RandomClusters(random);
            Timeline timeline = new Timeline(
                    seed % 2 == 0 ? clusters.cluster(25) : alike(clusters.cluster(3)), RandomClusters.NOW, 0);
            Gang gang = clusters.gang("g", criterion);
            Eligibility eligibility = new Eligibility(Kind.of(gang), timeline, false);
            Terms terms = Terms.of(gang, RandomClusters.NOW, RandomClusters.NOW + RandomClusters.SPAN);

            Optional<Window> window = new WindowSearch(
                            gang,
                            Eligibility.fields(gang, List.of(eligibility)),
                            1 + random.nextInt(3),
                            1 + random.nextInt(100))
                    .best(criterion, terms, gang.budget().limit());

            Optional<Window> whole = new WindowSearch(gang, Eligibility.fields(gang, List.of(eligibility)), 1000, 1)
                    .best(criterion, terms, gang.budget().limit());
            assertThat(window).as("seed %d", seed).isEqualTo(whole);
            found += window.isPresent() ? 1 : 0;
        }
        assertThat(found).isGreaterThan(200);
    }

    /** Every node eight times, and what runs on each of them on one of the eight. */
    static Cluster alike(Cluster cluster) {
        List<Node> nodes = new ArrayList<>();
        for (Node node : cluster.nodes()) {
            for (int i = 0; i < 8; i++) {
                nodes.add(new Node(
                        i == 3 ? node.name() : node.name() + "-" + i,
                        node.labels(),
                        node.taints(),
                        node.schedulable(),
                        node.allocatable(),
                        node.performance(),
                        node.owner(),
                        node.price(),
                        node.unavailable(),
                        node.power(),
                        node.bandwidth()));
            }
        }
        return new Cluster(nodes, cluster.occupations());
    }
}
