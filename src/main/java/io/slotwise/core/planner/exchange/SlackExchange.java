package io.slotwise.core.planner.exchange;

import io.slotwise.core.booking.Bookings;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.ValueOfTime;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Split;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.slot.PodTariffs;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.search.WindowSearch;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Moves windows either way within the slack of their promises, if all together gain by it.
 *
 * <p>All windows that may move are taken away, and each gang gets the best one that there is now and that keeps what it
 * was promised: in the order of Smith's rule, the gang first whose time is worth most for the processor time that it
 * needs; where time has no value all gangs' is worth the same, so the shortest and narrowest goes first. A gang that
 * finds none so goes into its former window, and the others are placed anew around it. That ends, since in the worst
 * case all have their former windows, which fit beside each other; after {@value #MOST_ROUNDS} rounds it is given up.
 * In the end those with their former windows look for better ones.
 *
 * <p>The result is taken if all that move gain by it together ({@link WindowGains}). Otherwise all stay as they were.
 *
 * <p>Where gangs are known to use only a part of their runtimes ({@code batch.max-value.expected-use}), it is that part of a cost that
 * {@code max-value} weighs against delay, here and when a gang of the criterion {@code value} looks for its window:
 * money that will not be paid is not worth a wait. A window's price and limit stay whole.
 *
 * <p>Under {@code max-value} with {@code batch.max-value.least-saving} the windows are instead those of {@link ValueBackfilling}, and
 * count as they are: by whole runtimes a start beside a reservation is hardly ever a gain.
 *
 * <p>The invariants: no window starts or ends later, or costs more, than its gang was promised; runtime, processor time
 * and energy of a promised gang that wants them least grow no more; who has a window keeps one. Not moved are windows
 * whose pods are on their way or that are due, those of online modes, those promised a moment ago, and gangs with rules
 * about other pods. It is done under the objectives {@code user} and {@code max-value} without a limit on the batch,
 * among those gangs whose windows begin first: {@value #MOST_GANGS} at most, and so many that they look at {@value
 * #MOST_LOOKS} nodes in a round, as each looks at all. O(r w) searches for w of them in r rounds.
 *
 * <p>Sources: D. Talby, D. G. Feitelson, "Supporting Priorities and Improving Utilization of the IBM SP Scheduler Using
 * Slack-Based Backfilling", IPPS/SPDP 1999. There a job that arrives is tried at each place of the profile, and those
 * after it are pushed back within their slack; a job's slack is a multiple of the mean wait, by its priority. Here the
 * slack follows from what the gang itself was told, all windows are looked at in every cycle and not only when one
 * arrives, money and the end are bounded too, and what is least is the sum of what the gangs want. W. E. Smith,
 * "Various Optimizers for Single-Stage Production", Naval Research Logistics Quarterly 3, 1956.
 */
public final class SlackExchange {
    private static final int MOST_ROUNDS = 6;
    private static final int MOST_GANGS = 500;
    private static final int MOST_LOOKS = 100_000;

    private static final Comparator<PlanningGang> BY_START = Comparator.comparingLong((PlanningGang contender) ->
                    Objects.requireNonNull(contender.window()).start())
            .thenComparing(contender -> contender.gang.id());

    private final Policy policy;
    private final Snapshot snapshot;
    private final PodTariffs tariffs;
    private final long now;
    private final Bookings bookings;
    private final SlackMoves moves;
    private final List<PlanningGang> queue;
    private final Map<PlanningGang, Window> before = new LinkedHashMap<>();
    private final Map<PlanningGang, Window> after = new LinkedHashMap<>();
    private boolean bounded;

    /**
     * Before anything is moved.
     *
     * @param snapshot what the cycle is planned from
     * @param tariffs what its nodes charge
     * @param queue all gangs in queue order; the room and money of their windows are taken
     */
    public SlackExchange(
            Policy policy, Snapshot snapshot, PodTariffs tariffs, Bookings bookings, List<PlanningGang> queue) {
        this.policy = policy;
        this.snapshot = snapshot;
        this.tariffs = tariffs;
        this.now = snapshot.now();
        this.bookings = bookings;
        this.moves = new SlackMoves(policy, now, bookings);
        this.queue = queue;
    }

    /** Whether gangs were left out though moving them may have served all. */
    public boolean bounded() {
        return bounded;
    }

    /**
     * Moves windows if all together gain by it.
     *
     * @return whose windows were moved
     */
    public Set<GangId> rearrange() {
        List<PlanningGang> movable = movable();
        boolean mayGain = movable.size() >= 2 && movable.stream().anyMatch(PlanningGang::promised);
        if (!mayGain && !((weighsUse() || moves.areByStarts()) && !movable.isEmpty())) {
            return Set.of();
        }
        movable.forEach(contender -> before.put(contender, Objects.requireNonNull(contender.window())));
        int mark = bookings.mark();
        before.forEach(this::giveUp);
        List<PlanningGang> order = movable.stream().sorted(this::byWorth).toList();
        if (moves.areByStarts()) {
            after.putAll(new ValueBackfilling(now, bookings, moves, expectedRoom(), before).place(order));
        } else if (!placeAnew(order) || !new WindowGains(policy).areThere(before, after)) {
            bookings.rollbackTo(mark);
            return Set.of();
        }
        List<PlanningGang> moved = moved();
        moved.forEach(contender -> contender.accept(Objects.requireNonNull(after.get(contender)), contender.via()));
        return moved.stream().map(contender -> contender.gang.id()).collect(Collectors.toUnmodifiableSet());
    }

    private List<PlanningGang> movable() {
        if (!moves.areAsked()) {
            return List.of();
        }
        List<PlanningGang> movable = queue.stream().filter(this::mayMove).toList();
        int most = Math.min(
                MOST_GANGS, MOST_LOOKS / Math.max(1, bookings.timeline().nodes().size()));
        bounded = movable.size() > most;
        if (!bounded) {
            return movable;
        }
        Set<PlanningGang> first = movable.stream().sorted(BY_START).limit(most).collect(Collectors.toSet());
        return movable.stream().filter(first::contains).toList();
    }

    /** The room as it is expected to become beside the windows that do not move. */
    private ExpectedRoom expectedRoom() {
        ExpectedRoom room = new ExpectedRoom(snapshot, policy, tariffs);
        queue.stream()
                .filter(contender -> contender.window() != null && !before.containsKey(contender))
                .forEach(contender -> room.take(contender.gang, Objects.requireNonNull(contender.window()), bookings));
        return room;
    }

    private boolean mayMove(PlanningGang contender) {
        Criterion criterion = contender.gang.criterion();
        return contender.hasTurn()
                && moves.mayMove(contender)
                && !(moves.areByStarts() && (criterion.isOfShape() || criterion == Criterion.PREFERENCE));
    }

    /** Smith's rule; of equals the first in the queue. */
    private int byWorth(PlanningGang one, PlanningGang other) {
        return worth(other).multiply(seconds(one)).compareTo(worth(one).multiply(seconds(other)));
    }

    private BigInteger worth(PlanningGang contender) {
        return BigInteger.valueOf(
                Math.max(1, contender.gang.valueOfTime().at(now).micros()));
    }

    /** Processor time, as far as it is expected to be used where that decides who starts. */
    private BigInteger seconds(PlanningGang contender) {
        int use = moves.areByStarts() ? snapshot.expectedUse(contender.gang.id().namespace(), policy) : Split.ALL;
        return BigInteger.valueOf(contender.estimatedProcessorTime()).multiply(BigInteger.valueOf(use));
    }

    /**
     * Gives all of them windows, whose room and money are taken then; false: it is given up, and none of them has any.
     */
    private boolean placeAnew(List<PlanningGang> order) {
        Set<PlanningGang> staying = new LinkedHashSet<>();
        int mark = bookings.mark();
        for (int round = 0; round < MOST_ROUNDS; round++) {
            List<PlanningGang> late = placeAround(staying, order);
            if (late.isEmpty()) {
                staying.stream().sorted(BY_START).forEach(this::improve);
                return true;
            }
            bookings.rollbackTo(mark);
            after.clear();
            staying.addAll(late);
            if (staying.size() == order.size()) {
                return false;
            }
        }
        return false;
    }

    /** Places all beside those that stay; those that find nothing that keeps what they were promised. */
    private List<PlanningGang> placeAround(Set<PlanningGang> staying, List<PlanningGang> order) {
        List<PlanningGang> late = new ArrayList<>();
        staying.forEach(contender -> place(contender, former(contender)));
        for (PlanningGang contender : order) {
            if (!staying.contains(contender)) {
                Window window = find(contender, former(contender));
                if (window == null) {
                    late.add(contender);
                } else {
                    place(contender, window);
                }
            }
        }
        return late;
    }

    private void improve(PlanningGang contender) {
        Window own = Objects.requireNonNull(after.get(contender));
        giveUp(contender, own);
        Window better = find(contender, own);
        place(contender, better == null ? own : better);
    }

    private Window former(PlanningGang contender) {
        return Objects.requireNonNull(before.get(contender));
    }

    /** The best window that keeps what the gang was promised, its own one where none is better; null: there is none. */
    private @Nullable Window find(PlanningGang contender, Window own) {
        Gang gang = contender.gang;
        boolean weighs = weighsUse() && gang.criterion() == Criterion.VALUE;
        Gang weighed = weighs ? weighed(gang) : gang;
        WindowSearch search = weighs ? new WindowSearch(weighed, contender.eligibility()) : contender.search();
        Window found = moves.inPlaceOf(own, contender, search, contender.bound());
        boolean stays = found != null && !isBetter(found, own, weighed) && bookings.holds(gang, own);
        return stays ? own : found;
    }

    /** Whether a part of each cost is weighed against delay. */
    private boolean weighsUse() {
        return policy.batch().objective() == Objective.MAX_VALUE && policy.expectedUse() < Split.ALL;
    }

    /**
     * The gang as it weighs its windows: u x cost + value x delay is least where cost + value / u x delay is. The value
     * is rounded down to a millionth, and never more than {@link ValueOfTime#MOST}.
     */
    private Gang weighed(Gang gang) {
        ValueOfTime own = gang.valueOfTime();
        long hour = own.hour().micros() * Split.ALL / policy.expectedUse();
        return gang.valuing(new ValueOfTime(new Money(Math.min(hour, ValueOfTime.MOST.micros())), own.until()));
    }

    /** Whether a window is preferred whatever its nodes are called. */
    private static boolean isBetter(Window one, Window other, Gang gang) {
        return Comparator.comparingLong((Window window) -> window.value(gang))
                        .thenComparingLong(Window::start)
                        .thenComparing(Window::cost)
                        .compare(one, other)
                < 0;
    }

    private List<PlanningGang> moved() {
        return before.keySet().stream()
                .filter(contender -> !former(contender).equals(after.get(contender)))
                .toList();
    }

    private void place(PlanningGang contender, Window window) {
        bookings.take(contender.gang, window);
        after.put(contender, window);
    }

    private void giveUp(PlanningGang contender, Window window) {
        bookings.giveUp(contender.gang, window);
    }
}
