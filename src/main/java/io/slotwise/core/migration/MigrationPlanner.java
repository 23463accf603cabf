package io.slotwise.core.migration;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.migration.Move.Purpose;
import io.slotwise.core.migration.Move.Saving;
import io.slotwise.core.migration.Move.Start;
import io.slotwise.core.money.Cost;
import io.slotwise.core.window.Window;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * Finds the moves of one cycle, each gang moved at most once. First for the gangs that wait, in queue order, then for
 * money.
 *
 * <p><b>Start.</b> A gang W that would start later than it might, or not at all, starts as soon as a gang R that runs
 * has left its room; what is left of R goes where its own criterion is best served, perhaps later on its own nodes.
 * That is a move if W gains more pod-seconds than R loses: W gains {@code (start before - start) x pods}, counted from
 * the end of the horizon if it had no window; R loses {@code (end - end before) x pods}, at least the overhead of its
 * stop and restart on each pod. W's window is no worse by W's criterion than the one that it had. Of several R the one
 * that loses least is moved, of equals the first by name.
 *
 * <p>No gang makes way for one of lower priority. Only gangs that keep their work are moved. Whom a gang of higher
 * priority displaces, whatever that loses, was decided before.
 *
 * <p><b>Saving.</b> R moves if the seconds that it has left cost more at their promised prices than a window elsewhere,
 * overhead included, and it ends no later; a gang whose criterion is {@code cost} may end later, by its deadline. The
 * largest saving comes first, of equals the first by name; savings are looked for again where another move has taken
 * their room.
 *
 * <p>The window of R lies within its deadline, topology and what is left of its budget, starts when its pods can be
 * there again, and is reserved at once. A move takes only free room and what R gives up, so no other gang's window
 * changes. It does not come to exchanges without end: each move gains, and between two moves of a gang lie the least
 * run and the limit per hour.
 *
 * <p>One gang is moved for one that waits; what would take two moves is not looked for. With w gangs that wait and r
 * that may be moved it takes O(r log r), and at most {@value #MOST_WAITING} x {@value #MOST_TRIED} x 2 window searches
 * for starts and O({@value #MOST_TRIED_FOR_MONEY}) for savings plus one for each window that another move spoils: of
 * those that wait the first in the queue are looked at, of those that run the ones with the least pod-seconds left, or
 * for money the most cost.
 *
 * <p>Source: the paper on migration, section V. There a task moves between queues of processors to fill idle ones; here
 * whole gangs move between windows, and only if that pays.
 */
public final class MigrationPlanner {
    private static final int MOST_WAITING = 32;
    private static final int MOST_TRIED = 16;
    private static final int MOST_TRIED_FOR_MONEY = 64;

    private final CycleResources resources;
    private final Disruptions disruptions;
    /** Those that may be moved and have not been. */
    private final SortedMap<GangId, MoveCandidate> candidates = new TreeMap<>();

    /** Moves of running gangs, whose room is taken; {@code disruptions}: what this cycle has used of the budgets. */
    public MigrationPlanner(
            MigrationPolicy policy, CycleResources resources, List<Running> running, Disruptions disruptions) {
        this.resources = resources;
        this.disruptions = disruptions;
        running.stream()
                .filter(Running::keepsWork)
                .filter(runningGang -> runningGang.mayStop(policy, resources.now(), resources.timeline()))
                .forEach(runningGang ->
                        candidates.put(runningGang.gang().id(), new MoveCandidate(runningGang, policy, resources)));
    }

    private record Trial(MoveCandidate candidate, Window soonerWindow, Window elsewhereWindow, Start start) {
        private static final Comparator<Trial> BEST = Comparator.comparingLong((Trial trial) -> trial.start.lost())
                .thenComparing(trial -> trial.candidate.id());
    }

    /** Moves that start gangs sooner; {@code started} is told of each, whose room and money are taken. */
    public List<Move> start(List<MoveBeneficiary> queue, BiConsumer<MoveBeneficiary, Window> started) {
        List<Move> moves = new ArrayList<>();
        for (MoveBeneficiary beneficiary : queue.subList(0, Math.min(MOST_WAITING, queue.size()))) {
            candidates.values().stream()
                    .filter(candidate ->
                            candidate.priority() <= beneficiary.gang().priority())
                    .filter(candidate -> beneficiary.mayUse(candidate.running()) && mayGo(candidate))
                    .sorted(Comparator.comparingLong(MoveCandidate::left).thenComparing(MoveCandidate::id))
                    .limit(MOST_TRIED)
                    .flatMap(candidate -> trial(beneficiary, candidate).stream())
                    .min(Trial.BEST)
                    .ifPresent(bestTrial -> {
                        moves.add(carryOut(beneficiary, bestTrial));
                        started.accept(beneficiary, bestTrial.soonerWindow());
                    });
        }
        return moves;
    }

    /** What would become of both gangs; room and money are the same afterwards. */
    private Optional<Trial> trial(MoveBeneficiary beneficiary, MoveCandidate candidate) {
        return resources.bookings().trying(() -> {
            candidate.leave();
            resources.bookings().giveUp(beneficiary.gang(), beneficiary.window());
            return sooner(beneficiary, candidate);
        });
    }

    private Optional<Trial> sooner(MoveBeneficiary beneficiary, MoveCandidate candidate) {
        long atOnce = Math.max(beneficiary.terms().earliest(), candidate.gone() + resources.turnover());
        return beneficiary.sooner(atOnce).filter(resources.bookings()::pay).flatMap(window -> {
            resources.bookings().take(beneficiary.gang(), window);
            return candidate
                    .anywhere()
                    .flatMap(remainingWindow -> judge(beneficiary, candidate, window, remainingWindow));
        });
    }

    private Optional<Trial> judge(
            MoveBeneficiary beneficiary, MoveCandidate candidate, Window soonerWindow, Window elsewhereWindow) {
        long gained = beneficiary.gain(soonerWindow, resources.horizonEnd());
        long lost = candidate.loss(elsewhereWindow);
        GangId gang = beneficiary.gang().id();
        return gained > lost
                ? Optional.of(new Trial(candidate, soonerWindow, elsewhereWindow, new Start(gang, gained, lost)))
                : Optional.empty();
    }

    private Move carryOut(MoveBeneficiary beneficiary, Trial trial) {
        trial.candidate().leave();
        resources.bookings().giveUp(beneficiary.gang(), beneficiary.window());
        resources.bookings().take(beneficiary.gang(), trial.soonerWindow());
        return moved(trial.candidate(), trial.elsewhereWindow(), trial.start());
    }

    /** Whether its disruption budgets let all of its pods go beside those that this cycle stops. */
    private boolean mayGo(MoveCandidate candidate) {
        return disruptions.allow(List.of(candidate.running()));
    }

    private Move moved(MoveCandidate candidate, Window window, Purpose purpose) {
        candidates.remove(candidate.id());
        disruptions.take(candidate.running());
        return candidate.accept(window, purpose);
    }

    private record Bargain(MoveCandidate candidate, Window window, Cost savedCost) {
        private static final Comparator<Bargain> BEST =
                Comparator.comparing(Bargain::savedCost).reversed().thenComparing(bargain -> bargain.candidate.id());
    }

    public List<Move> save() {
        PriorityQueue<Bargain> bargains = new PriorityQueue<>(Bargain.BEST);
        candidates.values().stream()
                .filter(this::mayGo)
                .sorted(Comparator.comparing(MoveCandidate::unpaid).reversed().thenComparing(MoveCandidate::id))
                .limit(MOST_TRIED_FOR_MONEY)
                .forEach(candidate -> bargain(candidate).ifPresent(bargains::add));
        List<Move> moves = new ArrayList<>();
        while (!bargains.isEmpty()) {
            Bargain bestBargain = bargains.remove();
            if (!mayGo(bestBargain.candidate())) {
                continue;
            }
            int mark = resources.bookings().mark();
            bestBargain.candidate().leave();
            if (bestBargain.candidate().stillFits(bestBargain.window())) {
                moves.add(moved(bestBargain.candidate(), bestBargain.window(), new Saving(bestBargain.savedCost())));
            } else {
                resources.bookings().rollbackTo(mark);
                bargain(bestBargain.candidate()).ifPresent(bargains::add);
            }
        }
        return moves;
    }

    private Optional<Bargain> bargain(MoveCandidate candidate) {
        return resources.bookings().trying(() -> {
            candidate.leave();
            return candidate.cheaper().map(window -> new Bargain(candidate, window, saved(candidate, window)));
        });
    }

    private static Cost saved(MoveCandidate candidate, Window window) {
        return candidate.unpaid().minus(window.cost());
    }
}
