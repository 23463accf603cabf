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
import io.slotwise.core.plan.Policy.Preempting;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.planner.batch.BatchLimit;
import io.slotwise.core.planner.chains.Chains;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Who pushes whom aside: a gang W that waits displaces gangs of strictly lower priority, each as a whole, where that
 * starts it sooner. The highest priority has the first turn, of equals the first in the queue.
 *
 * <p>Two things are tried for W, whose new window is no worse by its criterion than the one that it has. First to start
 * at once: as soon as it may, or as those it displaces have left. For that, gangs that have a window may be displaced,
 * and gangs that run. If nothing lets it start at once, it is given the earliest start that it could have if all
 * windows of lower priorities were free; for that no gang is stopped, since its room would stand empty until then.
 * Either way {@link MinimumLossSet} finds the set of {@link DisplacementLoss least loss}; whom the window that comes of
 * it does not need stays. Where a gang of the set would displace gangs of still lower priority in turn, these make way
 * directly if that loses less in all.
 *
 * <p>Not displaced are gangs whose pods are on their way, and of those that run the ones that have not run for the
 * policy's least time, were stopped as often as its limit per hour allows, have passed their planned end, or have more
 * pods under a disruption budget than may be evicted.
 *
 * <p>Those displaced are planned again at once, in order of priority and arrival, each by its own criterion beside all
 * others. One that was stopped has what it paid taken off its budget and starts when its pods can be there again: with
 * the work that it has left if it keeps its work, from the beginning otherwise. It takes part in the cycle from then on
 * like any gang that waits, and may displace lower ones in turn; since priorities only fall, that ends.
 *
 * <p>With w gangs that wait and v that may be displaced it takes O(w v) and the searches of {@link MinimumLossSet} for
 * at most
 * {@value #MOST_PREEMPTORS} gangs: one window search for each question for room, and one for each gang displaced.
 *
 * <p>Source: the interruption of whole gangs by high-priority tasks is from F. A. P. Pinto, C. B. Chaves, L. G. Leite,
 * F. H. L. Vasconcelos, G. C. Barroso, "Analysis of Scheduling Algorithms with Migration Strategies in Distributed
 * Systems" (2014), section V. There a task stops the tasks that hold its processors; here the least loss decides, and
 * windows move before work is lost.
 */
public final class Preemption {
    private static final int MOST_PREEMPTORS = 32;

    private static final Comparator<PlanningGang> AGAIN = Comparator.comparingInt(
                    (PlanningGang gang) -> -gang.gang.priority())
            .thenComparingLong(gang -> gang.gang.arrival())
            .thenComparing(gang -> gang.gang.id());

    private final Policy policy;
    private final PlannerResources resources;
    private final Chains chains;
    private final CycleResources cycleResources;
    private final MoveBeneficiaries beneficiaries;
    private final List<PlanningGang> queue;
    private final List<Running> running;
    private final Disruptions disruptions = new Disruptions();
    private final List<Interrupted> interrupted = new ArrayList<>();
    private final List<BrokenPromise> broken = new ArrayList<>();
    private final Set<GangId> displaced = new HashSet<>();
    /** The lowest priority of all: those that are stopped are among the ones that ran. */
    private final int lowest;

    private int tried;
    private boolean bounded;

    /** What gangs are displaced by; no gang displaces one that it waits for in the chains. */
    public record Scope(
            Policy policy,
            PlannerResources resources,
            CycleResources cycleResources,
            BatchLimit limit,
            Chains chains) {}

    /**
     * Before any gang is displaced.
     *
     * @param queue all gangs that have not started, in queue order, with the windows that they have
     * @param running gangs that run and may be stopped; the room and money of all are taken
     */
    public Preemption(Scope scope, List<PlanningGang> queue, List<Running> running) {
        this.chains = scope.chains;
        this.policy = scope.policy;
        this.resources = scope.resources;
        this.cycleResources = scope.cycleResources;
        this.queue = new ArrayList<>(queue);
        this.running = new ArrayList<>(running);
        this.lowest = Math.min(
                queue.stream().mapToInt(other -> other.gang.priority()).min().orElse(Integer.MAX_VALUE),
                running.stream()
                        .mapToInt(other -> other.gang().priority())
                        .min()
                        .orElse(Integer.MAX_VALUE));
        this.beneficiaries = new MoveBeneficiaries(policy, this.queue, scope.limit);
    }

    /** Displaces whom it pays to displace. */
    public void displace() {
        if (policy.preemption() == Preempting.NONE) {
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

    /** Gives one gang its turn; returns what is left of the gangs that it stopped. */
    private List<PlanningGang> displaceFor(PlanningGang gang) {
        if (!someoneIsBelow(gang.gang.priority())) {
            return List.of();
        }
        Optional<MoveBeneficiary> beneficiary = beneficiaries.waiting(gang);
        if (!gang.gang.preempts() || beneficiary.isEmpty() || tried >= MOST_PREEMPTORS) {
            return List.of();
        }
        List<Victim> lower = lower(gang);
        if (lower.isEmpty()) {
            return List.of();
        }
        tried++;
        Turn turn = new Turn(gang, beneficiary.get());
        return turn.choice(lower)
                .map(choice -> turn.direct(choice, lower))
                .map(turn::carryOut)
                .orElse(List.of());
    }

    /** Whether any gang has a lower priority. */
    private boolean someoneIsBelow(int priority) {
        return lowest < priority;
    }

    /** The gangs of lower priority that may be displaced, the least loss first. */
    private List<Victim> lower(PlanningGang gang) {
        int priority = gang.gang.priority();
        Stream<Victim> seated = queue.stream()
                .filter(other -> other.window() != null && other.gang.priority() < priority && !other.released())
                .filter(other -> !chains.isBefore(other.gang.id(), gang))
                .map(other -> new Victim.Seated(other, cycleResources));
        Stream<Victim> stopped = policy.preemption() != Preempting.RUNNING
                ? Stream.empty()
                : running.stream()
                        .filter(running -> running.gang().priority() < priority
                                && !chains.isBefore(running.gang().id(), gang)
                                && running.mayStop(policy.migration(), cycleResources.now(), cycleResources.timeline())
                                && disruptions.allow(List.of(running)))
                        .map(running -> new Victim.Stopped(
                                running, cycleResources, policy.migration().overhead()));
        return Stream.concat(seated, stopped)
                .sorted(Comparator.comparing(Victim::loss)
                        .thenComparing(victim -> victim.gang().id()))
                .toList();
    }

    private final class Turn {
        private final PlanningGang gang;
        private final MoveBeneficiary beneficiary;

        Turn(PlanningGang gang, MoveBeneficiary beneficiary) {
            this.gang = gang;
            this.beneficiary = beneficiary;
        }

        /** Whom it displaces to start at once; else to start as soon as it could. */
        Optional<Choice> choice(List<Victim> lower) {
            return atOnce(lower).or(() -> soonest(lower));
        }

        /**
         * The choice, or one of gangs of lower priorities that starts it no later, if that loses less with all that
         * those displaced would displace in turn: two gangs do not lose work where one would do.
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

        /** What a choice loses with what those that it displaces would displace in turn at once. */
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
                    .sorted(AGAIN)
                    .toList();
            DisplacementLoss loss = DisplacementLoss.NONE;
            for (PlanningGang displacedGang : again) {
                displacedGang
                        .best(cycleResources.bookings(), window -> beneficiaries.allows(displacedGang, window))
                        .ifPresent(window ->
                                displacedGang.take(cycleResources.bookings(), window, WindowOrigin.PREEMPTION));
                loss = loss.plus(beneficiaries
                        .of(displacedGang)
                        .filter(_ -> displacedGang.gang.preempts())
                        .flatMap(next -> new Turn(displacedGang, next)
                                .choice(lower(displacedGang).stream()
                                        .filter(victim ->
                                                !gone.contains(victim.gang().id()))
                                        .toList()))
                        .map(Choice::loss)
                        .orElse(DisplacementLoss.NONE));
            }
            return loss;
        }

        /** A start as soon as those displaced have left. */
        Optional<Choice> atOnce(List<Victim> lower) {
            long last = lower.stream().mapToLong(Victim::gone).max().orElse(cycleResources.now());
            return choose(inTheWay(lower, Math.max(beneficiary.terms().earliest(), last)), Long.MIN_VALUE);
        }

        /** The earliest start that it could have if all windows of lower priorities were free. */
        Optional<Choice> soonest(List<Victim> lower) {
            List<Victim> seated =
                    lower.stream().filter(Victim.Seated.class::isInstance).toList();
            Optional<Window> first = seated.isEmpty() ? Optional.empty() : without(seated, this::first);
            return first.flatMap(window -> choose(inTheWay(seated, window.start()), window.start()));
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

        private List<Victim> inTheWay(List<Victim> lower, long last) {
            long first = beneficiary.terms().earliest();
            return lower.stream()
                    .filter(victim -> victim.isInTheWayOf(gang, first, last, cycleResources.turnover()))
                    .toList();
        }

        /**
         * The set of least loss without which there is a window by {@code latest}, or as soon as all of them have left.
         */
        private Optional<Choice> choose(List<Victim> lower, long latest) {
            MinimumLossSet lossSet = new MinimumLossSet(
                    lower.stream().map(Victim::loss).toList(),
                    set -> disruptions.allow(running(among(lower, set))),
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

        /** Those of the victims without whose room there would be none for the window, the dearest spared first. */
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
         * What {@code look} finds while these gangs and the present window of the one that waits have given up their
         * room.
         */
        private <T> T without(List<Victim> victims, Supplier<T> look) {
            return cycleResources.bookings().trying(() -> {
                victims.forEach(Victim::leave);
                cycleResources.bookings().giveUp(beneficiary.gang(), beneficiary.window());
                return look.get();
            });
        }

        /**
         * Gives it its new window and plans the displaced ones again; returns what is left of those that were stopped.
         */
        List<PlanningGang> carryOut(Choice choice) {
            long gained = beneficiary.gain(choice.window(), cycleResources.horizonEnd());
            choice.victims().forEach(Victim::leave);
            cycleResources.bookings().giveUp(beneficiary.gang(), beneficiary.window());
            gang.take(cycleResources.bookings(), choice.window(), WindowOrigin.PREEMPTION);
            List<PlanningGang> stopped = new ArrayList<>();
            List<PlanningGang> again = new ArrayList<>();
            for (Victim victim : choice.victims()) {
                switch (victim) {
                    case Victim.Seated(PlanningGang placedGang, CycleResources _) ->
                        again.add(unseat(placedGang, gang));
                    case Victim.Stopped stoppedRunner -> stopped.add(stop(stoppedRunner, gang, gained));
                }
            }
            again.addAll(stopped);
            again.stream().sorted(AGAIN).forEach(displacedGang -> placeAgain(displacedGang, gang));
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
     * Takes the window of a gang that has not started; its room is given up. A promise that it had before and left for
     * this window stands.
     */
    private PlanningGang unseat(PlanningGang gang, PlanningGang displacingGang) {
        displaced.add(gang.gang.id());
        Window lostWindow = gang.withdraw();
        if (lostWindow.equals(gang.published())) {
            breakPromise(gang, lostWindow, displacingGang);
        }
        return gang;
    }

    /** No reader has been told yet of a gang that was first served in this cycle. */
    private void breakPromise(PlanningGang gang, Window promised, PlanningGang displacingGang) {
        if (gang.published() != null) {
            broken.add(new BrokenPromise(
                    gang.gang.id(),
                    promised,
                    Cause.DISPLACED,
                    new BrokenPromise.Displaced(
                            displacingGang.gang.id(), displacingGang.gang.priority(), gang.gang.priority())));
        }
        gang.breakPromise();
    }

    /** Stops a gang that runs; its room is given up. What is left of it waits from now on. */
    private PlanningGang stop(Victim.Stopped stopped, PlanningGang displacingGang, long gained) {
        Running runningGang = stopped.running();
        PlanningGang gang = rest(runningGang);
        running.remove(runningGang);
        disruptions.take(runningGang);
        queue.add(gang);
        interrupted.add(new Interrupted(stopped, gang, displacingGang.gang.id(), gained));
        return gang;
    }

    /** What is left of a gang that is stopped. */
    private PlanningGang rest(Running running) {
        // What it was after is over.
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

    /** A gang as it would wait if it were displaced. */
    private PlanningGang again(Victim victim) {
        return switch (victim) {
            case Victim.Stopped stopped -> rest(stopped.running());
            case Victim.Seated(PlanningGang placedGang, CycleResources _) ->
                waiting(placedGang.gang, placedGang.terms());
        };
    }

    private void placeAgain(PlanningGang gang, PlanningGang displacingGang) {
        if (gang.promised()) {
            // What was published is what it goes back to; in this cycle it may have been pulled forward since.
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

    /** All gangs that wait, those that were stopped after the others. */
    public List<PlanningGang> queue() {
        return queue;
    }

    /** The gangs that run on. */
    public List<Running> running() {
        return running;
    }

    /** What the gangs that were stopped have used of the disruption budgets. */
    public Disruptions disruptions() {
        return disruptions;
    }

    /** The promises that moved, one for each gang. */
    public List<BrokenPromise> broken() {
        return broken;
    }

    /** The gangs that lost their window. */
    public Set<GangId> displaced() {
        return displaced;
    }

    /** Whether a set of less loss may have been missed. */
    public boolean bounded() {
        return bounded;
    }

    /** The gangs that were stopped, each with the window that it has now. */
    public List<Move> moves() {
        return interrupted.stream()
                .map(interrupted -> interrupted.move(cycleResources))
                .toList();
    }
}
