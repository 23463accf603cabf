package io.slotwise.kubernetes.manifest;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static io.slotwise.kubernetes.manifest.Samples.at;
import static io.slotwise.kubernetes.manifest.Samples.bound;
import static io.slotwise.kubernetes.manifest.Samples.id;
import static io.slotwise.kubernetes.manifest.Samples.member;
import static io.slotwise.kubernetes.manifest.Samples.node;
import static io.slotwise.kubernetes.manifest.Samples.objects;
import static io.slotwise.kubernetes.manifest.Samples.promise;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.slotwise.core.combination.Account;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.Planner;
import io.slotwise.kubernetes.gangs.GroupObjects;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.gang.KnownGang;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Proves that a gang is planned before the pods beyond its size, which are planned one by one. */
class SurplusPodsTest {
    /** Five pods of one core that came together, of a gang of four, and a node for four. */
    private static Snapshot snapshot() {
        Pod[] pods = new Pod[5];
        for (int i = 0; i < pods.length; i++) {
            pods[i] = member("train", "p-" + i, AnnotationKeys.GANG_SIZE, "4", AnnotationKeys.RUNTIME, "1h")
                    .editMetadata()
                    .withCreationTimestamp(at(-60))
                    .endMetadata()
                    .build();
        }
        return new Intake(LoopSettings.EXACT, PriceCatalogue.EMPTY, PodFilter.FILES)
                .take(objects(List.of(node("n1").build()), pods), Map.of(), NOW)
                .snapshot();
    }

    private static Map<String, Long> starts(Plan plan) {
        return plan.windows().stream()
                .collect(Collectors.toMap(
                        (Planned planned) -> planned.gang().id().name(),
                        planned -> planned.window().start() - NOW));
    }

    @ParameterizedTest
    @EnumSource(Policy.Order.class)
    void aGangStartsBeforeItsSurplusInEveryOrder(Policy.Order order) {
        Policy policy = Policy.EXACT.withQueue(Policy.EXACT.queue().by(order));

        assertThat(starts(new Planner(policy).plan(snapshot())))
                .containsExactlyInAnyOrderEntriesOf(Map.of("train", 0L, "pod-p-4", 3600L));
    }

    /** The day's money is just enough for the gang. */
    @Test
    void aGangGetsTheMoneyOfItsNamespaceBeforeItsSurplus() {
        Snapshot poor = snapshot()
                .withAccounts(List.of(
                        new Account("user", NOW, NOW + 24 * 3600, Cost.of(Money.parse("1"))),
                        new Account("user", NOW + 24 * 3600, NOW + 48 * 3600, Cost.of(Money.parse("1")))));

        assertThat(starts(new Planner(Policy.EXACT).plan(poor))).containsEntry("train", 0L);
    }

    /** A surplus pod runs, and one of the two members of the promised gang is being made again. */
    @Test
    void aPromisedGangStaysOneWhileAMemberIsAwayAndASurplusPodRuns() {
        Pod surplus = bound(member("g", "c", AnnotationKeys.GANG_SIZE, "2"), "n1", -60);
        Map<GangId, KnownGang> known = Map.of(
                id("g"), new KnownGang(promise("g", 600, false, "a", "b"), OptionalLong.empty(), Set.of()),
                id("pod-c"), new KnownGang(promise("pod-c", -60, true, "c"), OptionalLong.of(NOW - 60), Set.of()));

        Snapshot snapshot = Samples.take(
                        objects(
                                List.of(node("n1").build()),
                                surplus,
                                member("g", "a").build()),
                        known)
                .snapshot();

        assertThat(snapshot.held()).containsExactly(new Pending(id("g"), new Refusal.WaitingForMembers(1, 2)));
        assertThat(snapshot.requests()).isEmpty();
    }

    /** 200 pods that join a run, each with a controller of its own, and an object that describes their gang. */
    @Test
    void theGangIsReadOnceForAllPodsThatJoinIt() {
        AtomicInteger asked = new AtomicInteger();
        GroupObjects groups = key -> {
            asked.incrementAndGet();
            return null;
        };
        Pod[] pods = new Pod[200];
        for (int i = 0; i < pods.length; i++) {
            PodBuilder pod = member("g", "p-%03d".formatted(i), AnnotationKeys.GANG_SIZE, "200")
                    .editMetadata()
                    .addNewOwnerReference()
                    .withApiVersion("batch/v1")
                    .withKind("Job")
                    .withName("j-" + i)
                    .withUid("u-" + i)
                    .withController(true)
                    .endOwnerReference()
                    .endMetadata();
            pods[i] = i == 0 ? bound(pod, "n1", -60) : pod.build();
        }

        IntakeResult result =
                Samples.take(objects(List.of(node("n1").build()), pods).withGroups(groups), Map.of());

        assertThat(result.snapshot().requests()).hasSize(199);
        assertThat(asked).hasValueLessThan(1000);
    }
}
