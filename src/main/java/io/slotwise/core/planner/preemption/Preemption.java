package io.slotwise.core.planner.preemption;

import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.Predecessors;
import io.slotwise.core.migration.CycleResources;
import io.slotwise.core.migration.Disruptions;
import io.slotwise.core.migration.Move;
import io.slotwise.core.migration.MoveBeneficiary;
import io.slotwise.core.migration.Running;
import io.slotwise.core.plan.BrokenPromise;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.PlannerResources;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.planner.batch.BatchLimit;
import io.slotwise.core.planner.chains.Chains;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Displaces gangs of lower priority, and gangs that borrow. A waiting gang W displaces gangs that {@link
 * DisplacementRules} name, each as a whole, if W then starts sooner. The highest priority has the first turn, and among
 * equals the first in the queue. W searches on each level on which it may reclaim, and takes the earliest start.
 *
 * <p>W's new window is never worse by its criterion than its present one. The first try is to start at once: as soon as
 * W may, or as the displaced gangs have left. For that, gangs with a window and running gangs may be displaced. The
 * second try is the earliest start that W could have if all windows of lower priorities were free. For that no running
 * gang is stopped, since its room would be empty until then. In both tries {@link MinimumLossSet} finds the set of
 * {@link DisplacementLoss least loss}. A gang that the resulting window does not need stays. If a gang of the set would
 * displace gangs of still lower priority in turn, these make way directly if that loses less in all.
 *
 * <p>Gangs whose pods are on their way are not displaced. Running gangs are not displaced if they have not run for the
 * policy's least time, were stopped as often as its limit per hour allows, or have passed their planned end. Neither
 * are running gangs with more pods under a disruption budget than may be evicted.
 *
 * <p>Displaced gangs are planned again at once, in order of priority and arrival, each by its own criterion. A stopped
 * gang has what it paid subtracted from its budget, and starts when its pods can be there again: with its remaining
 * work if it keeps its work, from the beginning otherwise. From then on it takes part in the cycle like any waiting
 * gang and may displace others: {@value #MOST_PREEMPTORS} gangs do. A gang that did searches no more in the cycle.
 *
 * <p>With w waiting gangs and v that may be displaced, O(w v) plus the searches of {@link MinimumLossSet} for at most
 * {@value #MOST_PREEMPTORS} gangs. Each test for room and each displaced gang takes one window search.
 *
 * <p>Source: the interruption of whole gangs by high-priority tasks is from F. A. P. Pinto, C. B. Chaves, L. G. Leite,
 * F. H. L. Vasconcelos, G. C. Barroso, "Analysis of Scheduling Algorithms with Migration Strategies in Distributed
 * Systems" (2014), section V. There a task stops the tasks that hold its processors. Here the least loss decides, and
 * windows move before work is lost.
 */
public final class Preemption {
    private static final int MOST_PREEMPTORS = 32;

    private final Policy policy;
    private final PlannerResources resources;
    private final Chains chains;
    private final CycleResources cycleResources;
    private final MoveBeneficiaries beneficiaries;
    private final DisplacementRules rules;
    private final List<PlanningGang> queue;
    private final List<Running> running;
    private final Disruptions disruptions = new Disruptions();
    private final List<Interrupted> interrupted = new ArrayList<>();
    private final List<BrokenPromise> broken = new ArrayList<>();
    private final Set<GangId> displaced = new HashSet<>();

    private int tried;
    private boolean bounded;

    /** The inputs of preemption. No gang displaces one of its predecessors in the chains. */
    public record Scope(
            Policy policy,
            PlannerResources resources,
            CycleResources cycleResources,
            BatchLimit limit,
            Chains chains) {}

    /**
     * Precondition: the room and money of all gangs are taken.
     *
     * @param queue all gangs that have not started, in queue order, with the windows that they have
     * @param running the running gangs that may be stopped
     */
    public Preemption(Scope scope, List<PlanningGang> queue, List<Running> running) {
        this.chains = scope.chains;
        this.policy = scope.policy;
        this.resources = scope.resources;
        this.cycleResources = scope.cycleResources;
        this.rules = new DisplacementRules(
                policy,
                cycleResources,
                Stream.concat(
                                queue.stream().map(other -> other.gang),
                                running.stream().map(Running::gang))
                        .toList());
        this.queue = new ArrayList<>(queue);
        this.running = new ArrayList<>(running);
        this.beneficiaries = new MoveBeneficiaries(policy, this.queue, scope.limit);
    }

    public void displace() {
        if (rules.areOff()) {
            return;
        }
        NavigableMap<Integer, List<PlanningGang>> turns = new TreeMap<>(Collections.reverseOrder());
        queue.forEach(gang -> turn(turns, gang));
        while (!turns.isEmpty() && tried < MOST_PREEMPTORS) {
            for (PlanningGang gang : turns.pollFirstEntry().getValue()) {
                displaceFor(gang).forEach(stoppedGang -> turn(turns, stoppedGang));
            }
        }
    }

    private static void turn(NavigableMap<Integer, List<PlanningGang>> turns, PlanningGang gang) {
        turns.computeIfAbsent(gang.gang.priority(), _ -> new ArrayList<>()).add(gang);
    }

    private List<PlanningGang> displaceFor(PlanningGang gang) {
        Optional<MoveBeneficiary> beneficiary = beneficiaries.waiting(gang);
        if (beneficiary.isEmpty() || tried >= MOST_PREEMPTORS) {
            return List.of();
        }
        List<Victim> lower = lower(gang);
        if (lower.isEmpty()) {
            return List.of();
        }
        tried++;
        return soonestOfLevels(gang, beneficiary.get(), lower)
                .map(found -> found.turn.carryOut(found.turn.direct(found.choice, found.turn.lower)))
                .orElse(List.of());
    }

    private record Found(Turn turn, Choice choice) {}

    /** Returns the choice that starts first, of all levels on which a gang may reclaim; then that of least loss. */
    private Optional<Found> soonestOfLevels(PlanningGang gang, MoveBeneficiary beneficiary, List<Victim> lower) {
        return lower.stream()
                .map(victim -> rules.level(gang.gang, victim.gang()))
                .distinct()
                .sorted()
                .map(level -> new Turn(
                        gang,
                        rules.within(beneficiary, level),
                        lower.stream()
                                .filter(victim -> rules.level(gang.gang, victim.gang()) <= level)
                                .toList()))
                .filter(turn -> turn.beneficiary.waits())
                .flatMap(turn -> turn.choice(turn.lower).map(choice -> new Found(turn, choice)).stream())
                .min(Comparator.comparingLong(
                                (Found found) -> found.choice.window().start())
                        .thenComparing(found -> found.choice.loss()));
    }

    /** Returns the gangs that may be displaced, the least loss first. */
    private List<Victim> lower(PlanningGang gang) {
        boolean outranks = rules.outranks(gang.gang);
        Set<String> reach = outranks ? Set.of() : rules.reach(gang.gang);
        if (!outranks && reach.isEmpty()) {
            return List.of();
        }
        Predicate<Gang> isInReach = outranks ? _ -> true : other -> reach.contains(other.queue());
        Stream<Victim> placed = queue.stream()
                .filter(other -> isInReach.test(other.gang))
                .filter(other -> other.window() != null && rules.mayDisplace(gang, other))
                .filter(other -> !other.released() && !chains.isBefore(other.gang.id(), gang))
                .map(other -> new Victim.Placed(other, cycleResources));
        Stream<Victim> stopped = running.stream()
                .filter(running -> isInReach.test(running.gang())
                        && rules.mayStop(gang.gang, running.gang())
                        && !chains.isBefore(running.gang().id(), gang)
                        && running.mayStop(policy.migration(), cycleResources.now(), cycleResources.timeline())
                        && disruptions.allow(List.of(running)))
                .map(running -> new Victim.Stopped(
                        running, cycleResources, policy.migration().overhead()));
        return Stream.concat(placed, stopped)
                .filter(victim -> rules.mayBorrow(gang.gang, victim, victim.interval()))
                .sorted(Comparator.comparing(Victim::loss)
                        .thenComparing(victim -> victim.gang().id()))
                .toList();
    }

    private final class Turn {
        private final PlanningGang gang;
        private final MoveBeneficiary beneficiary;
        private final List<Victim> lower;

        Turn(PlanningGang gang, MoveBeneficiary beneficiary, List<Victim> lower) {
            this.gang = gang;
            this.beneficiary = beneficiary;
            this.lower = lower;
        }

        /** Returns a choice to start at once, or else as soon as possible. */
        Optional<Choice> choice(List<Victim> lower) {
            return atOnce(lower).or(() -> soonest(lower));
        }

        /**
         * Returns the choice, or one of gangs of lower priorities that starts the gang no later, if that loses less,
         * including all that the displaced gangs would displace in turn. So two gangs do not lose work where one is
         * enough.
         */
        Choice direct(Choice choice, List<Victim> lower) {
            List<Victim> below = lower.stream()
                    .filter(victim -> victim.gang().priority() < choice.highest())
                    .toList();
            boolean before = bounded;
            Optional<Choice> other = below.isEmpty()
                    ? Optional.empty()
                    : choice(below)
                            .filter(foundChoice -> foundChoice.window().start()
                                    <= choice.window().start())
                            .map(foundChoice -> direct(foundChoice, below));
            Choice leastChoice = other.filter(
                            foundChoice -> withOthers(foundChoice).compareTo(withOthers(choice)) < 0)
                    .orElse(choice);
            bounded = before;
            return leastChoice;
        }

        /** Returns the loss of a choice, including what its displaced gangs would displace at once in turn. */
        private DisplacementLoss withOthers(Choice choice) {
            return choice.loss().plus(without(choice.victims(), () -> {
                cycleResources.bookings().take(beneficiary.gang(), choice.window());
                return inTurn(choice);
            }));
        }

        private DisplacementLoss inTurn(Choice choice) {
            Set<GangId> gone =
                    choice.victims().stream().map(victim -> victim.gang().id()).collect(Collectors.toSet());
            List<PlanningGang> again = choice.victims().stream()
                    .map(Preemption.this::again)
                    .sorted(DisplacementRules.ORDER)
                    .toList();
            DisplacementLoss loss = DisplacementLoss.NONE;
            for (PlanningGang displacedGang : again) {
                displacedGang
                        .best(cycleResources.bookings(), window -> beneficiaries.allows(displacedGang, window))
                        .ifPresent(window ->
                                displacedGang.take(cycleResources.bookings(), window, WindowOrigin.PREEMPTION));
                loss = loss.plus(beneficiaries
                        .of(displacedGang)
                        .flatMap(next -> soonestOfLevels(
                                displacedGang,
                                next,
                                lower(displacedGang).stream()
                                        .filter(victim ->
                                                !gone.contains(victim.gang().id()))
                                        .toList()))
                        .map(found -> found.choice.loss())
                        .orElse(DisplacementLoss.NONE));
            }
            return loss;
        }

        Optional<Choice> atOnce(List<Victim> lower) {
            long last = lower.stream().mapToLong(Victim::gone).max().orElse(cycleResources.now());
            last = Math.max(beneficiary.terms().earliest(), last);
            return beneficiary.terms().opensBy(last) ? choose(lower, last, Long.MIN_VALUE) : Optional.empty();
        }

        /** Returns the earliest start that the gang could have if all windows of lower priorities were free. */
        Optional<Choice> soonest(List<Victim> lower) {
            List<Victim> placed =
                    lower.stream().filter(Victim.Placed.class::isInstance).toList();
            Optional<Window> first = placed.isEmpty() ? Optional.empty() : without(placed, this::first);
            return first.flatMap(window -> choose(placed, window.start(), window.start()));
        }

        private Optional<Window> first() {
            Window before = beneficiary.window();
            SlotTerms terms = beneficiary.terms();
            return beneficiary
                    .search()
                    .get()
                    .best(
                            Criterion.START,
                            before == null ? terms : terms.within(before.start() - 1, terms.deadline()),
                            beneficiary.gang().budget().limit());
        }

        /**
         * Returns the set of least loss that gives a window by {@code latest}, or as soon as the whole set has left.
         *
         * @param last the last second in which the window may start
         */
        private Optional<Choice> choose(List<Victim> displaceable, long last, long latest) {
            Interval interval = rules.range(gang, last);
            List<Victim> lower = displaceable.stream()
                    .filter(victim -> rules.isInTheWay(gang, victim, interval, last))
                    .toList();
            MinimumLossSet lossSet = new MinimumLossSet(
                    lower.stream().map(Victim::loss).toList(),
                    set -> disruptions.allow(running(among(lower, set)))
                            && rules.stillBorrow(gang.gang, among(lower, set), interval),
                    set -> window(among(lower, set), latest).isPresent());
            Optional<List<Victim>> least = lossSet.find().map(set -> among(lower, set));
            bounded |= least.isPresent() && lossSet.bounded();
            return least.flatMap(victims ->
                    window(victims, latest).map(window -> new Choice(needed(victims, window), window)));
        }

        private Optional<Window> window(List<Victim> victims, long latest) {
            long gone = victims.stream().mapToLong(Victim::gone).max().orElse(cycleResources.now());
            long last = Math.max(latest, Math.max(beneficiary.terms().earliest(), gone));
            return without(victims, () -> beneficiary.sooner(last).filter(cycleResources.bookings()::pay));
        }

        /** Returns the victims whose room the window needs. Those with the largest loss are spared first. */
        private List<Victim> needed(List<Victim> victims, Window window) {
            List<Victim> needed = new ArrayList<>(victims);
            for (Victim victim : victims.reversed()) {
                List<Victim> others = new ArrayList<>(needed);
                others.remove(victim);
                if (without(others, () -> cycleResources.bookings().holds(beneficiary.gang(), window))) {
                    needed = others;
                }
            }
            return needed;
        }

        /**
         * Returns the result of {@code look} with the victims' room, and the room of the gang's present window, free.
         */
        private <T> T without(List<Victim> victims, Supplier<T> look) {
            return cycleResources.bookings().trying(() -> {
                victims.forEach(Victim::leave);
                cycleResources.bookings().giveUp(beneficiary.gang(), beneficiary.window());
                return look.get();
            });
        }

        /** Gives the gang its window, plans displaced gangs again, and returns the remainders of stopped ones. */
        List<PlanningGang> carryOut(Choice choice) {
            long gained = beneficiary.gain(choice.window(), cycleResources.horizonEnd());
            choice.victims().forEach(Victim::leave);
            cycleResources.bookings().giveUp(beneficiary.gang(), beneficiary.window());
            gang.take(cycleResources.bookings(), choice.window(), WindowOrigin.PREEMPTION);
            gang.passesTurn();
            List<PlanningGang> stopped = new ArrayList<>();
            List<PlanningGang> again = new ArrayList<>();
            for (Victim victim : choice.victims()) {
                switch (victim) {
                    case Victim.Placed(PlanningGang placedGang, CycleResources _) ->
                        again.add(withdrawWindow(placedGang, gang));
                    case Victim.Stopped stoppedRunner -> stopped.add(stop(stoppedRunner, gang, gained));
                }
            }
            again.addAll(stopped);
            again.stream().sorted(DisplacementRules.ORDER).forEach(displacedGang -> placeAgain(displacedGang, gang));
            return stopped;
        }
    }

    private static List<Victim> among(List<Victim> victims, BitSet set) {
        return set.stream().mapToObj(victims::get).toList();
    }

    private static List<Running> running(List<Victim> victims) {
        return victims.stream()
                .flatMap(victim ->
                        victim instanceof Victim.Stopped stopped ? Stream.of(stopped.running()) : Stream.empty())
                .toList();
    }

    /**
     * Takes the window of a gang that has not started, and gives up its room. A promise that the gang had left for this
     * window stays.
     */
    private PlanningGang withdrawWindow(PlanningGang gang, PlanningGang displacingGang) {
        displaced.add(gang.gang.id());
        Window lostWindow = gang.withdraw();
        if (lostWindow.equals(gang.published())) {
            breakPromise(gang, lostWindow, displacingGang);
        }
        return gang;
    }

    /** Breaks a promise. A promise given in this cycle was never published, so breaking it is not reported. */
    private void breakPromise(PlanningGang gang, Window promised, PlanningGang displacingGang) {
        if (gang.published() != null) {
            GangId byId = displacingGang.gang.id();
            boolean reclaims = rules.isAcross(displacingGang.gang, gang.gang);
            broken.add(new BrokenPromise(
                    gang.gang.id(),
                    promised,
                    reclaims ? Cause.RECLAIMED : Cause.DISPLACED,
                    reclaims
                            ? new BrokenPromise.Reclaimed(byId, Objects.requireNonNull(displacingGang.gang.queue()))
                            : new BrokenPromise.Displaced(byId, displacingGang.gang.priority(), gang.gang.priority())));
        }
        gang.breakPromise();
    }

    /** Stops a running gang and gives up its room. The rest of it waits from now on. */
    private PlanningGang stop(Victim.Stopped stopped, PlanningGang displacingGang, long gained) {
        Running runningGang = stopped.running();
        PlanningGang gang = rest(runningGang);
        running.remove(runningGang);
        displaced.add(gang.gang.id());
        disruptions.take(runningGang);
        queue.add(gang);
        boolean reclaimed = rules.isAcross(displacingGang.gang, gang.gang);
        interrupted.add(new Interrupted(stopped, gang, displacingGang.gang.id(), reclaimed, gained));
        return gang;
    }

    private PlanningGang rest(Running running) {
        // The rest has no predecessors: they have ended.
        Gang remainingGang = running.rest(
                        cycleResources.timeline(), policy.migration().overhead())
                .after(Predecessors.NONE);
        return waiting(
                remainingGang,
                SlotTerms.of(remainingGang, cycleResources.now(), cycleResources.horizonEnd())
                        .from(cycleResources.now() + running.timing().back()));
    }

    private PlanningGang waiting(Gang gang, SlotTerms terms) {
        return new PlanningGang(
                gang,
                () -> cycleResources.eligibility(gang),
                terms,
                policy.batch().searching(),
                resources);
    }

    private PlanningGang again(Victim victim) {
        return switch (victim) {
            case Victim.Stopped stopped -> rest(stopped.running());
            case Victim.Placed(PlanningGang placedGang, CycleResources _) ->
                waiting(placedGang.gang, placedGang.terms());
        };
    }

    private void placeAgain(PlanningGang gang, PlanningGang displacingGang) {
        if (gang.promised()) {
            // The gang goes back to its published window, which this cycle may have moved forward.
            Window before = gang.published() == null ? gang.promisedWindow() : gang.published();
            if (cycleResources.bookings().holds(gang.gang, before)) {
                gang.goesBackTo(before);
                gang.take(cycleResources.bookings(), before, WindowOrigin.PREEMPTION);
                return;
            }
            breakPromise(gang, before, displacingGang);
        }
        gang.best(cycleResources.bookings(), window -> beneficiaries.allows(gang, window))
                .ifPresent(window -> gang.take(cycleResources.bookings(), window, WindowOrigin.PREEMPTION));
    }

    /** Returns all waiting gangs, those that were stopped last. */
    public List<PlanningGang> queue() {
        return queue;
    }

    public List<Running> running() {
        return running;
    }

    public Disruptions disruptions() {
        return disruptions;
    }

    /** Returns the promises that moved, one for each gang. */
    public List<BrokenPromise> broken() {
        return broken;
    }

    public Set<GangId> displaced() {
        return displaced;
    }

    public boolean bounded() {
        return bounded;
    }

    public List<Move> moves() {
        return interrupted.stream()
                .map(interrupted -> interrupted.move(cycleResources))
                .toList();
    }
}
