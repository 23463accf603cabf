package io.slotwise.core.planner;

import io.slotwise.core.booking.Bookings;
import io.slotwise.core.cluster.RestoredCapacity;
import io.slotwise.core.combination.Account;
import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.gang.PodRule;
import io.slotwise.core.gang.TopologyLevel;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.online.DomainChoice;
import io.slotwise.core.online.ResourceDomains;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Backfill;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.chains.Chains;
import io.slotwise.core.planner.online.OnlinePlacement;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.queue.QueueTimeline;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.Field;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.WindowRequest;
import io.slotwise.core.window.search.WindowSearch;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.ToLongFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Finds the reason why a gang has no window in the capacity that the plan leaves. Reasons are checked from the coarsest
 * to the finest, and the first that applies is returned. At most six searches for each gang, plus two and one more per
 * rule for a gang with rules about other pods. The capacity without any windows is computed once for all gangs, in
 * O(placements x breakpoints of their nodes).
 */
final class Diagnosis {
    private static final Comparator<PlanningGang> BY_START = Comparator.comparingLong((PlanningGang other) ->
                    other.window() == null ? Long.MAX_VALUE : other.window().start())
            .thenComparing(other -> other.gang.id());

    private final Snapshot snapshot;
    private final Policy policy;
    private final long horizonEnd;
    private final Bookings bookings;
    private final List<PlanningGang> queue;
    private final Chains chains;

    /** The free capacity as if no gang of the queue had a window. Null until the first query. */
    private @Nullable RestoredCapacity promisedCapacity;

    /** Precondition: all windows of the queue are reserved in the bookings. */
    Diagnosis(Snapshot snapshot, Policy policy, Bookings bookings, List<PlanningGang> queue, Chains chains) {
        this.chains = chains;
        this.snapshot = snapshot;
        this.policy = policy;
        this.horizonEnd = snapshot.now() + policy.horizon();
        this.bookings = bookings;
        this.queue = queue;
    }

    Refusal why(PlanningGang gang) {
        Refusal before = chains.obstacle(gang);
        if (before != null) {
            return before;
        }
        if (gang.leftOut() != null) {
            return gang.leftOut();
        }
        return closedQueue(gang.gang)
                .or(() -> excluded(gang))
                .or(() -> tooLarge(gang))
                .or(() -> ruledOut(gang))
                .or(() -> tooDear(gang))
                .or(() -> tooLate(gang))
                .or(() -> tooFar(gang))
                .or(() -> fullQueue(gang))
                .or(() -> behind(gang))
                .or(() -> tooLargeTogether(gang))
                .orElseGet(() -> new Refusal.NoWindow(gang.gang.size(), policy.horizon()));
    }

    private Optional<Refusal> closedQueue(Gang gang) {
        QueueTimeline queues = bookings.timeline().queues();
        String queue = gang.queue();
        return queues == null || queue == null || queues.tree().isOpen(queue)
                ? Optional.empty()
                : Optional.of(new Refusal.QueueClosed(
                        queue, queues.tree().has(queue) ? "or a queue above it is suspended" : "does not exist"));
    }

    /**
     * Checks whether only the gang's queue and those above it prevent a window. Searches only if they close a second.
     */
    private Optional<Refusal> fullQueue(PlanningGang planningGang) {
        Gang gang = planningGang.gang;
        SlotTerms terms = planningGang.terms();
        QueueTimeline queues = bookings.timeline().queues();
        String queue = gang.queue();
        if (queue == null
                || queues == null
                || terms.earliest() >= terms.deadline()
                || queues.allows(queue, gang.total(), new Interval(terms.earliest(), terms.deadline()), null)) {
            return Optional.empty();
        }
        Gang freeGang = gang.asking(gang.demand().withQueue(null));
        return new WindowSearch(freeGang, planningGang.eligibility())
                .best(Criterion.START, terms, freeGang.budget().limit())
                .map(_ -> new Refusal.QueueFull(queue, policy.horizon()));
    }

    private Optional<Refusal> excluded(PlanningGang gang) {
        return gang.eligibility().stream()
                .filter(eligibility -> eligibility.offers().isEmpty())
                .findFirst()
                .map(eligibility -> new Refusal.NoEligibleNode(
                        snapshot.cluster().inventory().size(),
                        eligibility.excluded(),
                        eligibility.lacking(request(gang, eligibility))));
    }

    private static PodRequest request(PlanningGang gang, Eligibility eligibility) {
        return gang.gang.shapes().get(gang.eligibility().indexOf(eligibility)).request();
    }

    /** Checks whether even empty nodes cannot take pods of several shapes together, but each shape alone. */
    private Optional<Refusal> tooLargeTogether(PlanningGang planningGang) {
        Gang gang = planningGang.gang;
        if (gang.isUniform() || new EmptyNodes(snapshot, policy).take(gang)) {
            return Optional.empty();
        }
        return Optional.of(largest(planningGang, field -> Math.min(EmptyNodes.room(gang, field), gang.size() - 1L)));
    }

    private static Optional<Refusal> tooLarge(PlanningGang planningGang) {
        Gang gang = planningGang.gang;
        Refusal.TooLarge tooLarge = largest(planningGang, field -> room(gang, field));
        return tooLarge.room() < gang.size() ? Optional.of(tooLarge) : Optional.empty();
    }

    /** Returns the refusal with the most room of a domain. Names the first domain that has it. */
    private static Refusal.TooLarge largest(PlanningGang planningGang, ToLongFunction<List<List<Offer>>> roomOf) {
        Gang gang = planningGang.gang;
        TopologyLevel level = gang.topology().widest();
        long mostRoom = 0;
        String domain = null;
        for (List<List<Offer>> field : fields(planningGang).toList()) {
            long room = roomOf.applyAsLong(field);
            if (room > mostRoom) {
                mostRoom = room;
                domain = level == null
                        ? null
                        : field.stream()
                                .flatMap(List::stream)
                                .findFirst()
                                .map(offer -> level.domainName(offer.timeline().node()))
                                .orElse(null);
            }
        }
        return new Refusal.TooLarge(
                gang.size(),
                mostRoom,
                gang.topology().key(),
                domain,
                gang.isSliced() ? gang.topology().slicesText() : null);
    }

    /** Checks whether only rules about other pods or slices prevent a window, at any price and time. */
    private static Optional<Refusal> ruledOut(PlanningGang planningGang) {
        Gang gang = planningGang.gang;
        if ((!gang.hasRules() && !gang.isSliced()) || exists(planningGang, planningGang.terms())) {
            return Optional.empty();
        }
        String problem = planningGang.search().unsupported();
        if (problem != null) {
            return Optional.of(new Refusal.InvalidRequest("its %s, which Slotwise does not plan".formatted(problem)));
        }
        if (!gang.hasRules()) {
            return Optional.empty();
        }
        Gang freeGang = gang;
        for (PodRule rule : gang.rules()) {
            if (isThere(gang.without(rule), planningGang)) {
                return Optional.of(ruledOut(planningGang, rule));
            }
            freeGang = freeGang.without(rule);
        }
        return isThere(freeGang, planningGang)
                ? Optional.of(ruledOut(planningGang, gang.rules().getFirst()))
                : Optional.empty();
    }

    private static boolean isThere(Gang gang, PlanningGang planningGang) {
        return new WindowSearch(gang, planningGang.eligibility())
                .best(Criterion.START, planningGang.terms(), Cost.UNLIMITED)
                .isPresent();
    }

    private static Refusal ruledOut(PlanningGang gang, PodRule rule) {
        String label = rule.labels().getFirst();
        int pods = gang.gang.shapes().stream()
                .filter(shape -> shape.request().rules().contains(rule))
                .mapToInt(shape -> shape.pods().size())
                .sum();
        long domains = gang.eligibility().stream()
                .flatMap(eligibility -> eligibility.offers().stream())
                .flatMap(offer ->
                        Stream.ofNullable(offer.timeline().node().labels().get(label)))
                .distinct()
                .count();
        return new Refusal.PodRules(rule.words(), label, pods, Math.toIntExact(domains));
    }

    private static Stream<List<List<Offer>>> fields(PlanningGang gang) {
        return Field.of(gang.gang, gang.eligibility()).stream().map(Field::shapes);
    }

    private static long room(Gang gang, List<List<Offer>> field) {
        long room = 0;
        if (gang.isSliced() && gang.isUniform()) {
            return gang.topology()
                    .inSlices(field.getFirst().stream()
                            .collect(Collectors.toMap(
                                    offer -> offer.timeline().node(), offer -> empty(gang, offer), Long::sum)));
        }
        for (int shape = 0; shape < field.size(); shape++) {
            long here = field.get(shape).stream()
                    .mapToLong(offer -> empty(gang, offer))
                    .sum();
            room += gang.isUniform()
                    ? here
                    : Math.min(here, gang.shapes().get(shape).pods().size());
        }
        return room;
    }

    private static long empty(Gang gang, Offer offer) {
        return Math.min(gang.maxPerNode(), offer.timeline().node().allocatable().times(offer.request()));
    }

    private Optional<Refusal> tooDear(PlanningGang gang) {
        Budget budget = gang.gang.budget();
        boolean priced = budget.total() != null || bookings.balances().bind(gang.gang.id());
        boolean online = OnlinePlacement.isOnline(gang, policy.online());
        Optional<Window> foundWindow = online
                ? inOneDomain(gang)
                : gang.search().best(priced ? Criterion.COST : Criterion.START, gang.terms(), Cost.UNLIMITED);
        if (foundWindow.isEmpty()) {
            if (online && exists(gang, gang.terms())) {
                return Optional.of(new Refusal.NoDomain(policy.online().domainKey()));
            }
            return budget.slotPrice() != null && exists(gang, gang.terms().withoutSlotPrice())
                    ? Optional.of(new Refusal.OverSlotPrice(budget.slotPrice()))
                    : Optional.empty();
        }
        Window cheapestWindow = foundWindow.get();
        if (budget.total() != null && cheapestWindow.cost().compareTo(budget.limit()) > 0) {
            return Optional.of(new Refusal.OverBudget(
                    cheapestWindow.cost().roundedUp(),
                    cheapestWindow.start(),
                    budget.total(),
                    isAtOnce(cheapestWindow)));
        }
        return unpaid(cheapestWindow).or(() -> notGiven(gang));
    }

    private Optional<Window> inOneDomain(PlanningGang planningGang) {
        Gang gang = planningGang.gang;
        return new DomainChoice(
                        new ResourceDomains(bookings.timeline(), policy.online().domainKey()))
                .cheapest(
                        gang,
                        gang.placementRequest().inputBytes(),
                        planningGang.eligibility(),
                        planningGang.terms(),
                        snapshot.now());
    }

    private static boolean exists(PlanningGang gang, SlotTerms terms) {
        return gang.search().best(Criterion.START, terms, Cost.UNLIMITED).isPresent();
    }

    private boolean isAtOnce(Window window) {
        return window.start() <= snapshot.now();
    }

    private Optional<Refusal> unpaid(Window cheapestWindow) {
        return bookings.pay(cheapestWindow)
                ? Optional.empty()
                : bookings.balances()
                        .of(cheapestWindow)
                        .map(account -> unpaid(account, cheapestWindow.cost().roundedUp()));
    }

    private static Refusal unpaid(Account account, Money money) {
        Money left = account.left().roundedDown();
        String paying = account.queue();
        return paying == null
                ? new Refusal.NamespaceBudget(account.holder(), money, left, account.end())
                : new Refusal.QueueBudget(paying, money, left, account.end());
    }

    private Optional<Refusal> notGiven(PlanningGang gang) {
        if (OnlinePlacement.isOnline(gang, policy.online())) {
            return Optional.of(new Refusal.NoDomain(policy.online().domainKey()));
        }
        return policy.backfill() == Backfill.NONE ? Optional.of(new Refusal.NotBackfilled()) : Optional.empty();
    }

    /**
     * Checks whether only the deadline prevents a window. The reason names a window within the budget, or if there is
     * none, one above it.
     */
    private Optional<Refusal> tooLate(PlanningGang gang) {
        long deadline = gang.gang.deadline();
        if (deadline >= horizonEnd) {
            return Optional.empty();
        }
        SlotTerms terms = gang.terms().endingBy(horizonEnd);
        return gang.search()
                .best(Criterion.FINISH, terms, gang.gang.budget().limit())
                .or(() -> gang.search().best(Criterion.FINISH, terms, Cost.UNLIMITED))
                .map(window -> new Refusal.Deadline(deadline, window.start(), window.end(), isAtOnce(window)));
    }

    /** Checks whether the window would lie beyond the horizon even if the eligible nodes were empty. */
    private Optional<Refusal> tooFar(PlanningGang planningGang) {
        Gang gang = planningGang.gang;
        long shortest = fields(planningGang)
                .mapToLong(field -> shortest(gang, field))
                .min()
                .orElse(Interval.FOREVER);
        if (shortest > policy.horizon()) {
            return Optional.of(new Refusal.LongerThanHorizon(shortest, policy.horizon()));
        }
        // A gang in a chain is also delayed by its predecessors.
        long earliest = chains.has(planningGang) ? planningGang.terms().earliest() : gang.earliestStart();
        if (earliest >= horizonEnd) {
            return Optional.of(new Refusal.BeyondHorizon(earliest, policy.horizon()));
        }
        return earliest > horizonEnd - shortest
                ? Optional.of(new Refusal.EndsBeyondHorizon(earliest, shortest, policy.horizon()))
                : Optional.empty();
    }

    /** Returns the seconds of the longest pod if every shape takes its fastest empty node. */
    private static long shortest(Gang gang, List<List<Offer>> field) {
        long longest = 0;
        for (int shape = 0; shape < field.size(); shape++) {
            long left = gang.shapes().get(shape).pods().size();
            long duration = Interval.FOREVER;
            for (Offer offer : field.get(shape).stream()
                    .sorted(Comparator.comparingLong(Offer::duration))
                    .toList()) {
                left -= empty(gang, offer);
                if (left <= 0) {
                    duration = offer.duration();
                    break;
                }
            }
            longest = Math.max(longest, duration);
        }
        return longest;
    }

    /** Checks whether only the windows of other gangs prevent a window, and names those gangs. */
    private Optional<Refusal> behind(PlanningGang gang) {
        return gang.search()
                .best(new WindowRequest(Criterion.START, gang.terms(), Cost.UNLIMITED, null), promised())
                .flatMap(singleWindow -> {
                    List<PlanningGang> others = queue.stream()
                            .filter(other -> other.window() != null && inTheWay(other.window(), singleWindow))
                            .sorted(BY_START)
                            .toList();
                    return others.stream()
                            .findFirst()
                            .map(first -> new Refusal.BehindPromises(
                                    first.gang.id(),
                                    first.window() == null
                                            ? singleWindow.start()
                                            : first.window().start(),
                                    others.size() - 1));
                });
    }

    private boolean inTheWay(Window other, Window window) {
        return other.placements().stream()
                .anyMatch(placement ->
                        window.placements().stream().anyMatch(podPlacement -> meet(placement, podPlacement)));
    }

    /** Returns whether two placements overlap on a node, or are closer than the turnover. */
    private boolean meet(Placement placement, Placement other) {
        return placement.node().equals(other.node())
                && placement.start() < other.end() + policy.turnover()
                && other.start() < placement.end() + policy.turnover();
    }

    private RestoredCapacity promised() {
        if (promisedCapacity == null) {
            RestoredCapacity restored = new RestoredCapacity();
            for (PlanningGang other : queue) {
                if (other.window() != null) {
                    for (Placement placement : other.window().placements()) {
                        Resources resources =
                                other.gang.requestOf(placement.pod()).resources();
                        restored.vacate(
                                bookings.timeline(),
                                placement.node(),
                                resources,
                                new Interval(placement.start(), placement.end()));
                    }
                }
            }
            promisedCapacity = restored;
        }
        return promisedCapacity;
    }
}
