package io.slotwise.core.planner;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.combination.Limit;
import io.slotwise.core.combination.Limit.Measure;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.PlannerResources;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Backfill;
import io.slotwise.core.plan.Policy.Order;
import io.slotwise.core.plan.Policy.Preempting;
import io.slotwise.core.plan.Policy.Replan;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.PromiseSlack;
import io.slotwise.core.plan.RememberedPlan;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.recall.PlanMemory;
import io.slotwise.core.time.Interval;
import io.slotwise.core.work.StopSignal;
import io.slotwise.live.cycle.CommonPoolWorkers;
import io.slotwise.random.SeededRandom;
import io.slotwise.testing.CountedSearches;
import io.slotwise.testing.GangBuilder;
import io.slotwise.testing.RandomClusters;
import io.slotwise.testing.Seated;
import io.slotwise.testing.SharedEnvironment;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalLong;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * A plan that goes on from what the one before it left is the plan that is made without it, whatever happens in
 * between: 2,000 changes in streams by a seed, under all objectives, limits, kinds of backfilling, orders of the queue
 * and rules for promises, with calendars, unavailable intervals, topologies, lockstep gangs and gangs of several
 * shapes.
 */
class RememberedPlansTest {
    private static final int STREAMS = 100;
    private static final int EVENTS = 20;

    /** A cluster and its gangs, to which something happens now and then. */
    static final class Stream {
        private final RandomGenerator random;
        private final RandomClusters clusters;
        private long now = RandomClusters.NOW;
        private Cluster cluster;
        private List<Request> requests = new ArrayList<>();
        private int named;

        Stream(long seed) {
            this.random = ExactSearchTest.seeded(seed);
            this.clusters = new RandomClusters(random);
            this.cluster = clusters.cluster(4 + random.nextInt(5));
            for (int i = 0; i < 12; i++) {
                arrive();
            }
        }

        /** The same with gangs for which no node is large enough. */
        Stream withTooLarge() {
            for (Criterion criterion : Criterion.values()) {
                requests.add(new Request(
                        GangBuilder.gang("nowhere-" + criterion, 2, 1_000_000_000, 20)
                                .criterion(criterion)
                                .build(),
                        null));
            }
            return this;
        }

        private void arrive() {
            Criterion[] criteria = Criterion.values();
            String name = "g" + named++;
            Criterion criterion = criteria[random.nextInt(criteria.length)];
            Gang gang = random.nextInt(4) == 0 ? clusters.mixedGang(name, criterion) : clusters.gang(name, criterion);
            requests.add(new Request(gang, null));
        }

        Snapshot snapshot() {
            return new Snapshot(now, cluster, requests, List.of());
        }

        /** What was planned is promised, what starts now runs, time goes on, and something happens. */
        String goOn(Plan plan) {
            Snapshot published = snapshot().published(plan);
            requests = new ArrayList<>(published.requests());
            List<Occupation> running = new ArrayList<>(published.cluster().occupations());
            now += random.nextInt(3) == 0 ? random.nextInt(12) : 0;
            requests.removeIf(request -> {
                Promise promise = request.promise();
                if (promise == null || promise.window().start() > now) {
                    return false;
                }
                running.addAll(Seated.in(promise.window(), request.gang(), "ns"));
                return true;
            });
            running.removeIf(held -> held.interval().end() <= now);
            List<Node> nodes = new ArrayList<>(published.cluster().nodes());
            String event = event(nodes, running);
            cluster = new Cluster(nodes.equals(cluster.nodes()) ? cluster.nodes() : nodes, running);
            return event;
        }

        private String event(List<Node> nodes, List<Occupation> running) {
            int one = random.nextInt(7);
            if (one == 0 && !running.isEmpty()) {
                return "the end of " + running.remove(random.nextInt(running.size()));
            }
            if (one == 1 && !running.isEmpty()) {
                int i = random.nextInt(running.size());
                Occupation held = running.get(i);
                running.set(
                        i,
                        new Occupation(
                                held.holder(),
                                held.node(),
                                held.amount(),
                                new Interval(
                                        held.interval().start(), held.interval().end() + 1 + random.nextInt(20)),
                                true));
                return "an overrun of " + held;
            }
            if (one == 2 && nodes.size() > 3) {
                Node lost = nodes.remove(random.nextInt(nodes.size()));
                running.removeIf(held -> held.node().equals(lost.name()));
                return "the loss of " + lost.name();
            }
            if (one == 3) {
                Node fresh = new RandomClusters(random).cluster(1).nodes().getFirst();
                nodes.removeIf(node -> node.name().equals(fresh.name()));
                nodes.add(fresh);
                return "another " + fresh.name();
            }
            if (one == 4 && !requests.isEmpty()) {
                int i = random.nextInt(requests.size());
                Request request = requests.get(i);
                requests.set(
                        i,
                        request.of(request.gang().lasting(request.gang().runtime() + 1 + random.nextInt(20)))
                                .with(null));
                return "an edit of " + request.gang().id();
            }
            if (one == 5 && !requests.isEmpty()) {
                return "the end of "
                        + requests.remove(random.nextInt(requests.size()))
                                .gang()
                                .id();
            }
            arrive();
            return "an arrival";
        }
    }

    static Policy policy(RandomGenerator random) {
        Policy usual = ExactSearchTest.policy(RandomClusters.SPAN, random.nextInt(3))
                .withReplan(random.nextInt(4) == 0 ? pick(random, Replan.values()) : Replan.IMPROVE)
                .withReplanGain(random.nextInt(3) == 0 ? 200_000 : 0)
                .withBackfill(pick(random, Backfill.values()))
                .withPreemption(pick(random, Preempting.values()));
        Policy ordered =
                usual.withQueue(usual.queue().by(pick(random, Order.values())).passedBy(random.nextInt(4)));
        Policy.Batch batch =
                ordered.batch().withAlternatives(1 + random.nextInt(4)).withShift(random.nextInt(3) > 0);
        if (random.nextInt(3) == 0) {
            return ordered.withBatch(batch);
        }
        List<Measure> measures = List.of(Measure.NOTHING, Measure.COST, Measure.PROCESSOR_TIME);
        return ordered.withBatch(batch.serving(
                pick(random, Objective.values()),
                new Limit(measures.get(random.nextInt(measures.size())), OptionalLong.empty())));
    }

    private static <T> T pick(RandomGenerator random, T[] all) {
        return all[random.nextInt(all.length)];
    }

    @Test
    void planIsTheSameAsWithoutAMemory() {
        int fewer = 0;
        int all = 0;
        Set<Object> policies = new HashSet<>();
        for (int seed = 0; seed < STREAMS; seed++) {
            Stream stream = new Stream(seed).withTooLarge();
            Policy drawn = policy(ExactSearchTest.seeded(1_000 + seed));
            Policy policy = seed % 2 == 0 && drawn.replan() == Replan.IMPROVE
                    ? drawn.withSlack(new PromiseSlack(200_000, 100_000, 5))
                    : drawn;
            policies.addAll(Arrays.asList(
                    policy.batch().objective(),
                    policy.backfill(),
                    policy.queue().order(),
                    policy.replan()));
            CountedSearches counted = new CountedSearches();
            CountedSearches countedFresh = new CountedSearches();
            Planner planner =
                    new Planner(policy, new PlannerResources(CommonPoolWorkers.ALL, SeededRandom.L64X128, counted));
            Planner fresh = new Planner(
                    policy, new PlannerResources(CommonPoolWorkers.ALL, SeededRandom.L64X128, countedFresh));
            PlanMemory memory = PlanMemory.NOTHING;
            String event = "the beginning";
            for (int i = 0; i < EVENTS; i++) {
                Snapshot snapshot = stream.snapshot();

                RememberedPlan remembered = planner.plan(snapshot, StopSignal.NEVER, memory);

                Plan expected = fresh.plan(snapshot);
                assertThat(remembered.plan())
                        .as("seed %d, plan %d, after %s, under %s", seed, i, event, policy)
                        .isEqualTo(expected);
                memory = remembered.memory();
                event = stream.goOn(remembered.plan());
            }
            fewer += counted.count();
            all += countedFresh.count();
        }
        assertThat(policies)
                .hasSize(Objective.values().length
                        + Backfill.values().length
                        + Order.values().length
                        + Replan.values().length);
        assertThat(fewer).as("searches, of %d", all).isLessThan(all * 9 / 10);
    }

    /** What is left of a cluster, once many pods have ended and a node is gone. */
    private static Cluster without(Cluster cluster, int ended, boolean loses, RandomGenerator random) {
        List<Occupation> running = new ArrayList<>(cluster.occupations());
        for (int i = 0; i < ended; i++) {
            running.remove(random.nextInt(running.size()));
        }
        List<Node> nodes = new ArrayList<>(cluster.nodes());
        if (loses) {
            Node lost = nodes.remove(random.nextInt(nodes.size()));
            running.removeIf(held -> held.node().equals(lost.name()));
        }
        return new Cluster(loses ? nodes : cluster.nodes(), running);
    }

    /** So many departures are not looked at one by one. */
    @Test
    void planIsTheSameAfterMoreHaveLeftThanAreLookedAtOneByOne() {
        int fewer = 0;
        int all = 0;
        for (int seed = 0; seed < 6; seed++) {
            RandomGenerator random = ExactSearchTest.seeded(seed);
            Cluster cluster = SharedEnvironment.busy(300, seed).cluster();
            CountedSearches counted = new CountedSearches();
            CountedSearches countedFresh = new CountedSearches();
            Policy policy =
                    seed % 2 == 0 ? Policy.DEFAULT : Policy.DEFAULT.withSlack(new PromiseSlack(200_000, 100_000, 5));
            Planner planner =
                    new Planner(policy, new PlannerResources(CommonPoolWorkers.ALL, SeededRandom.L64X128, counted));
            Planner fresh = new Planner(
                    policy, new PlannerResources(CommonPoolWorkers.ALL, SeededRandom.L64X128, countedFresh));
            Snapshot snapshot = new Snapshot(
                    0,
                    cluster,
                    SharedEnvironment.batch(120, seed).stream()
                            .map(gang -> new Request(gang, null))
                            .toList(),
                    List.of());
            PlanMemory memory = PlanMemory.NOTHING;
            int[] ends = {0, 1_100, 1, 0, 400, 1};
            for (int i = 0; i < ends.length; i++) {
                snapshot = new Snapshot(
                        snapshot.now() + i,
                        without(snapshot.cluster(), ends[i], i == 1 && seed > 2, random),
                        snapshot.requests(),
                        List.of());

                RememberedPlan remembered = planner.plan(snapshot, StopSignal.NEVER, memory);

                assertThat(remembered.plan()).as("seed %d, plan %d", seed, i).isEqualTo(fresh.plan(snapshot));
                memory = remembered.memory();
                snapshot = new Snapshot(
                        snapshot.now(),
                        snapshot.cluster(),
                        snapshot.published(remembered.plan()).requests(),
                        List.of());
            }
            fewer += counted.count();
            all += countedFresh.count();
        }
        assertThat(fewer).as("searches, of %d", all).isLessThan(all);
    }
}
