package io.slotwise.core.planner.queue;

import io.slotwise.core.booking.Bookings;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.ledger.UseUnit;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Policy.FairBy;
import io.slotwise.core.plan.Policy.Queue;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.queue.QueueTimeline;
import io.slotwise.core.window.Window;
import java.math.BigInteger;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The order in which gangs are served.
 *
 * <p>First the policy's order gives each gang a rank from 0 on. {@code fifo} sorts by arrival, {@code priority} by
 * priority and then arrival, {@code lgfs} (largest gang first served) by the number of pods, the largest first, and
 * then arrival. Names break the last ties.
 *
 * <p>{@code afcfs} (adapted first come first served) starts, in order of arrival, the gangs that fit into what is free.
 * A large gang at the head lets smaller ones behind it pass. In a plan of a whole horizon, the gangs that can start in
 * the first second of the cycle come first, by arrival, each next to the promises and the gangs taken before. The
 * others wait anyway and follow by arrival. One search for each gang.
 *
 * <p>{@code fair} serves the namespace that has used least. Its use is the cost of its ended and running gangs,
 * weighted by age ({@link io.slotwise.core.ledger.HalfLife}), and the cost of its gangs that are ranked already. Where
 * no node has a price, processor time replaces money. Within a namespace the order is priority, then arrival. One
 * search for each gang that is not the last of its namespace.
 *
 * <p>{@code value} serves the gang first whose hour is worth most for each second of processor time that it needs on
 * the reference node, then by arrival. With one processor and no promises, that order has the least sum of the values
 * of all delays: W. E. Smith, "Various Optimizers for Single-Stage Production", Naval Research Logistics Quarterly 3,
 * 1956.
 *
 * <p>With queues, {@link EntitlementOrder} then decides between them, and this order within each.
 *
 * <p>Then aging: a gang has gained {@code floor(waited / aging)} places, and the queue is sorted by rank minus places
 * gained. Ties go to the gang that gained more, then to the lower rank. So a gang of rank r is first after r times the
 * aging at the latest, whichever gangs arrive later. {@link StarvationGuard} bounds how many gangs pass it before. O(g
 * log g) for g gangs.
 *
 * <p>In every order a gang goes before the pods beyond its size.
 *
 * <p>Source of the two group orders: H. Karatza, "Performance of Gang Scheduling Strategies in a Parallel System",
 * Simulation Modelling Practice and Theory 17(2), 2009. There the queues belong to processors, and LGFS too lets
 * fitting gangs pass; here backfilling does that.
 *
 * @param used what namespaces and queues have used, weighted by age, by holder of accounts
 */
public record QueueOrder(Queue queue, long now, Map<String, Cost> used, UseUnit unit) {
    public static final Comparator<PlanningGang> ARRIVAL =
            Comparator.comparingLong((PlanningGang gang) -> gang.gang.arrival()).thenComparing(gang -> gang.gang.id());

    private static final Comparator<PlanningGang> PRIORITY =
            Comparator.comparingInt((PlanningGang gang) -> gang.gang.priority()).reversed();

    /** Returns the gangs in queue order. Leaves the timeline, which has their promises, unchanged. */
    public List<PlanningGang> of(List<PlanningGang> gangs, Bookings bookings) {
        List<PlanningGang> ranked = ranked(gangs, bookings);
        QueueTimeline queues = bookings.timeline().queues();
        if (queues != null) {
            ranked = new EntitlementOrder(queues, now, queue.fairBy() == FairBy.MONEY ? this : null).of(ranked);
        }
        record Place(PlanningGang gang, int rank, long gained) {
            long aged() {
                return rank - gained;
            }
        }
        List<Place> places = new ArrayList<>();
        for (int rank = 0; rank < ranked.size(); rank++) {
            long waited = Math.max(0, now - ranked.get(rank).gang.arrival());
            places.add(new Place(ranked.get(rank), rank, waited / queue.aging()));
        }
        return behind(places.stream()
                .sorted(Comparator.comparingLong(Place::aged)
                        .thenComparing(Comparator.comparingLong(Place::gained).reversed())
                        .thenComparingInt(Place::rank))
                .map(Place::gang)
                .toList());
    }

    /** Returns the order with the pods beyond a gang's size directly behind their gang. O(g). */
    public static List<PlanningGang> behind(List<PlanningGang> order) {
        if (order.stream().allMatch(gang -> gang.behind() == null)) {
            return order;
        }
        Set<GangId> earlierGangs =
                order.stream().map(gang -> gang.gang.id()).collect(Collectors.toCollection(HashSet::new));
        Map<GangId, List<PlanningGang>> surplus = new HashMap<>();
        List<PlanningGang> changed = new ArrayList<>(order.size());
        for (PlanningGang gang : order) {
            GangId first = gang.behind();
            if (first != null && earlierGangs.contains(first)) {
                surplus.computeIfAbsent(first, _ -> new ArrayList<>()).add(gang);
            } else {
                changed.add(gang);
                earlierGangs.remove(gang.gang.id());
                changed.addAll(surplus.getOrDefault(gang.gang.id(), List.of()));
            }
        }
        return changed;
    }

    /**
     * Returns the place of each gang among those of its queue, from 1, without gangs whose queue does not exist. O(g).
     *
     * @param first the gangs that are served first
     * @param others all gangs as they are served; a repeated gang counts once
     * @param queues null if there are none
     */
    public static Map<GangId, Integer> positions(
            List<PlanningGang> first, List<PlanningGang> others, @Nullable QueueTimeline queues) {
        if (queues == null) {
            return Map.of();
        }
        Map<String, Integer> last = new HashMap<>();
        Map<GangId, Integer> positions = new HashMap<>();
        Stream.concat(first.stream(), others.stream()).forEach(planningGang -> {
            Gang gang = planningGang.gang;
            String name = gang.queue();
            if (name != null && queues.tree().has(name) && !positions.containsKey(gang.id())) {
                positions.put(gang.id(), last.merge(name, 1, Integer::sum));
            }
        });
        return positions;
    }

    private List<PlanningGang> ranked(List<PlanningGang> gangs, Bookings bookings) {
        List<PlanningGang> arrived = gangs.stream().sorted(ARRIVAL).toList();
        return switch (queue.order()) {
            case FIFO -> arrived;
            case PRIORITY -> arrived.stream().sorted(PRIORITY).toList();
            case LGFS ->
                arrived.stream()
                        .sorted(Comparator.comparingInt((PlanningGang gang) -> gang.gang.size())
                                .reversed())
                        .toList();
            case AFCFS -> fittingFirst(arrived, bookings);
            case FAIR -> fair(arrived.stream().sorted(PRIORITY).toList());
            case VALUE -> arrived.stream().sorted(this::byWorth).toList();
        };
    }

    /** A namespace, what it has used, and its gangs that are not ranked yet. */
    private record Share(String namespace, Cost usedCost, ArrayDeque<PlanningGang> gangs) {}

    private List<PlanningGang> fair(List<PlanningGang> sorted) {
        Map<String, Share> shares = new HashMap<>();
        for (PlanningGang gang : sorted) {
            shares.computeIfAbsent(
                            gang.gang.id().namespace(),
                            name -> new Share(name, used.getOrDefault(name, Cost.ZERO), new ArrayDeque<>()))
                    .gangs
                    .add(gang);
        }
        PriorityQueue<Share> next =
                new PriorityQueue<>(Comparator.comparing(Share::usedCost).thenComparing(Share::namespace));
        next.addAll(shares.values());
        List<PlanningGang> ranked = new ArrayList<>();
        while (!next.isEmpty()) {
            Share leastShare = next.remove();
            PlanningGang first = leastShare.gangs.remove();
            ranked.add(first);
            if (!leastShare.gangs.isEmpty()) {
                next.add(new Share(leastShare.namespace, leastShare.usedCost.plus(use(first)), leastShare.gangs));
            }
        }
        return ranked;
    }

    /** Returns the cost of a gang's promise, or of its cheapest window; zero if there is none. */
    Cost use(PlanningGang gang) {
        return gang.promise() != null
                ? unit.of(gang.promise().window())
                : gang.search()
                        .best(Criterion.COST, gang.terms(), gang.gang.budget().limit())
                        .map(unit::of)
                        .orElse(Cost.ZERO);
    }

    /** Sorts the gang first whose hour is worth most for its processor time; exact, by products. */
    private int byWorth(PlanningGang gang, PlanningGang other) {
        return product(other.gang, gang).compareTo(product(gang.gang, other));
    }

    private BigInteger product(Gang gang, PlanningGang other) {
        return BigInteger.valueOf(gang.valueOfTime().at(now).micros())
                .multiply(BigInteger.valueOf(other.estimatedProcessorTime()));
    }

    private List<PlanningGang> fittingFirst(List<PlanningGang> arrived, Bookings bookings) {
        List<PlanningGang> ranked = new ArrayList<>();
        int mark = bookings.mark();
        for (PlanningGang gang : arrived) {
            Optional<Window> window = atOnce(gang);
            if (window.isPresent() || startsAtOnce(gang)) {
                ranked.add(gang);
            }
            window.ifPresent(promisedWindow -> bookings.takeRoom(gang.gang, promisedWindow));
        }
        bookings.rollbackTo(mark);
        Set<PlanningGang> first = new HashSet<>(ranked);
        arrived.stream().filter(gang -> !first.contains(gang)).forEach(ranked::add);
        return ranked;
    }

    private Optional<Window> atOnce(PlanningGang gang) {
        return gang.promised()
                ? Optional.empty()
                : gang.search()
                        .best(
                                Criterion.START,
                                gang.terms().within(now, gang.terms().deadline()),
                                gang.gang.budget().limit());
    }

    private boolean startsAtOnce(PlanningGang gang) {
        Promise promise = gang.promise();
        return promise != null && promise.window().start() <= now;
    }
}
