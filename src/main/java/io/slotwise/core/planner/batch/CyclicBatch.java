package io.slotwise.core.planner.batch;

import io.slotwise.core.booking.Bookings;
import io.slotwise.core.combination.Limit.Measure;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Frontier;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Replan;
import io.slotwise.core.plan.Policy.Split;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.planner.batch.BatchCombination.Chosen;
import io.slotwise.core.planner.online.OnlinePlacement;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.window.AlternativeSearch;
import io.slotwise.core.window.SearchTurns;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.search.DisjointAlternatives;
import io.slotwise.core.window.search.DisjointAlternatives.Effort;
import io.slotwise.core.window.search.DisjointAlternatives.Found;
import io.slotwise.core.work.Workers;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Plans the gangs of the cyclic part: searches alternatives of every gang, then chooses one for each, sub-batch by
 * sub-batch.
 *
 * <p>The combined method plans only a part of the gangs cyclically and leaves the rest to backfilling: the first of the
 * queue, those that cost most, or those that need the most processor time. The part has {@code ceil(fraction n)} of n
 * gangs without a promise. A gang's cost is estimated as all its pods on the eligible node where one costs least at the
 * gang's first second, its processor time as its pods' runtimes on the reference node. Ties go to the first in the
 * queue. Gangs with a promise always take part.
 *
 * <p>Where gangs start after others, the part of each stage is planned separately; otherwise everything is one stage.
 * The part is cut, in queue order, into k sub-batches of nearly equal size, the first ones larger by one. Each is
 * searched and combined next to the windows of those before it and the promises of those after it. With k = n each gang
 * gets its best window in turn.
 *
 * <p>Source: the paper on the cyclic scheme, sections 1.1 (the cyclic scheme), 1.2 (sub-batches) and 1.3 (the combined
 * method).
 */
public final class CyclicBatch {
    private final Policy policy;
    private final Bookings bookings;
    private final List<PlanningGang> part;
    /** The gangs of the part that have had no turn yet. */
    private final Set<PlanningGang> left;

    private final BatchCombiner combiner;
    private final AnticipatedBatch anticipated;
    private final Workers workers;
    private final SortedMap<String, SortedSet<GangId>> unserved = new TreeMap<>();
    private final Set<GangId> unpaid = new HashSet<>();
    private boolean cut;

    /** Selects the part of the queue. Precondition: the room and money of promises are taken. */
    public CyclicBatch(Policy policy, long now, List<PlanningGang> queue, Bookings bookings, Workers workers) {
        this.workers = workers;
        this.policy = policy;
        this.bookings = bookings;
        this.part = part(
                policy.batch().split(),
                queue.stream()
                        .filter(gang -> gang.promised() || !OnlinePlacement.isOnline(gang, policy.online()))
                        .toList());
        this.left = new LinkedHashSet<>(part);
        this.combiner = new BatchCombiner(policy.batch(), bookings.balances(), part.size());
        this.anticipated = new AnticipatedBatch(policy, now, bookings, combiner);
    }

    private static List<PlanningGang> part(Split split, List<PlanningGang> queue) {
        List<PlanningGang> unpromised =
                queue.stream().filter(gang -> !gang.promised()).toList();
        int count = BigDecimal.valueOf(split.cyclicMillionths())
                .multiply(BigDecimal.valueOf(unpromised.size()))
                .divide(BigDecimal.valueOf(Split.ALL), 0, RoundingMode.CEILING)
                .intValueExact();
        Set<PlanningGang> chosen = new HashSet<>((switch (split.choice()) {
                    case ORDER -> unpromised.stream();
                    case COST ->
                        unpromised.stream()
                                .sorted(Comparator.comparing(PlanningGang::estimatedCost)
                                        .reversed());
                    case PROCESSOR_TIME ->
                        unpromised.stream()
                                .sorted(Comparator.comparingLong(PlanningGang::estimatedProcessorTime)
                                        .reversed());
                })
                .limit(count)
                .toList());
        return queue.stream()
                .filter(gang -> gang.promised() || chosen.contains(gang))
                .toList();
    }

    public BatchCombiner combiner() {
        return combiner;
    }

    /** Returns the gangs whose chosen windows an account could not pay for after all. */
    public Set<GangId> unpaid() {
        return unpaid;
    }

    public boolean cut() {
        return cut;
    }

    /** Returns the gangs that the policy's search could not serve and the exact search did, by the reason. */
    public SortedMap<String, SortedSet<GangId>> unserved() {
        return unserved;
    }

    /** Searches and combines every sub-batch of a stage, and takes the room and money of chosen windows. */
    public void plan(List<PlanningGang> stage, SearchTurns turns) {
        List<PlanningGang> gangs = stage.stream().filter(left::contains).toList();
        int batches = Math.clamp(policy.batch().split().subBatches(), 1, Math.max(1, gangs.size()));
        int from = 0;
        for (int batch = 0; batch < batches; batch++) {
            int size = gangs.size() / batches + (batch < gangs.size() % batches ? 1 : 0);
            List<PlanningGang> now = gangs.subList(from, from + size);
            from += size;
            now.forEach(left::remove);
            // The weight is needed only where something is limited.
            List<Window> later = combiner.limit().isLimited() ? promised(left) : List.of();
            if (AnticipatedBatch.isAsked(policy)) {
                anticipated.plan(now, later);
            } else {
                carryOut(combiner.combine(search(now, turns), later));
            }
        }
    }

    /** Returns the Pareto set of the part between money and another figure, in at most {@code points} points. */
    public ParetoBatch frontier(Frontier.Axes axes, int points, SearchTurns turns) {
        List<GangAlternatives> found = search(part, turns);
        return ParetoBatch.of(found, axes, bookings.balances(), policy.slack(), points);
    }

    public boolean seeks(PlanningGang gang) {
        if (OnlinePlacement.isOnline(gang, policy.online()) || AnticipatedBatch.isAsked(policy)) {
            return false;
        }
        return !gang.promised() || (policy.replan() == Replan.IMPROVE && gang.hasTurn() && !gang.released());
    }

    private boolean servesEach(List<PlanningGang> batch) {
        return switch (policy.batch().objective()) {
            case USER -> true;
            case MAX_VALUE -> batch.stream().allMatch(gang -> gang.gang.criterion() == Criterion.VALUE);
            case MAX_INCOME, MIN_COST, MIN_PROCESSOR_TIME, MAX_PROCESSOR_TIME -> false;
        };
    }

    /**
     * Searches alternatives of every gang that may get one. Where gangs are independent the objective {@code user}
     * takes every gang's best window, which is its first, so one round is enough. A gang with accounts searches
     * each of their periods for windows that they alone could pay, and divides its number of
     * alternatives among the periods.
     */
    private List<GangAlternatives> search(List<PlanningGang> batch, SearchTurns turns) {
        boolean firstIsEnough = servesEach(batch)
                && policy.batch().limit().measure() == Measure.NOTHING
                && batch.stream().noneMatch(gang -> bookings.balances().bind(gang.gang.id()));
        int most = firstIsEnough ? 1 : policy.batch().alternatives();
        List<AlternativeSearch> seekers = new ArrayList<>();
        List<PlanningGang> owners = new ArrayList<>();
        for (PlanningGang gang : batch) {
            if (seeks(gang)) {
                String why = gang.selecting().unserved();
                if (why != null) {
                    unserved.computeIfAbsent(why, _ -> new TreeSet<>()).add(gang.gang.id());
                }
                for (AlternativeSearch search : gang.seekers(bookings.balances())) {
                    seekers.add(search);
                    owners.add(gang);
                }
            }
        }
        Found result = DisjointAlternatives.find(
                seekers, bookings.timeline(), new Effort(most, policy.batch().searchLimit(), turns), workers);
        cut |= result.cut();
        List<GangAlternatives> found = new ArrayList<>();
        int from = 0;
        for (PlanningGang gang : batch) {
            int to = from;
            while (to < owners.size() && owners.get(to) == gang) {
                to++;
            }
            found.add(
                    seeks(gang)
                            ? new GangAlternatives(
                                    gang, gang.alternatives(result.windows().subList(from, to), most))
                            : GangAlternatives.promised(gang));
            from = to;
        }
        return found;
    }

    private static List<Window> promised(Collection<PlanningGang> later) {
        return later.stream()
                .filter(PlanningGang::promised)
                .map(PlanningGang::promisedWindow)
                .toList();
    }

    /** Books the chosen windows. A window that stays in place keeps its room. */
    private void carryOut(BatchCombination combination) {
        combination.leftOut().forEach(leftOut -> leftOut.gang().leaveOut(leftOut.refusal()));
        List<Chosen> moving =
                combination.chosen().stream().filter(chosen -> !chosen.stays()).toList();
        boolean shared = moving.stream().anyMatch(chosen -> isPaidTogether(chosen.gang()));
        for (Chosen chosen : moving) {
            PlanningGang gang = chosen.gang();
            if (gang.promised() && !shared) {
                bookings.giveUp(gang.gang, gang.promisedWindow());
            }
        }
        combination.chosen().stream()
                .filter(Chosen::stays)
                .forEach(chosen -> chosen.gang().accept(chosen.window(), WindowOrigin.CYCLIC));
        moving.stream()
                .sorted(Comparator.comparing(chosen -> !chosen.gang().promised()))
                .forEach(chosen -> {
                    if (shared) {
                        takeIfPaid(chosen);
                    } else {
                        chosen.gang().take(bookings, chosen.window(), WindowOrigin.CYCLIC);
                    }
                });
    }

    /**
     * Takes a chosen window if all accounts can pay for it. The combination keeps only one account of each gang within
     * its balance, and gangs of several accounts use those of others too. Otherwise the gang keeps its promise, or is
     * planned after the batch.
     */
    private void takeIfPaid(Chosen chosen) {
        PlanningGang gang = chosen.gang();
        if (gang.promised()) {
            bookings.giveUp(gang.gang, gang.promisedWindow());
        }
        if (bookings.pay(chosen.window())) {
            gang.take(bookings, chosen.window(), WindowOrigin.CYCLIC);
            return;
        }
        unpaid.add(gang.gang.id());
        if (gang.promised()) {
            gang.take(bookings, gang.promisedWindow(), WindowOrigin.CYCLIC);
        }
    }

    private boolean isPaidTogether(PlanningGang gang) {
        return bookings.balances().bindTogether(gang.gang.id());
    }
}
