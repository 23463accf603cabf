package io.slotwise.core.reservation;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Performance;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.PromiseTariff;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.PromisedPrices;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.SearchExtent;
import io.slotwise.core.window.Window;
import io.slotwise.testing.GangBuilder;
import io.slotwise.testing.PlanChecker;
import io.slotwise.testing.RandomClusters;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.Test;

class ReservationAssignmentsTest {
    private static final long NOW = RandomClusters.NOW;
    private static final Policy POLICY =
            Policy.EXACT.withHorizon(RandomClusters.SPAN * 2).withTurnover(0);
    private static final Planner PLANNER = new Planner(POLICY);

    /**
     * Random clusters with a reservation, which the first plan gives a window, and in which the second plan seats a
     * random gang among rivals. Every seat lies within the reservation's and costs as much. An independent checker
     * accepts the plan in which the gang replaces the reservation.
     */
    @Test
    void onlyTheNamingGangSitsInItsReservation() {
        int taken = 0;
        for (int seed = 0; seed < 300; seed++) {
            RandomGenerator random =
                    RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
            RandomClusters clusters = new RandomClusters(random);
            Cluster cluster = clusters.cluster(2 + random.nextInt(6));
            int size = 1 + random.nextInt(4);
            int pods = 1 + random.nextInt(size + 1);
            long runtime = 20L + random.nextInt(60);
            Gang hold = GangBuilder.gang("hold", size, 500, runtime).build();
            Gang gang = GangBuilder.gang("gang", pods, 250L * (1 + random.nextInt(2)), 10L + random.nextInt(70))
                    .lockstep(random.nextBoolean())
                    .maxPerNode(1 + random.nextInt(size))
                    .build();
            List<Request> requests = new ArrayList<>(List.of(new Request(hold, null)));
            for (int i = 0; i < 4; i++) {
                requests.add(new Request(
                        GangBuilder.gang("rival" + i, 1 + random.nextInt(3), 500, 30)
                                .build(),
                        null));
            }
            Snapshot first = new Snapshot(NOW, cluster, requests, List.of());
            Snapshot published = first.published(PLANNER.plan(first));
            List<Request> more = new ArrayList<>(published.requests());
            more.add(new Request(gang, null));

            taken += assertAssigned(published.withRequests(more), hold, gang, seed);
        }
        assertThat(taken).isBetween(60, 260);
    }

    private static int assertAssigned(Snapshot snapshot, Gang hold, Gang gang, int seed) {
        Request held = request(snapshot, hold.id());
        ReservationNames assignments = new ReservationNames(Map.of(gang.id(), hold.id()), Set.of(hold.id()));
        PromisedPrices prices = new PromisedPrices(snapshot, POLICY);
        ReservationAssignments reservationClaims = ReservationAssignments.of(snapshot, assignments, prices::of, false);
        Plan planners = PLANNER.plan(kept(reservationClaims.left(), hold.id()));
        Plan plan = reservationClaims.carriedOut(planners);

        assertThat(PlanChecker.faults(kept(reservationClaims.left(), hold.id()), POLICY, planners))
                .as("seed %d", seed)
                .isEmpty();
        List<Planned> assigned = plan.windows().stream()
                .filter(planned -> planned.gang().equals(gang))
                .toList();
        Promise promise = held.promise();
        if (assigned.isEmpty()) {
            assertThat(plan.pending()).extracting(Pending::gang).contains(gang.id());
            assertThat(promise == null || cannotSit(gang, promise.window(), snapshot))
                    .as("seed %d: %s", seed, plan.pending())
                    .isTrue();
            return 0;
        }
        Window window = assigned.getFirst().window();
        Promise room = Objects.requireNonNull(promise);
        assertThat(ReservationSeats.inside(window, room.window())).isTrue();
        assertThat(window.start()).isEqualTo(room.window().start());
        assertThat(plan.windows()).noneMatch(planned -> planned.gang().equals(hold));
        assertThat(window.cost()).isLessThanOrEqualTo(room.window().cost());
        Snapshot instead = snapshot.withRequests(snapshot.requests().stream()
                .filter(request -> !request.gang().equals(hold))
                .toList());
        // A pod that requests less than its seat pays its part of the seat's rate, which is already rounded.
        boolean less = !gang.request().resources().equals(hold.request().resources());
        assertThat(PlanChecker.faults(instead, POLICY, withoutNotes(plan)))
                .as("seed %d", seed)
                .filteredOn(fault -> !less || !fault.startsWith("user/gang:") || !fault.contains(" costs "))
                .isEmpty();
        return 1;
    }

    /** The same by hand: too many pods, or too few seats that are long enough, with a limit of pods per node. */
    private static boolean cannotSit(Gang gang, Window room, Snapshot snapshot) {
        Map<String, Node> nodes = new HashMap<>();
        snapshot.cluster().inventory().forEach(node -> nodes.put(node.name(), node));
        long longest = gang.lockstep()
                ? room.placements().stream()
                        .mapToLong(placement -> length(gang, nodes, placement))
                        .min()
                        .orElse(0)
                : 0;
        for (long stay = longest; ; stay++) {
            Map<String, Integer> perNode = new HashMap<>();
            int seats = 0;
            long slowest = 0;
            for (Placement placement : room.placements()) {
                long length = length(gang, nodes, placement);
                slowest = Math.max(slowest, length);
                boolean fits = gang.lockstep()
                        ? length <= stay && stay <= placement.end() - placement.start()
                        : length <= placement.end() - placement.start();
                if (fits && perNode.merge(placement.node(), 1, Integer::sum) <= gang.maxPerNode()) {
                    seats++;
                }
            }
            if (seats >= gang.size()) {
                return false;
            }
            if (!gang.lockstep() || stay > slowest) {
                return true;
            }
        }
    }

    private static long length(Gang gang, Map<String, Node> nodes, Placement placement) {
        Node node = nodes.get(placement.node());
        return node == null ? Long.MAX_VALUE : gang.request().durationOn(node.performance());
    }

    /** The snapshot in which the reservation keeps its window, as in a live cycle. */
    private static Snapshot kept(Snapshot snapshot, GangId hold) {
        return snapshot.withRequests(snapshot.requests().stream()
                .map(request ->
                        request.promise() == null || !request.gang().id().equals(hold)
                                ? request
                                : new Request(
                                        request.gang(),
                                        new Promise(
                                                request.promise().window(),
                                                request.promise().origin(),
                                                true)))
                .toList());
    }

    private static Plan withoutNotes(Plan plan) {
        return new Plan(
                plan.now(),
                plan.horizonEnd(),
                plan.windows(),
                plan.pending(),
                plan.broken(),
                List.of(),
                List.of(),
                plan.moves(),
                List.of(),
                SearchExtent.NONE,
                List.of(),
                Map.of());
    }

    private static Request request(Snapshot snapshot, GangId gang) {
        return snapshot.requests().stream()
                .filter(request -> request.gang().id().equals(gang))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void seatsCostTheirPromisedPricesDespiteLaterChanges() {
        StepFunction then =
                StepFunction.startingAt(4_000_000).then(NOW + 300, 2_000_000).build();
        Gang hold = GangBuilder.gang("hold", 2, 1000, 600).build();
        Gang gang = GangBuilder.gang("gang", 1, 1000, 400).build();
        Gang half = GangBuilder.gang("half", 1, 500, 400).build();
        Cost seat = new Cost(1_000_000L * 300 + 500_000L * 300);
        Window room = Window.of(
                hold.id(),
                NOW,
                List.of(
                        new Placement("hold-0", "n", NOW, NOW + 600, seat),
                        new Placement("hold-1", "n", NOW, NOW + 600, seat)));
        PromiseTariff tariff = PromiseTariff.of(room, _ -> then.map(price -> price / 4));
        Request held = new Request(hold, new Promise(room, WindowOrigin.CYCLIC, true));
        ReservationSeats seats =
                new ReservationSeats(new Cluster(List.of(node("n", 9_000_000)), List.of()), NOW + 100, false);

        ReservationSeats.Answer.Taken whole = (ReservationSeats.Answer.Taken) seats.of(gang, held, tariff);
        ReservationSeats.Answer.Taken less = (ReservationSeats.Answer.Taken) seats.of(half, held, tariff);

        assertThat(whole.window().start()).isEqualTo(NOW + 100);
        assertThat(whole.window().cost()).isEqualTo(new Cost(1_000_000L * 200 + 500_000L * 200));
        assertThat(less.window().cost()).isEqualTo(new Cost(500_000L * 200 + 250_000L * 200));
        assertThat(whole.tariff().cost(whole.window().placements().getFirst(), 250))
                .isEqualTo(new Cost(1_000_000L * 200 + 500_000L * 50));
    }

    @Test
    void aRequestBeyondItsSeatIsReportedWithBothAmounts() {
        Gang hold = GangBuilder.gang("hold", 2, 1000, 600).build();
        Gang large = GangBuilder.gang("gang", 1, 1500, 400).build();
        Window room = Window.of(hold.id(), NOW, List.of(new Placement("hold-0", "n", NOW, NOW + 600, new Cost(600))));
        ReservationSeats seats = new ReservationSeats(new Cluster(List.of(node("n", 1)), List.of()), NOW, false);

        assertThat(seats.of(
                        large, new Request(hold, new Promise(room, WindowOrigin.CYCLIC, true)), PromiseTariff.CONSTANT))
                .isEqualTo(new ReservationSeats.Answer.Unfit(
                        "pod %s asks for cpu 1.5, a seat of reservation %s has 1: expected no more"
                                .formatted(large.pods().getFirst(), hold.id())));
    }

    @Test
    void aGuestThatHasEnteredIsNotInTheWayOfItsOwnReservation() {
        Gang hold = GangBuilder.gang("hold", 1, 4000, 600).build();
        GangId gang = new GangId(hold.id().namespace(), "gang");
        Window room = Window.of(
                hold.id(), NOW, List.of(new Placement(hold.pods().getFirst(), "n", NOW, NOW + 600, new Cost(600))));
        Occupation entered = new Occupation(
                gang.namespace() + "/gang-0", "n", hold.request().resources(), new Interval(NOW, NOW + 600));
        Snapshot snapshot = new Snapshot(
                NOW,
                new Cluster(List.of(node("n", 1)), List.of(entered)),
                List.of(new Request(hold, new Promise(room, WindowOrigin.CYCLIC, true))),
                List.of());
        ReservationNames assignments = new ReservationNames(Map.of(), Set.of(hold.id()))
                .knowing(Map.of(), Map.of(hold.id(), Set.of(gang.namespace() + "/gang-0")));

        Plan plan = PLANNER.plan(ReservationAssignments.of(snapshot, assignments, _ -> PromiseTariff.CONSTANT, false)
                .left());

        assertThat(PLANNER.plan(snapshot).broken()).hasSize(1);
        assertThat(plan.broken()).isEmpty();
        assertThat(plan.windows()).extracting(Planned::window).containsExactly(room);
    }

    private static Node node(String name, long price) {
        return new Node(
                name,
                Map.of(),
                List.of(),
                true,
                Resources.of(Map.of(Resources.CPU, 4000L, Resources.PODS, 110L)),
                Performance.REFERENCE,
                "default",
                StepFunction.constant(price),
                List.of());
    }
}
