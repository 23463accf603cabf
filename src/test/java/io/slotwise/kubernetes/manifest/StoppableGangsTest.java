package io.slotwise.kubernetes.manifest;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static io.slotwise.kubernetes.manifest.Samples.bound;
import static io.slotwise.kubernetes.manifest.Samples.id;
import static io.slotwise.kubernetes.manifest.Samples.member;
import static io.slotwise.kubernetes.manifest.Samples.node;
import static io.slotwise.kubernetes.manifest.Samples.objects;
import static io.slotwise.kubernetes.manifest.Samples.promise;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.Charge;
import io.slotwise.core.migration.EvictionTiming;
import io.slotwise.core.migration.MigrationPolicy;
import io.slotwise.core.migration.MigrationPolicy.Reach;
import io.slotwise.core.migration.Running;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.gang.KnownGang;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.record.MigrationHistory;
import io.slotwise.live.settings.LoopSettings;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The running gangs that may be moved, and the facts seen of gangs that were moved. */
class StoppableGangsTest {
    private static final Node NODE = node("n1").build();
    private static final LoopSettings MOVING =
            LoopSettings.EXACT.withPolicy(Policy.EXACT.withMigration(new MigrationPolicy(Reach.EXTERNAL, 1, 300, 60)));
    private static final MigrationHistory PAST = new MigrationHistory(
            List.of(new MigrationHistory.Leg(
                    NOW - 900, NOW + 100, new Cost(9), new Charge(new Cost(3_600_000), Cost.ZERO), NOW - 100)),
            400,
            50,
            new Cost(3_600_000),
            Resources.of(Map.of(Resources.CPU, 1000L, Resources.PODS, 1L)),
            new TreeSet<>(Set.of("uid-old-0", "uid-old-1")),
            NOW - 55,
            1,
            Cost.ZERO,
            1700);

    private static IntakeResult take(LoopSettings settings, @Nullable KnownGang known, Pod... pods) {
        return new Intake(settings, PriceCatalogue.EMPTY)
                .take(objects(List.of(NODE), pods), known == null ? Map.of() : Map.of(id("g"), known), NOW);
    }

    private static Pod running(String name, boolean controlled, String... more) {
        return bound(
                member(
                                "g",
                                name,
                                AnnotationKeys.GANG_SIZE,
                                "2",
                                AnnotationKeys.RUNTIME,
                                "10m",
                                AnnotationKeys.MIGRATABLE,
                                more.length == 0 ? "true" : more[0])
                        .editMetadata()
                        .withUid("uid-" + name)
                        .addNewOwnerReference()
                        .withController(controlled)
                        .endOwnerReference()
                        .endMetadata(),
                "n1",
                -400);
    }

    private static KnownGang started(String... pods) {
        return new KnownGang(promise("g", -402, true, pods), OptionalLong.of(NOW - 400), Set.of());
    }

    private static List<GangId> movable(IntakeResult result) {
        return result.snapshot().running().stream()
                .map(running -> running.gang().id())
                .toList();
    }

    @Test
    void aWholeGangThatKeepsItsWorkMayBeMoved() {
        IntakeResult result = take(MOVING, started("g-0", "g-1"), running("g-0", true), running("g-1", true));

        assertThat(result.snapshot().running()).hasSize(1);
        Running running = result.snapshot().running().getFirst();
        assertThat(running.gang().runtime()).isEqualTo(600);
        assertThat(running.progress().startedAt()).isEqualTo(NOW - 400);
        assertThat(running.progress().elapsed()).isEqualTo(400);
        assertThat(running.progress().overhead()).isZero();
        assertThat(running.timing()).isEqualTo(new EvictionTiming(35, 45));
        assertThat(running.moves()).isEmpty();
        assertThat(running.room()).hasSize(2);
        assertThat(result.snapshot().cluster().occupations()).containsAll(running.room());
    }

    @Test
    void incompleteUnrecreatedOrUnwillingGangsMayNotBeMoved() {
        KnownGang known = started("g-0", "g-1");
        Pod first = running("g-0", true);
        Pod second = running("g-1", true);
        Pod waiting = member("g", "g-1", AnnotationKeys.GANG_SIZE, "2").build();

        assertThat(movable(take(MOVING, known, first, second))).containsExactly(id("g"));
        assertThat(movable(take(LoopSettings.EXACT, known, first, second))).isEmpty();
        assertThat(movable(take(MOVING, known, first, running("g-1", false)))).isEmpty();
        assertThat(movable(take(MOVING, known, first))).isEmpty();
        assertThat(movable(take(MOVING, known, first, waiting))).isEmpty();
        assertThat(movable(take(MOVING, known, running("g-0", true, "false"), running("g-1", true, "false"))))
                .isEmpty();
        assertThat(movable(take(MOVING, started("g-0", "g-2"), first, second))).isEmpty();
        assertThat(movable(take(MOVING, null, first, second))).isEmpty();
    }

    @Test
    void inFilesAGangCountsAsPromisedItsNodesWhenItsLastPodStarted() {
        IntakeResult result = new Intake(MOVING, PriceCatalogue.EMPTY, PodFilter.FILES)
                .take(objects(List.of(NODE), running("g-0", true), running("g-1", true)), Map.of(), NOW);

        Running running = result.snapshot().running().getFirst();
        assertThat(running.progress().elapsed()).isEqualTo(400);
        assertThat(running.progress().window().cost()).isEqualTo(new Cost(2 * 600 * 250_000));
        assertThat(running.progress().end()).isEqualTo(NOW + 200);
    }

    @Test
    void aSecondRunHasTheWorkAndTheBudgetThatTheFirstLeft() {
        KnownGang known = new KnownGang(promise("g", -402, true, "g-0", "g-1"), OptionalLong.of(NOW - 400), Set.of())
                .withHistory(PAST)
                .withSeen(NOW - 5000);
        Pod first = running("g-0", true);
        first.getMetadata().getAnnotations().put(AnnotationKeys.BUDGET, "1");

        Running running = take(MOVING, known, first, running("g-1", true))
                .snapshot()
                .running()
                .getFirst();

        assertThat(running.gang().runtime()).isEqualTo(450);
        assertThat(running.gang().budget().total()).isEqualTo(Money.parse("0.999"));
        assertThat(running.gang().arrival()).isEqualTo(NOW - 5000);
        assertThat(running.lost()).isEqualTo(1700);
        assertThat(running.progress().overhead()).isEqualTo(50);
        assertThat(running.moves()).containsExactly(NOW - 100);
    }

    @Test
    void podsThatAreToBeEvictedHoldRoomAndAreNoMembers() {
        Promise next = promise("g", 60, false, "old-0", "old-1");

        IntakeResult result = take(MOVING, moved(next), running("old-0", true), running("old-1", true));

        assertThat(result.snapshot().requests()).isEmpty();
        assertThat(result.snapshot().held()).containsExactly(new Pending(id("g"), new Refusal.WaitingForMembers(0, 2)));
        assertThat(result.snapshot().cluster().occupations())
                .extracting(held -> held.interval())
                .containsExactlyInAnyOrder(
                        new Interval(NOW - 400, NOW + 35),
                        new Interval(NOW - 400, NOW + 35),
                        new Interval(NOW + 60, NOW + 660),
                        new Interval(NOW + 60, NOW + 660));
    }

    @Test
    void remadePodsTakeThePlacementsOfTheOldOnes() {
        Promise next = promise("g", 60, false, "old-0", "old-1");
        Pod first = member("g", "new-0", AnnotationKeys.GANG_SIZE, "2", AnnotationKeys.RUNTIME, "10m")
                .build();
        Pod second = member("g", "new-1").build();

        IntakeResult result = take(MOVING, moved(next), first, second);

        assertThat(result.snapshot().requests()).singleElement().satisfies(request -> {
            assertThat(request.gang().runtime()).isEqualTo(450);
            assertThat(request.promise()).isNotNull();
        });
        assertThat(result.snapshot().held()).isEmpty();
    }

    @Test
    void underLocalMigrationABetterWindowStaysInThePromisedDomains() {
        List<Node> zones = List.of(zone("n1", "a", "1.00"), zone("n2", "b", "0.10"), zone("n3", "a", "0.50"));
        Window onN1 = Window.of(
                id("g"),
                NOW + 60,
                Stream.of("g-0", "g-1")
                        .map(pod -> new Placement(pod, "n1", NOW + 60, NOW + 510, new Cost(450 * 250_000)))
                        .toList());
        KnownGang known = moved(new Promise(onN1, WindowOrigin.MIGRATION, false));
        Pod[] made = {
            member(
                            "g",
                            "g-0",
                            AnnotationKeys.GANG_SIZE,
                            "2",
                            AnnotationKeys.RUNTIME,
                            "10m",
                            AnnotationKeys.CRITERION,
                            "cost")
                    .build(),
            member("g", "g-1").build()
        };

        assertThat(nodes(new MigrationPolicy(Reach.LOCAL, 1, 300, 60), zones, known, made))
                .containsOnly("n3");
        assertThat(nodes(new MigrationPolicy(Reach.EXTERNAL, 1, 300, 60), zones, known, made))
                .containsOnly("n2");
    }

    private static Node zone(String name, String zone, String price) {
        return node(name)
                .editMetadata()
                .addToLabels("topology.kubernetes.io/zone", zone)
                .addToLabels(AnnotationKeys.PRICE, price)
                .endMetadata()
                .build();
    }

    private static List<String> nodes(MigrationPolicy mobility, List<Node> cluster, KnownGang known, Pod... pods) {
        Policy policy = Policy.EXACT.withMigration(mobility);
        IntakeResult result = new Intake(LoopSettings.EXACT.withPolicy(policy), PriceCatalogue.EMPTY)
                .take(objects(cluster, pods), Map.of(id("g"), known), NOW);
        return new Planner(policy)
                .plan(result.snapshot()).windows().getFirst().window().placements().stream()
                        .map(Placement::node)
                        .toList();
    }

    private static KnownGang moved(Promise next) {
        return new KnownGang(next, OptionalLong.empty(), Set.of())
                .withHistory(PAST)
                .withSeen(NOW - 5000);
    }

    /** In files, pods count as gangs by Slotwise's annotations, whichever scheduler has bound them. */
    @Test
    void aPodOfAnotherSchedulerIsNotStopped() {
        Pod theirs = running("g-0", true);
        theirs.getSpec().setSchedulerName("default-scheduler");
        Pod ours = running("g-1", true);
        theirs.getMetadata().getAnnotations().put(AnnotationKeys.GANG_SIZE, "2");

        assertThat(new Intake(MOVING, PriceCatalogue.EMPTY, PodFilter.FILES)
                        .take(objects(List.of(NODE), theirs, ours), Map.of(), NOW)
                        .snapshot()
                        .running())
                .isEmpty();
    }

    /** The members a and b of the gang g have started on their own, while a gang of higher priority waits. */
    private static IntakeResult replaced(LoopSettings displacing, Map<GangId, KnownGang> more) {
        Pod urgent = member("h", "h-0", AnnotationKeys.GANG_SIZE, "1", AnnotationKeys.RUNTIME, "10m")
                .editSpec()
                .withPriority(9)
                .editContainer(0)
                .editResources()
                .addToRequests("cpu", new Quantity("4"))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
        Map<GangId, KnownGang> known = new HashMap<>(Map.of(
                id("pod-a"), new KnownGang(promise("pod-a", -402, true, "a"), OptionalLong.of(NOW - 400), Set.of()),
                id("pod-b"), new KnownGang(promise("pod-b", -312, true, "b"), OptionalLong.of(NOW - 310), Set.of())));
        known.putAll(more);
        return new Intake(displacing, PriceCatalogue.EMPTY)
                .take(objects(List.of(NODE), running("a", true), running("b", true), urgent), known, NOW);
    }

    private static LoopSettings displacing() {
        return LoopSettings.EXACT.withPolicy(Policy.EXACT
                .withPreemption(Policy.Preempting.RUNNING)
                .withMigration(new MigrationPolicy(Reach.NONE, 1, 300, 60)));
    }

    @Test
    void membersThatAllCameInThePlaceOfOthersAreNotStoppedOneByOne() {
        assertThat(movable(replaced(displacing(), Map.of()))).isEmpty();
    }

    @Test
    void aGangWithOnlyReplacedMembersMakesWayAsAWhole() {
        IntakeResult result = replaced(displacing(), Map.of(id("g"), started("old-a", "old-b")));

        assertThat(movable(result)).containsExactly(id("g"));
        Running running = result.snapshot().running().getFirst();
        assertThat(running.progress().elapsed()).isEqualTo(310);
        assertThat(running.progress().window().pods()).containsExactlyInAnyOrder("a", "b");
        assertThat(new Planner(displacing().policy()).plan(result.snapshot()).moves())
                .extracting(move -> move.gang().id())
                .containsExactly(id("g"));
    }
}
