package io.slotwise.kubernetes.manifest;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static io.slotwise.kubernetes.manifest.Samples.at;
import static io.slotwise.kubernetes.manifest.Samples.bound;
import static io.slotwise.kubernetes.manifest.Samples.member;
import static io.slotwise.kubernetes.manifest.Samples.node;
import static io.slotwise.kubernetes.manifest.Samples.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.slotwise.core.plan.Planner;
import io.slotwise.live.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What is remembered of unchanged objects makes no difference but for the time that it takes. */
class RecollectionTest {
    private static final Intake INTAKE = new Intake(Settings.DEFAULT, PriceCatalogue.EMPTY);
    private static final int STEPS = 400;

    private final Recollection recollection = new Recollection();

    /** A cluster to which anything may happen; an object that does not change stays the same object, as in an informer. */
    private static final class Busy {
        private final RandomGenerator random;
        private final Map<String, Node> nodes = new TreeMap<>();
        private final Map<String, Pod> pods = new TreeMap<>();
        private long second = NOW;

        Busy(long seed) {
            random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            IntStream.range(0, 4).mapToObj(i -> "n" + i).forEach(this::putNode);
        }

        void happen() {
            String some = "p" + random.nextInt(12);
            String host = "n" + random.nextInt(5);
            switch (random.nextInt(12)) {
                case 0 -> putNode(host);
                case 1 -> nodes.computeIfPresent(host, (_, known) -> new NodeBuilder(known).build());
                case 2 -> nodes.remove(host);
                case 3 -> second += random.nextInt(1, 20_000);
                case 4 -> pods.remove(some);
                case 5 ->
                    pods.computeIfPresent(
                            some,
                            (_, known) -> new PodBuilder(known)
                                    .editMetadata()
                                    .withDeletionTimestamp(at(second - NOW + 30))
                                    .endMetadata()
                                    .build());
                case 6 ->
                    pods.computeIfPresent(
                            some,
                            (_, known) -> new PodBuilder(known)
                                    .editOrNewStatus()
                                    .withPhase("Succeeded")
                                    .endStatus()
                                    .build());
                case 7 -> pods.put(some, member("g", some, Keys.GANG_SIZE, "2").build());
                case 8 -> pods.put(some, started(pod(some), host));
                default -> pods.put(some, foreign(some, host));
            }
        }

        private void putNode(String name) {
            NodeBuilder node = node(name);
            node.editMetadata()
                    .addToLabels(Keys.PRICE, "" + random.nextInt(1, 3))
                    .endMetadata();
            switch (random.nextInt(4)) {
                case 0 ->
                    node.editMetadata()
                            .addToAnnotations(Keys.PRICE_CALENDAR, "1@" + at(0) + "/PT1H")
                            .endMetadata();
                case 1 ->
                    node.editMetadata().addToLabels(Keys.PERFORMANCE, "fast").endMetadata();
                default -> {}
            }
            nodes.put(name, node.build());
        }

        private Pod started(PodBuilder pod, String host) {
            long start = second - NOW + random.nextInt(-5000, 100);
            return random.nextInt(5) == 0
                    ? pod.editSpec().withNodeName(host).endSpec().build()
                    : bound(pod, host, start);
        }

        private Pod foreign(String name, String host) {
            PodBuilder pod = pod(name).editSpec().withSchedulerName("another").endSpec();
            switch (random.nextInt(6)) {
                case 0 -> pod.editSpec().withActiveDeadlineSeconds(600L).endSpec();
                case 1 ->
                    pod.editMetadata().addToAnnotations(Keys.RUNTIME, "20m").endMetadata();
                case 2 ->
                    pod.editMetadata().addToAnnotations(Keys.RUNTIME, "soon").endMetadata();
                case 3 ->
                    pod.editSpec()
                            .editFirstContainer()
                            .editResources()
                            .addToRequests("cpu", new Quantity("-1"))
                            .endResources()
                            .endContainer()
                            .endSpec();
                default -> {}
            }
            return random.nextInt(6) == 0 ? pod.build() : started(pod, host);
        }

        ClusterObjects objects() {
            List<Pod> listed = new ArrayList<>(pods.values());
            return new ClusterObjects(
                    List.copyOf(nodes.values()), random.nextBoolean() ? listed : listed.reversed(), List.of());
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void whateverHappensTheSnapshotAndThePlanAreThoseOfAFreshLook(long seed) {
        Busy cluster = new Busy(seed);
        Planner planner = new Planner(Settings.DEFAULT.policy());

        for (int step = 0; step < STEPS; step++) {
            cluster.happen();
            ClusterObjects objects = cluster.objects();
            Taken fresh = INTAKE.take(objects, Map.of(), cluster.second);
            Taken remembered = INTAKE.take(objects, Map.of(), cluster.second, cluster.second, recollection);

            assertThat(remembered.snapshot()).isEqualTo(fresh.snapshot());
            assertThat(remembered.warnings()).isEqualTo(fresh.warnings());
            assertThat(planner.plan(remembered.snapshot()))
                    .isEqualTo(new Planner(Settings.DEFAULT.policy()).plan(fresh.snapshot()));
        }
    }

    @Test
    void theInventoryIsTheSameUntilANodeLooksDifferent() {
        Node first = node("n1").build();
        var inventory = nodes(first);

        assertThat(nodes(first)).isSameAs(inventory);
        assertThat(nodes(new NodeBuilder(first).build())).isSameAs(inventory);
        Node dearer = new NodeBuilder(first)
                .editMetadata()
                .addToLabels(Keys.PRICE, "2")
                .endMetadata()
                .build();
        assertThat(nodes(dearer)).isNotSameAs(inventory);
        assertThat(nodes(dearer, node("n2").build())).hasSize(2);
        assertThat(nodes(dearer)).hasSize(1);
    }

    private List<io.slotwise.core.cluster.Node> nodes(Node... nodes) {
        ClusterObjects objects = new ClusterObjects(List.of(nodes), List.of(), List.of());
        return INTAKE.take(objects, Map.of(), NOW, NOW, recollection)
                .snapshot()
                .cluster()
                .nodes();
    }
}
