package io.slotwise.kubernetes.manifest;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static io.slotwise.kubernetes.manifest.Samples.bound;
import static io.slotwise.kubernetes.manifest.Samples.id;
import static io.slotwise.kubernetes.manifest.Samples.node;
import static io.slotwise.kubernetes.manifest.Samples.objects;
import static io.slotwise.kubernetes.manifest.Samples.pod;
import static io.slotwise.kubernetes.manifest.Samples.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.slotwise.core.migration.EvictionTiming;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.PromisedPrices;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.resource.Resources;
import io.slotwise.kubernetes.gangs.GroupKey;
import io.slotwise.kubernetes.gangs.GroupKind;
import io.slotwise.kubernetes.gangs.GroupObjects;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.holds.ReservationBounds;
import io.slotwise.kubernetes.manifest.nodes.NodeRoom;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.testing.PlanChecker;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** An object with absurd figures. Proves that it is refused by name, and that objects next to it are planned. */
@Timeout(60)
class PoisonTest {
    private static final String GPU = "nvidia.com/gpu";
    private static final String STORAGE = "ephemeral-storage";

    private static Pod asking(String name, String resource, String amount) {
        return pod(name)
                .editSpec()
                .editFirstContainer()
                .editResources()
                .addToRequests(resource, new Quantity(amount))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
    }

    private static Node having(String name, String price, String resource, String amount) {
        return new NodeBuilder(node(name).build())
                .editMetadata()
                .addToLabels(AnnotationKeys.PRICE, price)
                .endMetadata()
                .editStatus()
                .addToAllocatable(resource, new Quantity(amount))
                .endStatus()
                .build();
    }

    private static Plan plan(IntakeResult result) {
        Plan plan = new Planner(LoopSettings.EXACT.policy()).plan(result.snapshot());
        assertThat(PlanChecker.faults(result.snapshot(), LoopSettings.EXACT.policy(), plan))
                .isEmpty();
        return plan;
    }

    private static Set<String> planned(Plan plan) {
        return plan.windows().stream()
                .map(planned -> planned.gang().id().name())
                .collect(Collectors.toSet());
    }

    private static String reason(Plan plan, String gang) {
        return plan.pending().stream()
                .filter(pending -> pending.gang().equals(id(gang)))
                .map(pending -> pending.refusal().message())
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({"9000000000000", "9223372036854775807", "9200000000000", "1E"})
    void aPodWithAnAbsurdRequestIsTooLargeForEveryNode(String amount) {
        Plan plan = plan(take(
                objects(
                        List.of(having("n1", "98", GPU, "8")),
                        asking("absurd", GPU, amount),
                        asking("honest", GPU, "1")),
                Map.of()));

        assertThat(planned(plan)).containsExactly("pod-honest");
        assertThat(reason(plan, "pod-absurd"))
                .isEqualTo("no eligible node among 1: 1 too small for one pod (nvidia.com/gpu)");
    }

    @Test
    void aReservationWithAnAbsurdRequestIsTooLargeForEveryNode() {
        ClusterObjects objects = read("""
            apiVersion: slotwise.io/v1alpha1
            kind: Reservation
            metadata: {name: absurd, namespace: user}
            spec: {hold: {size: 1, runtime: 1h, resources: {rdma/hca: "9200000000000"}}}
            """)
                .plus(objects(List.of(having("n1", "1.1", "rdma/hca", "1")), asking("honest", "rdma/hca", "1")));

        Plan plan = plan(take(objects, Map.of()));

        assertThat(planned(plan)).containsExactly("pod-honest");
        assertThat(reason(plan, "absurd")).contains("1 too small for one pod");
    }

    @Test
    void containersThatTogetherAskForMoreThanThereIsAreRefusedByTheirPod() {
        Pod absurd = new PodBuilder(asking("absurd", GPU, "9223372036854775807"))
                .editSpec()
                .addNewContainer()
                .withName("d")
                .withNewResources()
                .addToRequests(GPU, new Quantity("1"))
                .endResources()
                .endContainer()
                .endSpec()
                .build();

        Plan plan = plan(
                take(objects(List.of(node("n1").build()), absurd, pod("honest").build()), Map.of()));

        assertThat(planned(plan)).containsExactly("pod-honest");
        assertThat(reason(plan, "pod-absurd"))
                .isEqualTo("pod user/absurd: its containers ask for 9223372036854775808 of nvidia.com/gpu in all:"
                        + " expected at most 9223372036854775807");
    }

    @ParameterizedTest
    @ValueSource(strings = {"25Ti", "9223372036854775807", "7Ei"})
    void aNodeMayHaveAsMuchAsKubernetesCanSay(String amount) {
        IntakeResult result =
                take(objects(List.of(having("n1", "1", STORAGE, amount)), asking("honest", STORAGE, amount)), Map.of());

        assertThat(result.warnings()).isEmpty();
        assertThat(planned(plan(result))).containsExactly("pod-honest");
    }

    @ParameterizedTest
    @ValueSource(strings = {"-1", "much", "1e40"})
    void aNodeLosesOnlyTheResourceThatCannotBeReadAndTheReasonSaysSo(String amount) {
        IntakeResult result = take(
                objects(
                        List.of(having("n1", "1", STORAGE, amount)),
                        asking("storing", STORAGE, "1"),
                        pod("honest").build()),
                Map.of());
        Plan plan = plan(result);

        assertThat(planned(plan)).containsExactly("pod-honest");
        assertThat(reason(plan, "pod-storing")).isEqualTo("no eligible node among 1: 1 with an invalid value");
        assertThat(result.warnings())
                .singleElement()
                .satisfies(warning -> assertThat(warning.message())
                        .contains("node n1", "(" + amount + ") of ephemeral-storage", "nothing that asks for it"));
    }

    @Test
    void aNodeWhosePriceCannotBeReadIsNotCalledCordoned() {
        Plan plan = plan(take(
                objects(List.of(having("n1", "much", GPU, "1")), pod("honest").build()), Map.of()));

        assertThat(reason(plan, "pod-honest")).isEqualTo("no eligible node among 1: 1 with an invalid value");
    }

    @Test
    void roomThatIsTakenBeyondAllFiguresComesBack() {
        String all = "9223372036854775807";
        PodBuilder[] hogs = IntStream.range(0, 5)
                .mapToObj(i -> new PodBuilder(asking("hog-" + i, STORAGE, all))
                        .editSpec()
                        .withSchedulerName("default-scheduler")
                        .withActiveDeadlineSeconds(600L * (i + 1))
                        .endSpec())
                .toArray(PodBuilder[]::new);
        Pod[] pods = new Pod[hogs.length + 1];
        Arrays.setAll(pods, i -> i < hogs.length ? bound(hogs[i], "n1", 0) : asking("honest", STORAGE, "1"));

        Plan plan = plan(take(objects(List.of(having("n1", "1", STORAGE, all)), pods), Map.of()));

        assertThat(plan.windows())
                .singleElement()
                .satisfies(planned -> assertThat(planned.window().start()).isEqualTo(NOW + 3000));
    }

    @Test
    void aForeignPodMayEndAfterTheEndOfTime() {
        Pod endless = bound(
                pod("endless")
                        .editSpec()
                        .withSchedulerName("default-scheduler")
                        .withActiveDeadlineSeconds(Long.MAX_VALUE)
                        .withTerminationGracePeriodSeconds(Long.MAX_VALUE)
                        .endSpec(),
                "n1",
                -60);

        IntakeResult result =
                take(objects(List.of(node("n1").build()), endless, pod("honest").build()), Map.of());

        assertThat(planned(plan(result))).containsExactly("pod-honest");
        assertThat(result.snapshot().cluster().occupations())
                .singleElement()
                .satisfies(room -> assertThat(room.interval().end()).isGreaterThan(NOW));
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MIN_VALUE, -1, 0})
    void aPriceTimesAnyLimitIsABudgetOrARefusal(long limit) {
        Pod absurd = Samples.member(
                        "absurd", "a-0", AnnotationKeys.GANG_SIZE, "1", AnnotationKeys.MAX_PRICE, "1000000000")
                .editSpec()
                .withActiveDeadlineSeconds(limit)
                .endSpec()
                .build();

        Plan plan = plan(
                take(objects(List.of(node("n1").build()), absurd, pod("honest").build()), Map.of()));

        assertThat(planned(plan)).contains("pod-honest");
    }

    @Test
    void aMemberMayEndAfterTheEndOfTime() {
        Pod endless = bound(
                Samples.member("endless", "e-0", AnnotationKeys.GANG_SIZE, "1")
                        .editSpec()
                        .withActiveDeadlineSeconds(Long.MAX_VALUE)
                        .endSpec(),
                "n1",
                -60);

        IntakeResult result =
                take(objects(List.of(node("n1").build()), endless, pod("honest").build()), Map.of());

        assertThat(planned(plan(result))).containsExactly("pod-honest");
    }

    @ParameterizedTest
    @ValueSource(longs = {Long.MAX_VALUE, Long.MIN_VALUE, -1, 0})
    void aPodOfAnyGraceIsGoneSomeTime(long grace) {
        assertThat(NOW + EvictionTiming.gone(grace)).isGreaterThan(NOW);
    }

    @Test
    void aPromiseOnANodeThatHasShrunkCostsTheWholeNodeAtMost() {
        IntakeResult before = take(
                objects(List.of(having("n1", "98", GPU, "9000000000000")), asking("p", GPU, "9000000000000")),
                Map.of());
        IntakeResult after =
                take(objects(List.of(having("n1", "98", GPU, "1")), asking("p", GPU, "9000000000000")), Map.of());

        var prices = new PromisedPrices(after.snapshot(), LoopSettings.EXACT.policy())
                .of(plan(before).windows().getFirst());

        assertThat(prices.rates()).isEmpty();
    }

    @Test
    void theRoomOfPodsOnANodeIsComparedWithoutOverflow() {
        Node node = having("n1", "1", STORAGE, "9223372036854775807");
        Pod all = asking("p", STORAGE, "9223372036854775807");

        assertThat(NodeRoom.shortage(node, List.of(all))).isNull();
        assertThat(NodeRoom.shortage(node, List.of(all, all, all))).isEqualTo(STORAGE);
        assertThat(NodeRoom.shortage(having("n2", "1", STORAGE, "much"), List.of(all)))
                .isEqualTo(STORAGE);
    }

    @ParameterizedTest
    @CsvSource({"10000,0", "100000,0", "2147483647,0", "5000,2"})
    @Timeout(20)
    void fourHundredLargeReservationsCostNextToNothing(int size, int taken) {
        String manifests =
                IntStream.range(0, 400).mapToObj(i -> """
                    ---
                    apiVersion: slotwise.io/v1alpha1
                    kind: Reservation
                    metadata: {name: r%03d, namespace: greedy}
                    spec: {hold: {size: %d, runtime: 1h, resources: {cpu: "1"}}}
                    """.formatted(i, size)).collect(Collectors.joining());
        ClusterObjects objects = read(manifests)
                .plus(objects(List.of(node("n1").build()), pod("honest").build()));

        IntakeResult read = take(objects, Map.of());
        Plan plan = plan(read);

        assertThat(read.snapshot().requests()).hasSize(taken + 1);
        assertThat(planned(plan)).containsExactly("pod-honest");
        assertThat(plan.pending()).hasSize(400);
    }

    @Test
    void aNamespacesReservationsAreBoundedOldestFirst() {
        String manifests =
                IntStream.range(0, 3).mapToObj(i -> """
                    ---
                    apiVersion: slotwise.io/v1alpha1
                    kind: Reservation
                    metadata: {name: r%d, namespace: user, creationTimestamp: "2029-12-0%dT00:00:00Z"}
                    spec: {hold: {size: 4000, runtime: 1h, resources: {cpu: "1"}}}
                    """.formatted(i, 9 - i)).collect(Collectors.joining());

        IntakeResult result = take(read(manifests), Map.of());

        assertThat(result.snapshot().held()).singleElement().satisfies(held -> {
            assertThat(held.gang()).isEqualTo(id("r0"));
            assertThat(held.refusal().message())
                    .isEqualTo("`spec.hold.size` (4000) is too much in addition to the 8000 seats of other advance "
                            + "reservations of" + " namespace user: expected at most 10000 in all");
        });
    }

    @Test
    void ofMoreReservationsThanAreLookedAtTheNewestWaitAndOtherNamespacesAreWhole() {
        IntFunction<String> reservation = i -> """
                ---
                apiVersion: slotwise.io/v1alpha1
                kind: Reservation
                metadata: {name: r%d, namespace: user, creationTimestamp: "%s"}
                spec: {hold: {size: 1, runtime: 1h, resources: {cpu: "1m"}}}
                """.formatted(i, Instant.ofEpochSecond(i));
        String crowd = IntStream.range(0, ReservationBounds.MOST + 1)
                .mapToObj(reservation)
                .collect(Collectors.joining());
        String other = reservation.apply(ReservationBounds.MOST + 1).replace("user", "other");

        IntakeResult result = take(read(crowd + other), Map.of());

        assertThat(result.snapshot().requests()).hasSize(ReservationBounds.MOST + 1);
        assertThat(result.snapshot().held()).singleElement().satisfies(held -> {
            assertThat(held.gang()).isEqualTo(id("r" + ReservationBounds.MOST));
            assertThat(held.refusal().message())
                    .isEqualTo("namespace user has more than 2000 advance reservations: "
                            + "this one is planned once there are fewer");
        });
    }

    @Test
    void aLedgerThatCannotBeReadIsItsNamespacesAlone() {
        ClusterObjects objects = read("""
            apiVersion: slotwise.io/v1alpha1
            kind: Ledger
            metadata: {name: slotwise, namespace: other}
            spec: {days: [{date: never, exactSpent: 1, exactOverrun: 0}]}
            """)
                .plus(objects(
                        List.of(node("n1").build()),
                        pod("honest").build(),
                        pod("spender")
                                .editMetadata()
                                .withNamespace("other")
                                .endMetadata()
                                .build()));

        IntakeResult result = take(objects, Map.of());
        Plan plan = plan(result);

        assertThat(planned(plan)).containsExactly("pod-honest");
        assertThat(plan.pending())
                .singleElement()
                .satisfies(pending ->
                        assertThat(pending.refusal().message()).contains("ledger other/slotwise cannot be read"));
        assertThat(result.warnings()).hasSize(1);
    }

    @Test
    void aKindOfAnotherProjectThatCannotBeReadIsToldByName() {
        GroupObjects broken = new GroupObjects() {
            @Override
            public io.fabric8.kubernetes.api.model.@Nullable GenericKubernetesResource find(GroupKey key) {
                return null;
            }

            @Override
            public Set<GroupKind> unread() {
                return Set.of(GroupKind.VOLCANO);
            }
        };
        ClusterObjects objects =
                objects(List.of(node("n1").build()), pod("honest").build()).withGroups(broken);

        IntakeResult result = take(objects, Map.of());

        assertThat(planned(plan(result))).containsExactly("pod-honest");
        assertThat(result.warnings()).singleElement().satisfies(warning -> {
            assertThat(warning.reason()).isEqualTo(IntakeWarning.Reason.NOT_READ);
            assertThat(warning.message()).startsWith("podgroups.scheduling.volcano.sh cannot be read");
        });
        assertThat(GroupObjects.NONE.or(broken).unread()).containsExactly(GroupKind.VOLCANO);
    }

    @Test
    void amountsOfAResourceAreCountedUpToTheLargest() {
        assertThat(take(objects(List.of(having("n1", "1", STORAGE, "9223372036854775807"))), Map.of())
                        .snapshot()
                        .cluster()
                        .inventory()
                        .getFirst()
                        .allocatable())
                .isEqualTo(
                        Resources.of(Map.of("cpu", 4000L, "memory", 16L << 30, STORAGE, Long.MAX_VALUE, "pods", 110L)));
    }

    private static ClusterObjects read(String manifests) {
        return ManifestFile.read(new ByteArrayInputStream(manifests.getBytes(StandardCharsets.UTF_8)), "objects.yaml");
    }
}
