package io.slotwise.core.planner;

import io.slotwise.core.booking.Bookings;
import io.slotwise.core.cluster.RestoredCapacity;
import io.slotwise.core.gang.Budget;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.gang.PodRule;
import io.slotwise.core.money.Cost;
import io.slotwise.core.online.DomainChoice;
import io.slotwise.core.online.ResourceDomains;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Backfill;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.chains.Chains;
import io.slotwise.core.planner.online.OnlinePlacement;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.slot.Eligibility;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.search.WindowSearch;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Why a gang has no window, on the free capacity that the plan leaves: the first reason that holds, the coarsest first.
 * At most four searches for each gang, and once for all of them the room of all windows: O(seats x breakpoints of their
 * nodes).
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

    /** The room of all windows; null: no caller has asked yet. */
    private @Nullable RestoredCapacity promised;

    /** After the cycle, with the room of all gangs' windows taken. */
    Diagnosis(Snapshot snapshot, Policy policy, Bookings bookings, List<PlanningGang> queue, Chains chains) {
        this.chains = chains;
        this.snapshot = snapshot;
        this.policy = policy;
        this.horizonEnd = snapshot.now() + policy.horizon();
        this.bookings = bookings;
        this.queue = queue;
    }

    Refusal why(PlanningGang contender) {
        Refusal before = chains.obstacle(contender);
        if (before != null) {
            return before;
        }
        if (contender.leftOut() != null) {
            return contender.leftOut();
        }
        return excluded(contender)
                .or(() -> tooLarge(contender))
                .or(() -> ruledOut(contender))
                .or(() -> tooDear(contender))
                .or(() -> tooLate(contender))
                .or(() -> tooFar(contender))
                .or(() -> behind(contender))
                .or(() -> tooLargeTogether(contender))
                .orElseGet(() -> new Refusal.NoWindow(contender.gang.size(), policy.horizon()));
    }

    private Optional<Refusal> excluded(PlanningGang contender) {
        return contender.eligibility().stream()
                .filter(shape -> shape.offers().isEmpty())
                .findFirst()
                .map(shape -> new Refusal.NoEligibleNode(
                        snapshot.cluster().nodes().size(), shape.excluded(), shape.lacking(request(contender, shape))));
    }

    private static PodRequest request(PlanningGang contender, Eligibility shape) {
        return contender
                .gang
                .shapes()
                .get(contender.eligibility().indexOf(shape))
                .request();
    }

    /** Whether even empty nodes do not take all pods of several shapes at once, each of which they take alone. */
    private Optional<Refusal> tooLargeTogether(PlanningGang contender) {
        Gang gang = contender.gang;
        if (gang.isUniform() || new EmptyNodes(snapshot, policy).take(gang)) {
            return Optional.empty();
        }
        long room = fields(contender)
                .mapToLong(field -> EmptyNodes.room(gang, field))
                .max()
                .orElse(0);
        return Optional.of(new Refusal.TooLarge(gang.size(), Math.min(room, gang.size() - 1L), gang.topology()));
    }

    private static Optional<Refusal> tooLarge(PlanningGang contender) {
        Gang gang = contender.gang;
        long room =
                fields(contender).mapToLong(field -> room(gang, field)).max().orElse(0);
        return room < gang.size()
                ? Optional.of(new Refusal.TooLarge(gang.size(), room, gang.topology()))
                : Optional.empty();
    }

    /** Whether there is a window, at some price and time, once its pods do not ask for something of other pods. */
    private static Optional<Refusal> ruledOut(PlanningGang contender) {
        Gang gang = contender.gang;
        if (!gang.hasRules() || exists(contender, contender.terms())) {
            return Optional.empty();
        }
        String problem = contender.search().unsupported();
        if (problem != null) {
            return Optional.of(new Refusal.InvalidRequest("its %s, which Slotwise does not plan".formatted(problem)));
        }
        Gang free = gang;
        for (PodRule rule : gang.rules()) {
            if (isThere(gang.without(rule), contender)) {
                return Optional.of(ruledOut(contender, rule));
            }
            free = free.without(rule);
        }
        return isThere(free, contender)
                ? Optional.of(ruledOut(contender, gang.rules().getFirst()))
                : Optional.empty();
    }

    private static boolean isThere(Gang gang, PlanningGang contender) {
        return new WindowSearch(gang, contender.eligibility())
                .best(Criterion.START, contender.terms(), Cost.UNLIMITED)
                .isPresent();
    }

    private static Refusal ruledOut(PlanningGang contender, PodRule rule) {
        String label = rule.labels().getFirst();
        int pods = contender.gang.shapes().stream()
                .filter(shape -> shape.request().rules().contains(rule))
                .mapToInt(shape -> shape.pods().size())
                .sum();
        long domains = contender.eligibility().stream()
                .flatMap(shape -> shape.offers().stream())
                .flatMap(offer ->
                        Stream.ofNullable(offer.timeline().node().labels().get(label)))
                .distinct()
                .count();
        return new Refusal.PodRules(rule.words(), label, pods, Math.toIntExact(domains));
    }

    private static Stream<List<List<Offer>>> fields(PlanningGang contender) {
        return Eligibility.fields(contender.gang, contender.eligibility()).stream();
    }

    /** How many pods these nodes take when nothing runs there, at most those of each shape. */
    private static long room(Gang gang, List<List<Offer>> field) {
        long room = 0;
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

    /** Whether there is a window that must not be paid for, or that the policy does not give. */
    private Optional<Refusal> tooDear(PlanningGang contender) {
        Budget budget = contender.gang.budget();
        boolean priced = budget.total() != null
                || bookings.purses().bind(contender.gang.id().namespace());
        boolean online = OnlinePlacement.isOnline(contender, policy.online());
        Optional<Window> found = online
                ? inOneDomain(contender)
                : contender
                        .search()
                        .best(
                                priced ? Criterion.COST : Criterion.START,
                                contender.terms(),
                                Cost.UNLIMITED,
                                RestoredCapacity.NONE);
        if (found.isEmpty()) {
            if (online && exists(contender, contender.terms())) {
                return Optional.of(new Refusal.NoDomain(policy.online().domainKey()));
            }
            return budget.slotPrice() != null
                            && exists(contender, contender.terms().withoutSlotPrice())
                    ? Optional.of(new Refusal.OverSlotPrice(budget.slotPrice()))
                    : Optional.empty();
        }
        Window cheapest = found.get();
        if (budget.total() != null && cheapest.cost().compareTo(budget.limit()) > 0) {
            return Optional.of(new Refusal.OverBudget(
                    cheapest.cost().roundedUp(), cheapest.start(), budget.total(), isAtOnce(cheapest)));
        }
        return unpaid(cheapest).or(() -> notGiven(contender));
    }

    /** The cheapest window that an online mode may give. */
    private Optional<Window> inOneDomain(PlanningGang contender) {
        Gang gang = contender.gang;
        return new DomainChoice(
                        new ResourceDomains(bookings.timeline(), policy.online().domainKey()))
                .cheapest(
                        gang, gang.placing().inputBytes(), contender.eligibility(), contender.terms(), snapshot.now());
    }

    private static boolean exists(PlanningGang contender, SlotTerms terms) {
        return contender
                .search()
                .best(Criterion.START, terms, Cost.UNLIMITED, RestoredCapacity.NONE)
                .isPresent();
    }

    private boolean isAtOnce(Window window) {
        return window.start() <= snapshot.now();
    }

    private Optional<Refusal> unpaid(Window cheapest) {
        return bookings.pay(cheapest)
                ? Optional.empty()
                : bookings.purses()
                        .of(cheapest)
                        .map(account -> new Refusal.NamespaceBudget(
                                account.namespace(),
                                cheapest.cost().roundedUp(),
                                account.left().roundedDown(),
                                account.end()));
    }

    private Optional<Refusal> notGiven(PlanningGang contender) {
        if (OnlinePlacement.isOnline(contender, policy.online())) {
            return Optional.of(new Refusal.NoDomain(policy.online().domainKey()));
        }
        return policy.backfill() == Backfill.NONE ? Optional.of(new Refusal.NotBackfilled()) : Optional.empty();
    }

    /** Whether there is a window, within the budget if possible, that only the deadline forbids. */
    private Optional<Refusal> tooLate(PlanningGang contender) {
        long deadline = contender.gang.deadline();
        if (deadline >= horizonEnd) {
            return Optional.empty();
        }
        SlotTerms terms = contender.terms().endingBy(horizonEnd);
        return contender
                .search()
                .best(Criterion.FINISH, terms, contender.gang.budget().limit(), RestoredCapacity.NONE)
                .or(() -> contender.search().best(Criterion.FINISH, terms, Cost.UNLIMITED, RestoredCapacity.NONE))
                .map(window -> new Refusal.Deadline(deadline, window.start(), window.end(), isAtOnce(window)));
    }

    /** Whether its window would not lie within the horizon even if the eligible nodes were empty. */
    private Optional<Refusal> tooFar(PlanningGang contender) {
        Gang gang = contender.gang;
        long shortest = fields(contender)
                .mapToLong(field -> shortest(gang, field))
                .min()
                .orElse(Interval.FOREVER);
        if (shortest > policy.horizon()) {
            return Optional.of(new Refusal.LongerThanHorizon(shortest, policy.horizon()));
        }
        // Of a gang in a chain also what it is after.
        long earliest = chains.has(contender) ? contender.terms().earliest() : gang.earliestStart();
        if (earliest >= horizonEnd) {
            return Optional.of(new Refusal.BeyondHorizon(earliest, policy.horizon()));
        }
        return earliest > horizonEnd - shortest
                ? Optional.of(new Refusal.EndsBeyondHorizon(earliest, shortest, policy.horizon()))
                : Optional.empty();
    }

    /** The longest pod's seconds if every shape takes the fastest of these nodes when nothing runs there. */
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

    /** Whether there would be a window if the others had none, and who they are. */
    private Optional<Refusal> behind(PlanningGang contender) {
        return contender
                .search()
                .best(Criterion.START, contender.terms(), Cost.UNLIMITED, promised())
                .flatMap(alone -> {
                    List<PlanningGang> others = queue.stream()
                            .filter(other -> other.window() != null && inTheWay(other.window(), alone))
                            .sorted(BY_START)
                            .toList();
                    return others.stream()
                            .findFirst()
                            .map(first -> new Refusal.BehindPromises(
                                    first.gang.id(),
                                    first.window() == null
                                            ? alone.start()
                                            : first.window().start(),
                                    others.size() - 1));
                });
    }

    private boolean inTheWay(Window other, Window window) {
        return other.placements().stream()
                .anyMatch(seat -> window.placements().stream().anyMatch(place -> meet(seat, place)));
    }

    /** Whether two places have seconds of one node in common, or follow each other too closely. */
    private boolean meet(Placement one, Placement other) {
        return one.node().equals(other.node())
                && one.start() < other.end() + policy.turnover()
                && other.start() < one.end() + policy.turnover();
    }

    private RestoredCapacity promised() {
        if (promised == null) {
            RestoredCapacity all = new RestoredCapacity();
            for (PlanningGang other : queue) {
                if (other.window() != null) {
                    for (Placement seat : other.window().placements()) {
                        Resources amount = other.gang.requestOf(seat.pod()).resources();
                        all.vacate(bookings.timeline(), seat.node(), amount, new Interval(seat.start(), seat.end()));
                    }
                }
            }
            promised = all;
        }
        return promised;
    }
}
