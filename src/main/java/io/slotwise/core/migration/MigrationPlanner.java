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
 * Finds the moves of one cycle, each gang moved at most once: first for waiting gangs, in queue order, then for money.
 *
 * <p><b>Start.</b> A gang W that would start later than it might, or not at all, starts as soon as a running gang R has
 * left its room. The rest of R goes where R's own criterion is best served, perhaps later on its own nodes. The move is
 * made if W gains more pod-seconds than R loses. W gains {@code (start before - start) x pods}, counted from the end of
 * the horizon if it had no window. R loses {@code (end - end before) x pods}, at least the overhead of its stop and
 * restart on each pod. W's window is no worse by W's criterion than its former one. The R with the least loss is moved;
 * ties go to the first by name.
 *
 * <p>No gang makes way for a gang of lower priority. Only gangs that keep their work are moved. Preemption by higher
 * priorities, which may lose more, is decided before.
 *
 * <p><b>Saving.</b> R moves if its remaining seconds cost more at their promised prices than a window elsewhere,
 * overhead included, and it ends no later. A gang whose criterion is {@code cost} may end later, by its deadline. The
 * largest saving comes first; ties go to the first by name. Savings are searched again where another move has taken
 * their room.
 *
 * <p>R's window is within its deadline, its topology and the rest of its budget, starts when its pods can be there
 * again, and is reserved at once. A move takes only free room and what R gives up, so no other gang's window changes.
 * Exchanges end: each move gains, and two moves of a gang are separated by the least run and the limit per hour.
 *
 * <p>One gang is moved for one waiting gang; combinations of two moves are not searched. With w waiting gangs and r
 * that may be moved, sorting takes O(r log r). At most {@value #MOST_WAITING} x {@value #MOST_TRIED} x 2 window
 * searches are for starts, and O({@value #MOST_TRIED_FOR_MONEY}) for savings, plus one for each window that another
 * move spoils. The first waiting gangs in the queue are tried, and the running gangs with the least pod-seconds left,
 * or for money with the most cost left.
 *
 * <p>Source: the paper on migration, section V. There a task moves between queues of processors to fill idle ones. Here
 * whole gangs move between windows, and only if that pays.
 */
public final class MigrationPlanner {
    private static final int MOST_WAITING = 32;
    private static final int MOST_TRIED = 16;
    private static final int MOST_TRIED_FOR_MONEY = 64;

    private final CycleResources resources;
    private final Disruptions disruptions;
    /** The running gangs that may be moved and have not been moved yet. */
    private final SortedMap<GangId, MoveCandidate> candidates = new TreeMap<>();

    /** The room of the running gangs is taken. Disruptions are what this cycle has used of the budgets. */
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

    /** Returns moves that start gangs sooner, and reports each such gang, with room and money taken. */
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

    /** Returns the result for both gangs. Leaves room and money unchanged. */
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
