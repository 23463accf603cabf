package io.slotwise.core.planner;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.combination.Limit;
import io.slotwise.core.combination.Limit.Measure;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Backfill;
import io.slotwise.core.plan.Policy.Order;
import io.slotwise.core.plan.Policy.Preempting;
import io.slotwise.core.plan.Policy.Replan;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.time.Interval;
import io.slotwise.testing.Occupations;
import io.slotwise.testing.RandomClusters;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;

/** A cluster and its gangs over time, with random events. */
final class PlanStream {
    private final RandomGenerator random;
    private final RandomClusters clusters;
    private long now = RandomClusters.NOW;
    private Cluster cluster;
    private List<Request> requests = new ArrayList<>();
    private int named;

    PlanStream(long seed) {
        this.random = ExactSearchTest.seeded(seed);
        this.clusters = new RandomClusters(random);
        this.cluster = clusters.cluster(4 + random.nextInt(5));
        for (int i = 0; i < 12; i++) {
            arrive();
        }
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

    /** Promises the plan, starts what is due, lets time pass, and causes a random event. */
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
            running.addAll(Occupations.in(promise.window(), request.gang(), "ns"));
            return true;
        });
        running.removeIf(held -> held.interval().end() <= now);
        List<Node> nodes = new ArrayList<>(published.cluster().inventory());
        String event = event(nodes, running);
        cluster = new Cluster(nodes.equals(cluster.inventory()) ? cluster.inventory() : nodes, running);
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
                            held.resources(),
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
            Node fresh = new RandomClusters(random).cluster(1).inventory().getFirst();
            nodes.removeIf(node -> node.name().equals(fresh.name()));
            nodes.add(fresh);
            return "another " + fresh.name();
        }
        if (one == 4 && !requests.isEmpty()) {
            int i = random.nextInt(requests.size());
            Request request = requests.get(i);
            requests.set(
                    i,
                    request.withGang(request.gang().lasting(request.gang().runtime() + 1 + random.nextInt(20)))
                            .withPromise(null));
            return "an edit of " + request.gang().id();
        }
        if (one == 5 && !requests.isEmpty()) {
            return "the end of "
                    + requests.remove(random.nextInt(requests.size())).gang().id();
        }
        arrive();
        return "an arrival";
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
}
