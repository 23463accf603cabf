package io.slotwise.core.window.shortlist;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.RestoredCapacity;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.Eligibility.Kind;
import io.slotwise.core.slot.Field;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.WindowRequest;
import io.slotwise.core.window.search.WindowSearch;
import io.slotwise.testing.RandomClusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

public class ShortlistTest {
    @ParameterizedTest
    @EnumSource
    void lookingAtFewNodesAndTheNearFutureFirstFindsTheSameWindow(Criterion criterion) {
        int found = 0;
        for (int seed = 0; seed < 500; seed++) {
            RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            RandomClusters clusters = new RandomClusters(random);
            Cluster cluster = seed % 2 == 0 ? clusters.cluster(25) : alike(clusters.cluster(3));
            Timeline timeline = new Timeline(seed % 3 == 0 ? flat(cluster) : cluster, RandomClusters.NOW, 0);
            Gang gang = clusters.fallingAtTimes(clusters.gang("g", criterion));
            Eligibility eligibility = new Eligibility(Kind.of(gang), timeline, false);
            SlotTerms terms = SlotTerms.of(gang, RandomClusters.NOW, RandomClusters.NOW + RandomClusters.SPAN);

            Optional<Window> window = new WindowSearch(
                            gang, Field.of(gang, List.of(eligibility)), 1 + random.nextInt(3), 1 + random.nextInt(100))
                    .best(criterion, terms, gang.budget().limit());

            Optional<Window> whole = new WindowSearch(gang, Field.of(gang, List.of(eligibility)), 1000, 1)
                    .best(criterion, terms, gang.budget().limit());
            assertThat(window).as("seed %d", seed).isEqualTo(whole);
            found += window.isPresent() ? 1 : 0;
        }
        assertThat(found).isGreaterThan(200);
    }

    @ParameterizedTest
    @EnumSource
    void theGangsOwnRoomCountsAsFreeOnNodesThatHaveNoneOtherwise(Criterion criterion) {
        int sooner = 0;
        for (int seed = 0; seed < 300; seed++) {
            RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            RandomClusters clusters = new RandomClusters(random);
            Timeline timeline = new Timeline(alike(clusters.cluster(3)), RandomClusters.NOW, random.nextInt(3));
            Gang gang = clusters.fallingAtTimes(clusters.gang("g", criterion));
            Eligibility eligibility = new Eligibility(Kind.of(gang), timeline, false);
            SlotTerms terms = SlotTerms.of(gang, RandomClusters.NOW, RandomClusters.NOW + RandomClusters.SPAN);
            Optional<Window> own = search(gang, eligibility, 1000, 1)
                    .best(criterion, terms, gang.budget().limit());
            for (int i = 0; i < 8 && own.isPresent(); i++) {
                Gang other = clusters.gang("other" + i, Criterion.START);
                own.get().occupy(timeline, gang);
                search(other, new Eligibility(Kind.of(other), timeline, false), 1000, 1)
                        .best(Criterion.START, terms, other.budget().limit())
                        .ifPresent(window -> window.occupy(timeline, other));
                own.get().vacate(timeline, gang);
            }
            own.ifPresent(window -> window.occupy(timeline, gang));
            RestoredCapacity restored =
                    own.map(window -> window.restored(timeline, gang)).orElse(RestoredCapacity.NONE);

            Cost limit = gang.budget().limit();

            Optional<Window> window = search(gang, eligibility, 1 + random.nextInt(3), 1 + random.nextInt(100))
                    .best(new WindowRequest(criterion, terms, limit, own.orElse(null)), restored);

            assertThat(window)
                    .as("seed %d", seed)
                    .isEqualTo(search(gang, eligibility, 1000, 1)
                            .best(new WindowRequest(criterion, terms, limit, null), restored));
            sooner += window.isPresent() ? 1 : 0;
        }
        assertThat(sooner).isGreaterThan(100);
    }

    private static WindowSearch search(Gang gang, Eligibility eligibility, int firstNodes, int firstPart) {
        return new WindowSearch(gang, Field.of(gang, List.of(eligibility)), firstNodes, firstPart);
    }

    /** The cluster with constant prices. */
    public static Cluster flat(Cluster cluster) {
        return new Cluster(
                cluster.inventory().stream()
                        .map(node -> priced(
                                node,
                                node.name(),
                                StepFunction.constant(node.price().min())))
                        .toList(),
                cluster.occupations());
    }

    private static Node priced(Node node, String name, StepFunction price) {
        return node.withName(name).withPrice(price);
    }

    /** Every node eight times. Each running pod is on one of the eight. */
    public static Cluster alike(Cluster cluster) {
        List<Node> nodes = new ArrayList<>();
        for (Node node : cluster.inventory()) {
            for (int i = 0; i < 8; i++) {
                nodes.add(priced(node, i == 3 ? node.name() : node.name() + "-" + i, node.price()));
            }
        }
        return new Cluster(nodes, cluster.occupations());
    }
}
