package io.slotwise.core.planner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.PlacementRequest;
import io.slotwise.core.migration.EvictionTiming;
import io.slotwise.core.migration.MigrationPolicy;
import io.slotwise.core.migration.Running;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.DomainComparison;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.PlannerResources;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.provision.Billing;
import io.slotwise.core.provision.NodeOffer;
import io.slotwise.core.provision.Provisioning;
import io.slotwise.core.provision.Provisioning.Mode;
import io.slotwise.core.provision.PurchaseQuota;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.SearchObserver;
import io.slotwise.core.window.Window;
import io.slotwise.core.work.RandomSource;
import io.slotwise.core.work.Workers;
import io.slotwise.live.cycle.CommonPoolWorkers;
import io.slotwise.testing.GangBuilder;
import io.slotwise.testing.PlanBuilder;
import io.slotwise.testing.RunningGangs;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** An error in the search of one gang. The search observer fails for gangs that minimize processor time. */
class CycleIsolationTest {
    private static final long NOW = PlanBuilder.NOW;
    private static final SearchObserver FAULTY = new SearchObserver() {
        @Override
        public <T> T around(Criterion criterion, Supplier<T> search) {
            if (criterion == Criterion.PROCESSOR_TIME) {
                throw new ArithmeticException("long overflow");
            }
            return search.get();
        }
    };

    private final Cluster cluster = new PlanBuilder()
            .node("n1", 4000, "default")
            .node("n2", 4000, "default")
            .snapshot()
            .cluster();

    private static Planner planner(Policy policy, Workers workers) {
        return new Planner(policy, new PlannerResources(workers, RandomSource.NONE, FAULTY));
    }

    private static Gang sound(int i) {
        return GangBuilder.gang("sound-" + i, 2, 2000, 600).build();
    }

    private static Gang faulty(String namespace, int i) {
        return GangBuilder.gang("faulty-" + i, 1, 2000, 600)
                .namespace(namespace)
                .criterion(Criterion.PROCESSOR_TIME)
                .build();
    }

    private Snapshot snapshot(List<Request> requests) {
        return new Snapshot(NOW, cluster, requests, List.of());
    }

    private static Request waiting(Gang gang) {
        return new Request(gang, null);
    }

    private static Map<GangId, Window> windows(Plan plan) {
        return plan.windows().stream()
                .collect(Collectors.toMap(planned -> planned.gang().id(), Planned::window));
    }

    @Test
    void aFailingSearchRefusesItsGangAndTheOthersArePlannedAsWithoutIt() {
        List<Request> sound =
                IntStream.range(0, 7).mapToObj(i -> waiting(sound(i))).toList();
        List<Request> all = new ArrayList<>(sound);
        all.add(2, waiting(faulty("user", 0)));

        for (Workers workers : List.of(Workers.CALLER, CommonPoolWorkers.ALL)) {
            Plan plan = planner(Policy.EXACT, workers).plan(snapshot(all));

            assertThat(windows(plan)).isEqualTo(windows(new Planner(Policy.EXACT).plan(snapshot(sound))));
            assertThat(plan.pending()).singleElement().satisfies(pending -> {
                assertThat(pending.gang()).isEqualTo(new GangId("user", "faulty-0"));
                assertThat(pending.refusal().key()).isEqualTo("internal-error");
                assertThat(pending.refusal().message())
                        .matches("not planned because of internal error [0-9a-f]{8}; "
                                + "see the log of Slotwise for the cause");
                assertThat(pending.refusal().figures().toString()).doesNotContain("overflow");
                assertThat(((Refusal.Failed) pending.refusal()).error().words())
                        .startsWith("ArithmeticException in CycleIsolationTest")
                        .endsWith(": long overflow");
            });
        }
    }

    @Test
    void theChoiceOfTheOthersDomainsIsReported() {
        Gang online = GangBuilder.gang("online", 1, 2000, 600)
                .placing(new PlacementRequest(
                        PlacementRequest.Manner.EMCT, 0, OptionalDouble.empty(), OptionalDouble.empty()))
                .build();

        Plan plan = planner(Policy.EXACT, Workers.CALLER)
                .plan(snapshot(List.of(waiting(faulty("user", 0)), waiting(online))));

        assertThat(windows(plan)).containsOnlyKeys(online.id());
        assertThat(plan.domains()).extracting(DomainComparison::gang).containsExactly(online.id());
    }

    @Test
    void purchasesForTheOthersAreInThePlan() {
        Policy buying = Policy.EXACT.withProvisioning(Provisioning.NONE.in(Mode.BUY));
        Gang wide = GangBuilder.gang("wide", 1, 1000, 600)
                .criterion(Criterion.START)
                .build();
        NodeOffer offer = new NodeOffer(
                PlanBuilder.oneCore("small", Money.MICROS_PER_UNIT),
                new Billing(60, 0, 3600, 0),
                PurchaseQuota.of("small", 1),
                0);

        Plan plan = planner(buying, Workers.CALLER)
                .plan(new Snapshot(
                                NOW,
                                new Cluster(List.of(), List.of()),
                                List.of(waiting(wide), waiting(faulty("user", 0))),
                                List.of())
                        .offering(List.of(offer)));

        assertThat(plan.pending())
                .anySatisfy(one -> assertThat(one.gang().name()).isEqualTo("faulty-0"));
        assertThat(windows(plan)).containsKey(wide.id());
        assertThat(plan.buying())
                .singleElement()
                .satisfies(one -> assertThat(one.acquisition().purchases()).hasSize(1));
    }

    @Test
    void theFailingGangKeepsItsPromise() {
        Gang promised = faulty("user", 0);
        Window window = Window.of(
                promised.id(), NOW + 60, List.of(new Placement("faulty-0-0", "n1", NOW + 60, NOW + 660, Cost.ZERO)));
        List<Request> requests = List.of(
                new Request(promised, new Promise(window, WindowOrigin.BACKFILL, false)),
                waiting(GangBuilder.gang("large", 2, 4000, 600).build()));

        Plan plan = planner(Policy.EXACT.withReplan(Policy.Replan.IMPROVE), Workers.CALLER)
                .plan(snapshot(requests));

        assertThat(windows(plan)).containsEntry(promised.id(), window);
        assertThat(windows(plan).get(new GangId("user", "large")))
                .satisfies(
                        other -> assertThat(other.start()).as("no room before").isGreaterThanOrEqualTo(window.end()));
        assertThat(plan.broken()).isEmpty();
        assertThat(plan.notes()).anySatisfy(note -> assertThat(note).contains("user/faulty-0 keeps its promise"));
    }

    @Test
    void manyFailingGangsOfANamespaceWithoutPromisesAreLeftOutTogether() {
        List<Request> requests = new ArrayList<>();
        IntStream.range(0, 40).mapToObj(i -> waiting(faulty("many", i))).forEach(requests::add);
        requests.add(waiting(faulty("one", 0)));
        requests.add(waiting(sound(0)));

        Plan plan = planner(Policy.EXACT, Workers.CALLER).plan(snapshot(requests));

        assertThat(windows(plan)).containsOnlyKeys(sound(0).id());
        assertThat(plan.pending())
                .hasSize(41)
                .allSatisfy(pending -> assertThat(pending.refusal()).isInstanceOf(Refusal.Failed.class));
    }

    @Test
    void aGangThatRunsAndCannotBeMovedStaysAndTheOthersArePlanned() {
        Node node = cluster.inventory().getFirst();
        Gang runs = GangBuilder.gang("runs", 1, 2000, 6000)
                .criterion(Criterion.PROCESSOR_TIME)
                .build();
        Running running = RunningGangs.of(runs, List.of(node), NOW - 1000, NOW, new EvictionTiming(1, 1));
        Snapshot snapshot = new Snapshot(
                        NOW,
                        new Cluster(cluster.inventory(), running.room()),
                        List.of(waiting(GangBuilder.gang("waits", 2, 4000, 600).build())),
                        List.of())
                .withRunning(List.of(running));
        Policy policy = Policy.EXACT.withMigration(new MigrationPolicy(MigrationPolicy.Reach.EXTERNAL, 1, 300, 60));

        Plan plan = planner(policy, Workers.CALLER).plan(snapshot);

        assertThat(plan.moves()).isEmpty();
        assertThat(windows(plan).get(new GangId("user", "waits")))
                .satisfies(window -> assertThat(window.start()).isGreaterThanOrEqualTo(NOW + 5000));
        assertThat(new Planner(policy).plan(snapshot).moves())
                .as("without the error it is moved")
                .hasSize(1);
    }

    @Test
    void anErrorThatNoGangBringsAboutEndsTheCycle() {
        CycleIsolation isolation = new CycleIsolation(
                _ -> {
                    throw new ArithmeticException("the cluster itself");
                },
                snapshot(List.of(waiting(sound(0)))));

        assertThatThrownBy(() -> isolation.plan(new ArithmeticException()))
                .isInstanceOf(ArithmeticException.class)
                .hasMessage("the cluster itself");
    }
}
