package io.slotwise.core.planner;

import static io.slotwise.core.planner.ExactSearchTest.policy;
import static io.slotwise.core.planner.ExactSearchTest.seeded;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.combination.Account;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Split;
import io.slotwise.core.plan.Policy.Split.Choice;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.Eligibility.Kind;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.AlternativeSearch;
import io.slotwise.core.window.SearchTurns;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.search.DisjointAlternatives;
import io.slotwise.core.window.search.DisjointAlternatives.Effort;
import io.slotwise.core.window.search.WindowSearch;
import io.slotwise.core.work.StopSignal;
import io.slotwise.core.work.Workers;
import io.slotwise.live.cycle.CommonPoolWorkers;
import io.slotwise.testing.PlanChecker;
import io.slotwise.testing.RandomClusters;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Proves that the plan does not depend on which threads run a batch's parallel searches, or on how many. */
class WorkersTest {
    private static final long NOW = RandomClusters.NOW;

    private static Gang gang(RandomClusters clusters, RandomGenerator random, int i) {
        List<Criterion> criteria = List.of(Criterion.values());
        Criterion criterion = criteria.get(random.nextInt(criteria.size()));
        return random.nextInt(4) == 0 ? clusters.mixedGang("g" + i, criterion) : clusters.gang("g" + i, criterion);
    }

    private static List<Gang> gangs(RandomClusters clusters, RandomGenerator random) {
        return IntStream.range(0, 3 + random.nextInt(10))
                .mapToObj(i -> gang(clusters, random, i))
                .toList();
    }

    private static Policy anyPolicy(RandomGenerator random) {
        Policy usual = policy(RandomClusters.SPAN, random.nextInt(3));
        return usual.withBatch(usual.batch()
                .withAlternatives(1 + random.nextInt(4))
                .withSearchLimit(random.nextInt(3) == 0 ? 1 + random.nextInt(200) : 0)
                .withSplit(new Split(1 + random.nextInt(2), random.nextInt(3) * Split.ALL / 2, Choice.ORDER))
                .serving(
                        random.nextBoolean() ? Objective.USER : Objective.MIN_COST,
                        usual.batch().limit()));
    }

    @Test
    void aPlanDependsNeitherOnWorkersNorOnThePlannersMemory() {
        int windows = 0;
        for (int seed = 0; seed < 200; seed++) {
            RandomGenerator random = seeded(seed);
            RandomClusters clusters = new RandomClusters(random);
            Cluster cluster = clusters.cluster(2 + random.nextInt(5));
            List<Gang> gangs = gangs(clusters, random);
            Policy policy = anyPolicy(random);
            List<Account> accounts = random.nextInt(3) > 0
                    ? List.of()
                    : List.of(new Account(
                            gangs.getFirst().id().namespace(), NOW, NOW + 100, new Cost(random.nextLong(1L << 40))));
            Snapshot first = new Snapshot(
                            NOW,
                            cluster,
                            gangs.stream().map(gang -> new Request(gang, null)).toList(),
                            List.of())
                    .withAccounts(accounts);

            Plan plan = new Planner(policy).plan(first);
            Planner other = new Planner(policy, CommonPoolWorkers.ALL);
            assertThat(other.plan(first)).as("seed %d", seed).isEqualTo(plan);

            Snapshot second = promised(first, plan, random);
            assertThat(other.plan(second))
                    .as("seed %d, with promises, and nodes that the planner knows", seed)
                    .isEqualTo(new Planner(policy).plan(second));
            assertThat(PlanChecker.faults(second, policy, other.plan(second)))
                    .as("seed %d, with promises", seed)
                    .isEmpty();
            windows += plan.windows().size();
        }
        assertThat(windows).isGreaterThan(400);
    }

    private static Snapshot promised(Snapshot before, Plan plan, RandomGenerator random) {
        List<Request> requests = before.requests().stream()
                .map(request -> new Request(
                        request.gang(),
                        plan.windows().stream()
                                .filter(planned -> planned.gang().equals(request.gang()))
                                .map(planned -> new Promise(planned.window(), planned.origin(), false))
                                .findFirst()
                                .orElse(null)))
                .toList();
        Cluster roomier = new Cluster(
                before.cluster().inventory(),
                before.cluster().occupations().stream()
                        .filter(_ -> random.nextInt(3) > 0)
                        .toList());
        return new Snapshot(before.now(), roomier, requests, List.of()).withAccounts(before.accounts());
    }

    @Test
    void theAlternativesAreThoseOfSearchingOneGangAfterTheOther() {
        int found = 0;
        for (int seed = 0; seed < 200; seed++) {
            RandomGenerator random = seeded(seed);
            RandomClusters clusters = new RandomClusters(random);
            Timeline timeline = new Timeline(clusters.cluster(2 + random.nextInt(5)), NOW, 0);
            int most = 1 + random.nextInt(4);
            List<Gang> gangs =
                    gangs(clusters, random).stream().filter(Gang::isUniform).toList();
            List<AlternativeSearch> seekers = gangs.stream()
                    .map(gang -> new AlternativeSearch(
                            gang,
                            new WindowSearch(gang, new Eligibility(Kind.of(gang), timeline, false)),
                            SlotTerms.of(gang, NOW, NOW + RandomClusters.SPAN)))
                    .toList();
            List<List<Window>> inTurn = inTurn(seekers, timeline, most);

            assertThat(DisjointAlternatives.find(
                                    seekers,
                                    timeline,
                                    new Effort(most, 0, new SearchTurns(StopSignal.NEVER)),
                                    Workers.CALLER)
                            .windows())
                    .as("seed %d", seed)
                    .isEqualTo(inTurn);
            found += inTurn.stream().mapToInt(List::size).sum();
        }
        assertThat(found).isGreaterThan(1000);
    }

    private static List<List<Window>> inTurn(List<AlternativeSearch> seekers, Timeline timeline, int most) {
        List<List<Window>> found = new ArrayList<>();
        seekers.forEach(_ -> found.add(new ArrayList<>()));
        for (int round = 0; round < most; round++) {
            for (int i = 0; i < seekers.size(); i++) {
                Gang gang = seekers.get(i).gang();
                Optional<Window> window = found.get(i).size() < round
                        ? Optional.empty()
                        : seekers.get(i).next(timeline);
                window.ifPresent(next -> next.occupy(timeline, gang));
                window.ifPresent(found.get(i)::add);
            }
        }
        for (int i = 0; i < seekers.size(); i++) {
            Gang gang = seekers.get(i).gang();
            found.get(i).forEach(window -> window.vacate(timeline, gang));
        }
        return found;
    }

    @Test
    void aSearchLimitEndsTheSearchForMoreAlternativesOnly() {
        int told = 0;
        for (int seed = 0; seed < 50; seed++) {
            RandomGenerator random = seeded(seed);
            RandomClusters clusters = new RandomClusters(random);
            Cluster cluster = clusters.cluster(6);
            List<Request> requests = ExactSearchTest.requests(clusters, 8);
            Snapshot snapshot = new Snapshot(NOW, cluster, requests, List.of());
            Policy policy = policy(RandomClusters.SPAN, 0);
            Policy cheapest = policy.withBatch(
                    policy.batch().serving(Objective.MIN_COST, policy.batch().limit()));

            Plan one = new Planner(cheapest.withBatch(cheapest.batch().withAlternatives(1))).plan(snapshot);
            Plan limited = new Planner(cheapest.withBatch(cheapest.batch().withSearchLimit(1))).plan(snapshot);
            Plan roomy =
                    new Planner(cheapest.withBatch(cheapest.batch().withSearchLimit(1_000_000_000))).plan(snapshot);

            assertThat(limited.windows()).as("seed %d", seed).isEqualTo(one.windows());
            told += limited.notes()
                            .contains("the search for more alternatives ended after 1 slots (study.search-limit)")
                    ? 1
                    : 0;
            assertThat(roomy).as("seed %d", seed).isEqualTo(new Planner(cheapest).plan(snapshot));
        }
        assertThat(told).as("clusters where there was more to be found").isGreaterThan(40);
    }
}
