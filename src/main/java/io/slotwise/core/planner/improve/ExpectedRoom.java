package io.slotwise.core.planner.improve;

import io.slotwise.core.booking.Bookings;
import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Inventory;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Split;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.Eligibility.Kind;
import io.slotwise.core.slot.PodTariffs;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.search.WindowSearch;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The free capacity as it is expected to become. Running and starting gangs use the part of their runtimes that gangs
 * of their namespace have used lately, or the policy's {@code batch.max-value.expected-use} if nothing is known. A gang
 * that has used more takes the same part of the rest. Nothing is promised by this expectation.
 */
final class ExpectedRoom {
    private static final BigInteger ALL = BigInteger.valueOf(Split.ALL);

    private final Policy policy;
    private final long now;
    private final Snapshot snapshot;
    private final PodTariffs tariffs;
    private final Inventory inventory;
    private final Timeline timeline;
    private final Map<Kind, Eligibility> kinds = new HashMap<>();

    ExpectedRoom(Snapshot snapshot, Policy policy, PodTariffs tariffs) {
        this.policy = policy;
        this.now = snapshot.now();
        this.snapshot = snapshot;
        this.tariffs = tariffs;
        Cluster cluster = snapshot.cluster();
        this.inventory = cluster.inventory();
        this.timeline = new Timeline(
                new Cluster(
                        cluster.inventory(),
                        cluster.occupations().stream().map(this::expected).toList()),
                now,
                policy.turnover());
    }

    private Occupation expected(Occupation occupation) {
        Interval interval = occupation.interval();
        if (interval.end() == Interval.FOREVER || interval.end() <= now) {
            return occupation;
        }
        int use = use(Occupation.namespace(occupation.holder()));
        long usual = interval.start() + part(interval.end() - interval.start(), use);
        long end = usual > now ? usual : now + part(interval.end() - now, use);
        return occupation.during(new Interval(interval.start(), end));
    }

    private int use(String namespace) {
        return snapshot.expectedUse(namespace, policy);
    }

    /** Returns the part of its runtime that a gang is expected to use, in millionths. */
    private int use(Gang gang) {
        return use(gang.id().namespace());
    }

    /** Returns the used part of these seconds, at least one second. */
    private static long part(long seconds, int use) {
        long all = Split.ALL;
        return Math.max(1, seconds / all * use + seconds % all * use / all);
    }

    private static Cost part(Cost cost, int use) {
        return cost.equals(Cost.UNLIMITED)
                ? cost
                : Cost.of(cost.exact().multiply(BigInteger.valueOf(use)).divide(ALL));
    }

    /**
     * Takes the expected part of a window, until the bookings are rolled back. O(p) for p pods, with a change for each
     * of their nodes.
     */
    void take(Gang gang, Window window, Bookings bookings) {
        int use = use(gang);
        bookings.change(
                () -> window.eachRoom(
                        gang, (node, resources, interval) -> timeline.occupy(node, resources, used(interval, use))),
                () -> window.eachRoom(
                        gang, (node, resources, interval) -> timeline.vacate(node, resources, used(interval, use))));
    }

    private static Interval used(Interval interval, int use) {
        return new Interval(interval.start(), interval.start() + part(interval.end() - interval.start(), use));
    }

    /**
     * Returns the window that suits a gang best if everything goes as expected: the least sum of its cost and {@code
     * batch.max-value.least-saving} times the value of its delay, for the expected part of its runtime. Empty if there
     * is none.
     *
     * @param terms where the whole window may lie
     * @param maxCost what the whole window may cost
     */
    Optional<Window> best(Gang gang, SlotTerms terms, Cost maxCost) {
        int use = use(gang);
        long runtime = part(gang.runtime(), use);
        ValueOfTime value = gang.valueOfTime();
        BigInteger hour =
                times(BigInteger.valueOf(value.hour().micros())).min(BigInteger.valueOf(ValueOfTime.MOST.micros()));
        Gang weighedGang =
                gang.lasting(runtime).valuing(new ValueOfTime(new Money(hour.longValueExact()), value.until()));
        SlotTerms slotTerms = terms.deadline() == Interval.FOREVER
                ? terms
                : terms.endingBy(terms.deadline() - (gang.runtime() - runtime));
        return new WindowSearch(
                        weighedGang,
                        weighedGang.shapes().stream()
                                .map(shape -> eligible(Kind.of(weighedGang, shape.request())))
                                .toList())
                .best(Criterion.VALUE, slotTerms, part(maxCost, use));
    }

    private Eligibility eligible(Kind kind) {
        return kinds.computeIfAbsent(kind, asksKind -> new Eligibility(asksKind, tariffs, timeline));
    }

    private BigInteger times(BigInteger value) {
        return value.multiply(BigInteger.valueOf(policy.leastSaving())).divide(ALL);
    }

    /**
     * Returns whether a gang should wait for a later window of the expected room.
     *
     * @param soonerWindow the whole window that it could have
     * @param laterWindow the expected one
     */
    boolean isWorthWaiting(Gang gang, Window soonerWindow, Window laterWindow) {
        BigInteger saved =
                cost(gang, soonerWindow).exact().subtract(laterWindow.cost().exact());
        BigInteger delay = BigInteger.valueOf(gang.delay(laterWindow.end()))
                .subtract(
                        BigInteger.valueOf(gang.delay(soonerWindow.start() + part(soonerWindow.runtime(), use(gang)))));
        return laterWindow.start() > soonerWindow.start() && saved.compareTo(times(delay)) > 0;
    }

    private Cost cost(Gang gang, Window wholeWindow) {
        Cost cost = Cost.ZERO;
        for (Placement placement : wholeWindow.placements()) {
            cost = cost.plus(cost(gang, placement, part(placement.end() - placement.start(), use(gang))));
        }
        return cost;
    }

    /** Returns the cost of a gang's whole window, given the expected part of it. */
    Cost whole(Gang gang, Window expectedWindow) {
        long longest = expectedWindow.placements().stream()
                .mapToLong(placement -> duration(gang, placement))
                .max()
                .orElse(0);
        Cost cost = Cost.ZERO;
        for (Placement placement : expectedWindow.placements()) {
            cost = cost.plus(cost(gang, placement, gang.lockstep() ? longest : duration(gang, placement)));
        }
        return cost;
    }

    private long duration(Gang gang, Placement placement) {
        Node node = inventory.get(inventory.position(placement.node()));
        return gang.requestOf(placement.pod()).durationOn(node.performance());
    }

    private Cost cost(Gang gang, Placement placement, long seconds) {
        return tariffs.cost(
                gang.requestOf(placement.pod()).resources(),
                inventory.position(placement.node()),
                placement.start(),
                seconds);
    }
}
