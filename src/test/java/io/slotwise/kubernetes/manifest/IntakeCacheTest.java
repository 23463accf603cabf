package io.slotwise.kubernetes.manifest;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static io.slotwise.kubernetes.manifest.Samples.at;
import static io.slotwise.kubernetes.manifest.Samples.bound;
import static io.slotwise.kubernetes.manifest.Samples.member;
import static io.slotwise.kubernetes.manifest.Samples.node;
import static io.slotwise.kubernetes.manifest.Samples.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.planner.Planner;
import io.slotwise.kubernetes.gangs.GroupObjects;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.gang.KnownGang;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Proves that caching unchanged objects changes nothing but the time. */
class IntakeCacheTest {
    private static final Intake INTAKE = new Intake(LoopSettings.EXACT, PriceCatalogue.EMPTY);
    private static final int STEPS = 400;

    private final IntakeCache cache = new IntakeCache();

    /** A cluster with random changes. An unchanged object stays the same Java object, as in an informer. */
    private static final class Busy {
        private final RandomGenerator random;
        private final Map<String, Node> nodes = new TreeMap<>();
        private final Map<String, Pod> pods = new TreeMap<>();
        private final Map<String, GenericKubernetesResource> groups = new TreeMap<>();
        private long second = NOW;

        Busy(long seed) {
            random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            IntStream.range(0, 4).mapToObj(i -> "n" + i).forEach(this::putNode);
        }

        void happen() {
            String some = "p" + random.nextInt(12);
            String host = "n" + random.nextInt(5);
            switch (random.nextInt(16)) {
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
                case 7 ->
                    pods.put(
                            some,
                            member("g", some, AnnotationKeys.GANG_SIZE, "2").build());
                case 12 -> pods.put(some, ofAGang(some));
                case 13 -> pods.put(some, ofAGroup(some));
                case 14 -> groups.remove("" + random.nextInt(2));
                case 15 -> putGroup("" + random.nextInt(2));
                case 8 -> pods.put(some, started(pod(some), host));
                default -> pods.put(some, foreign(some, host));
            }
        }

        private void putNode(String name) {
            NodeBuilder node = node(name);
            node.editMetadata()
                    .addToLabels(AnnotationKeys.PRICE, "" + random.nextInt(1, 3))
                    .endMetadata();
            switch (random.nextInt(4)) {
                case 0 ->
                    node.editMetadata()
                            .addToAnnotations(AnnotationKeys.PRICE_CALENDAR, "1@" + at(0) + "/PT1H")
                            .endMetadata();
                case 1 ->
                    node.editMetadata()
                            .addToLabels(AnnotationKeys.PERFORMANCE, "fast")
                            .endMetadata();
                default -> {}
            }
            nodes.put(name, node.build());
        }

        /**
         * A pod of a gang of one of three names. It is readable or not, and some of the pods have something that
         * Slotwise does not plan.
         */
        private Pod ofAGang(String name) {
            PodBuilder pod = member("h" + random.nextInt(3), name, AnnotationKeys.GANG_SIZE, "" + random.nextInt(1, 4));
            switch (random.nextInt(6)) {
                case 0 ->
                    pod.editMetadata()
                            .addToAnnotations(AnnotationKeys.RUNTIME, "never")
                            .endMetadata();
                case 1 ->
                    pod.editMetadata()
                            .addToAnnotations(AnnotationKeys.BUDGET, "3")
                            .endMetadata();
                case 2 ->
                    pod.editSpec()
                            .addNewTopologySpreadConstraint()
                            .withTopologyKey("zone")
                            .withWhenUnsatisfiable("DoNotSchedule")
                            .withMaxSkew(1)
                            .endTopologySpreadConstraint()
                            .endSpec();
                case 3 -> pod.editSpec().addToNodeSelector("zone", "a").endSpec();
                default -> {}
            }
            return pod.build();
        }

        /** A pod of a gang whose size another object states. */
        private Pod ofAGroup(String name) {
            return pod(name)
                    .editMetadata()
                    .addToLabels("scheduling.x-k8s.io/pod-group", "" + random.nextInt(2))
                    .endMetadata()
                    .build();
        }

        private void putGroup(String name) {
            GenericKubernetesResource group = new GenericKubernetesResource();
            group.setApiVersion("scheduling.x-k8s.io/v1alpha1");
            group.setKind("PodGroup");
            group.setMetadata(
                    new ObjectMetaBuilder().withNamespace("user").withName(name).build());
            group.setAdditionalProperty("spec", Map.of("minMember", random.nextInt(1, 4)));
            groups.put(name, group);
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
                    pod.editMetadata()
                            .addToAnnotations(AnnotationKeys.RUNTIME, "20m")
                            .endMetadata();
                case 2 ->
                    pod.editMetadata()
                            .addToAnnotations(AnnotationKeys.RUNTIME, "soon")
                            .endMetadata();
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

        /** Sometimes nodes have refused a gang. */
        Map<GangId, KnownGang> known() {
            return random.nextInt(4) == 0
                    ? Map.of(
                            new GangId("user", "h" + random.nextInt(3)),
                            new KnownGang(null, OptionalLong.empty(), Set.of("n" + random.nextInt(4))))
                    : Map.of();
        }

        ClusterObjects objects() {
            List<Pod> listed = new ArrayList<>(pods.values());
            return ClusterObjects.NONE
                    .withNodes(List.copyOf(nodes.values()))
                    .withPods(random.nextBoolean() ? listed : listed.reversed())
                    .withGroups(GroupObjects.of(List.copyOf(groups.values())));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void afterAnyChangesSnapshotAndPlanAreThoseWithoutACache(long seed) {
        Busy cluster = new Busy(seed);
        Planner planner = new Planner(LoopSettings.EXACT.policy());

        for (int step = 0; step < STEPS; step++) {
            cluster.happen();
            ClusterObjects objects = cluster.objects();
            Map<GangId, KnownGang> known = cluster.known();
            IntakeResult fresh = INTAKE.take(objects, known, cluster.second);
            IntakeResult remembered = INTAKE.take(objects, known, cluster.second, cluster.second, cache);

            assertThat(remembered.snapshot()).isEqualTo(fresh.snapshot());
            assertThat(remembered.warnings()).isEqualTo(fresh.warnings());
            assertThat(planner.plan(remembered.snapshot()))
                    .isEqualTo(new Planner(LoopSettings.EXACT.policy()).plan(fresh.snapshot()));
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
                .addToLabels(AnnotationKeys.PRICE, "2")
                .endMetadata()
                .build();
        assertThat(nodes(dearer)).isNotSameAs(inventory);
        assertThat(nodes(dearer, node("n2").build())).hasSize(2);
        assertThat(nodes(dearer)).hasSize(1);
    }

    private List<io.slotwise.core.cluster.Node> nodes(Node... nodes) {
        ClusterObjects objects = ClusterObjects.NONE.withNodes(List.of(nodes));
        return INTAKE.take(objects, Map.of(), NOW, NOW, cache)
                .snapshot()
                .cluster()
                .inventory();
    }
}
