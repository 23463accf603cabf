package io.slotwise.core.planner.improve;

import io.slotwise.core.booking.Bookings;
import io.slotwise.core.combination.Limit.Measure;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Backfill;
import io.slotwise.core.plan.Policy.Replan;
import io.slotwise.core.plan.Policy.Split;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.plan.WindowOrigin;
import io.slotwise.core.planner.batch.AnticipatedBatch;
import io.slotwise.core.planner.online.OnlinePlacement;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.slot.PodTariffs;
import io.slotwise.core.slot.SlotTerms;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Improves a plan by large neighbourhood search. The windows of a {@link Neighbourhood} are removed, its gangs are
 * placed again, and the result is kept if it has a greater {@link PlanValue}; otherwise it is rolled back. A gang that
 * finds no window that keeps its promise goes back into its former one, and the others are placed around it again, in
 * at most {@value #MOST_ROUNDS} rounds. In the last round all gangs have their former windows, which fit together.
 *
 * <p>First, others make room for each gang without a window ({@link MakeRoom}), the last arrivals first, as earlier
 * ones had their try before. The gang is placed as if no movable window were there, once by its own criterion and once
 * by its end. Then {@value #MOST_ALONE} others make room one at a time, those with the most slack left first. After
 * {@value #MOST_LOOKS_FOR_ROOM} nodes and windows no further gang has a turn. This step runs under conservative
 * backfilling, in which every gang is to have a window.
 *
 * <p>Then all movable windows are assigned again ({@link PlaceAnew}). The first order is Smith's rule: the gang first
 * whose time is worth most for the processor time that it needs. Without values of time, the shortest and narrowest
 * gang goes first. The second order is the shortest gang first, however wide. Under {@code max-value} with {@code
 * least-saving} gangs that may start now do so in the first order instead ({@link StartsByValue}). At most {@value
 * #MOST_GANGS} gangs with the earliest windows take part, and no more than look at {@value #MOST_LOOKS} nodes in a
 * round, as each looks at all. O(r w) searches for w gangs in r rounds.
 *
 * <p>If promises moved, gangs without a promise finally search once more, each alone. They were placed while the
 * promises still kept their old rooms. After gangs were displaced, they search in the same way.
 *
 * <p>Invariants: no window starts or ends later, or costs more, than its gang was promised. Without slack the promise
 * is the window itself. Runtime, processor time and energy do not grow for a gang that minimizes them. A gang with a
 * window keeps one. Windows do not move if they are due, were promised a moment ago, or come from an online mode, or if
 * their pods are on their way. Gangs in chains or with rules about other pods do not move either. The improvement runs
 * under {@code replan: improve} and the objectives {@code user} and {@code max-value} without a limit on the batch.
 *
 * <p>Sources: P. Shaw, "Using Constraint Programming and Local Search Methods to Solve Vehicle Routing Problems", CP
 * 1998; D. Talby, D. G. Feitelson, "Supporting Priorities and Improving Utilization of the IBM SP Scheduler Using
 * Slack-Based Backfilling", IPPS/SPDP 1999. There a plan minimizes the slack that it uses. Here slack follows from what
 * the gang was told, all windows are checked in every cycle, money and end are bounded too, and the sum of what the
 * gangs minimize counts. W. E. Smith, "Various Optimizers for Single-Stage Production", Naval Research Logistics
 * Quarterly 3, 1956.
 */
public final class Improvement {
    private static final int MOST_ROUNDS = 6;
    private static final int MOST_ALONE = 8;
    private static final int MOST_LOOKS_FOR_ROOM = 20_000;
    private static final int MOST_GANGS = 500;
    private static final int MOST_LOOKS = 100_000;

    private static final Comparator<PlanningGang> LAST_COME_FIRST = Comparator.comparingLong(
                    (PlanningGang gang) -> gang.gang.arrival())
            .reversed()
            .thenComparing(gang -> gang.gang.id());

    private static final Comparator<PlanningGang> SHORTEST_FIRST = Comparator.comparingLong(
                    (PlanningGang gang) -> RepairedWindows.former(gang).end()
                            - RepairedWindows.former(gang).start())
            .thenComparing(PlaceAnew.BY_START);

    private final Policy policy;
    private final Snapshot snapshot;
    private final PodTariffs tariffs;
    private final Bookings bookings;
    private final List<PlanningGang> queue;
    private final PlanValue value;

    /** The part of a cost that counts, millionths. */
    private final int use;

    private final int mostGangs;
    private final Set<GangId> touched = new HashSet<>();
    private final List<String> notes = new ArrayList<>();
    private long looks;

    /** The queue has the gangs in no chain, in queue order. Their windows have their room and money. */
    public Improvement(
            Policy policy, Snapshot snapshot, PodTariffs tariffs, Bookings bookings, List<PlanningGang> queue) {
        this.policy = policy;
        this.snapshot = snapshot;
        this.tariffs = tariffs;
        this.bookings = bookings;
        this.queue = queue;
        this.value = new PlanValue(policy);
        this.use = value.countsMoneyAndDelay() ? policy.expectedUse() : Split.ALL;
        this.mostGangs = Math.min(
                MOST_GANGS, MOST_LOOKS / Math.max(1, bookings.timeline().nodes().size()));
    }

    public List<String> notes() {
        return notes;
    }

    /**
     * Improves the plan as far as the policy allows.
     *
     * @return the gangs whose windows are new or were moved
     */
    public Set<GangId> improve() {
        if (isAsked() && policy.replan() == Replan.IMPROVE) {
            makeRoom();
            replan();
            if (queue.stream()
                    .anyMatch(gang -> gang.promised() && !gang.promisedWindow().equals(gang.window()))) {
                placeNewcomers();
            }
        }
        return touched;
    }

    /**
     * Gives gangs without a promise their best windows once more, in queue order, since other gangs have left room. No
     * window gets worse. At most as many gangs as take part in a round.
     *
     * @return the gangs whose windows were moved
     */
    public Set<GangId> placeNewcomers() {
        if (isAsked() && !value.assignsByValue()) {
            queue.stream()
                    .filter(gang -> !gang.promised() && isReplanned(gang))
                    .limit(mostGangs)
                    .forEach(gang -> tries(new PlaceAnew(List.of(gang), use)));
        }
        return touched;
    }

    private boolean isAsked() {
        Policy.Batch batch = policy.batch();
        return (batch.objective() == Objective.USER || value.countsMoneyAndDelay())
                && batch.limit().measure() == Measure.NOTHING
                && !AnticipatedBatch.isAsked(policy);
    }

    /** Repairs a neighbourhood. Returns true if the plan is better, else leaves it unchanged. */
    private boolean tries(Neighbourhood neighbourhood) {
        Set<PlanningGang> staying = new LinkedHashSet<>();
        int mark = bookings.mark();
        for (int round = 1; round <= MOST_ROUNDS; round++) {
            RepairedWindows repaired = new RepairedWindows(bookings, neighbourhood, staying);
            List<PlanningGang> late = neighbourhood.place(repaired);
            looks += repaired.looks();
            if (late.isEmpty() && value.isRaisedBy(repaired)) {
                accept(repaired);
                return true;
            }
            bookings.rollbackTo(mark);
            if (late.isEmpty() || late.stream().anyMatch(gang -> gang.window() == null)) {
                return false;
            }
            staying.addAll(round == MOST_ROUNDS - 1 ? withWindows(neighbourhood.gangs()) : late);
        }
        return false;
    }

    private void accept(RepairedWindows repaired) {
        for (PlanningGang gang : repaired.gangs()) {
            if (repaired.moves(gang)) {
                gang.accept(
                        Objects.requireNonNull(repaired.window(gang)),
                        gang.window() == null ? WindowOrigin.BACKFILL : gang.via());
                touched.add(gang.gang.id());
            }
        }
    }

    private static List<PlanningGang> withWindows(List<PlanningGang> gangs) {
        return gangs.stream().filter(gang -> gang.window() != null).toList();
    }

    private void makeRoom() {
        if (policy.backfill() != Backfill.CONSERVATIVE) {
            return;
        }
        List<PlanningGang> newcomers = queue.stream()
                .filter(gang -> gang.window() == null && gang.leftOut() == null && !gang.promised() && isAlone(gang))
                .filter(gang -> isPossible(gang, gang.terms()))
                .sorted(LAST_COME_FIRST)
                .toList();
        for (PlanningGang newcomer : newcomers) {
            if (looks > MOST_LOOKS_FOR_ROOM) {
                notes.add("room was made only for the gangs that came last: others might have windows, too");
                return;
            }
            makeRoom(newcomer);
        }
    }

    private void makeRoom(PlanningGang newcomer) {
        SlotTerms terms = newcomer.terms();
        Comparator<PlanningGang> bySlackLeft = Comparator.comparingLong((PlanningGang other) ->
                        MakeRoom.bound(other, policy.slack()).start()
                                - RepairedWindows.former(other).start())
                .thenComparing(other -> other.gang.id());
        List<PlanningGang> others = withWindows(queue).stream()
                .filter(this::mayMove)
                .filter(other -> RepairedWindows.former(other).start() < terms.deadline() + policy.turnover()
                        && RepairedWindows.former(other).end() + policy.turnover() > terms.earliest())
                .sorted(bySlackLeft)
                .toList();
        // A gang that finds no window without the others finds none with them.
        if (others.isEmpty() || !fitsWithout(others, newcomer)) {
            return;
        }
        Criterion ownCriterion = newcomer.gang.criterion();
        if (makes(newcomer, others, ownCriterion, false) || makes(newcomer, others, Criterion.FINISH, false)) {
            return;
        }
        for (PlanningGang other : others.reversed().stream().limit(MOST_ALONE).toList()) {
            List<PlanningGang> alone = List.of(other);
            if (makes(newcomer, alone, ownCriterion, false)
                    || makes(newcomer, alone, Criterion.FINISH, false)
                    || makes(newcomer, alone, ownCriterion, true)) {
                return;
            }
        }
    }

    private boolean makes(PlanningGang newcomer, List<PlanningGang> others, Criterion criterion, boolean behind) {
        return tries(new MakeRoom(newcomer, others, criterion, behind, policy.slack()));
    }

    /** Returns whether the gang could start within its terms on an empty cluster, judged pod by pod. */
    private boolean isPossible(PlanningGang newcomer, SlotTerms terms) {
        return terms.earliest() <= terms.latest()
                && bookings.timeline().isOpen(newcomer.gang.queue())
                && newcomer.eligibility().stream()
                        .allMatch(eligibility -> eligibility.offers().stream()
                                .anyMatch(offer -> offer.duration() <= terms.deadline() - terms.earliest()));
    }

    private boolean fitsWithout(List<PlanningGang> others, PlanningGang newcomer) {
        return bookings.trying(() -> {
            RepairedWindows repaired = new RepairedWindows(
                    bookings, new MakeRoom(newcomer, others, Criterion.FINISH, false, policy.slack()), Set.of());
            boolean fits = repaired.best(newcomer, Criterion.FINISH) != null;
            looks += repaired.looks();
            return fits;
        });
    }

    private void replan() {
        List<PlanningGang> movable = queue.stream().filter(this::isReplanned).toList();
        if (movable.size() > mostGangs) {
            notes.add("only the gangs with the earliest windows were rearranged: others might start sooner");
            Set<PlanningGang> first =
                    movable.stream().sorted(PlaceAnew.BY_START).limit(mostGangs).collect(Collectors.toSet());
            movable = movable.stream().filter(first::contains).toList();
        }
        List<PlanningGang> order = movable.stream().sorted(this::byWorth).toList();
        boolean mayGain = movable.size() > 1 && movable.stream().anyMatch(PlanningGang::promised);
        if (value.assignsByValue() && !movable.isEmpty()) {
            tries(new StartsByValue(snapshot.now(), expectedRoom(Set.copyOf(movable)), order));
        } else if (mayGain || (use < Split.ALL && !movable.isEmpty())) {
            tries(new PlaceAnew(order, use));
            tries(new PlaceAnew(movable.stream().sorted(SHORTEST_FIRST).toList(), use));
        }
    }

    private ExpectedRoom expectedRoom(Set<PlanningGang> movable) {
        ExpectedRoom room = new ExpectedRoom(snapshot, policy, tariffs);
        withWindows(queue).stream()
                .filter(gang -> !movable.contains(gang))
                .forEach(gang -> room.take(gang.gang, RepairedWindows.former(gang), bookings));
        return room;
    }

    private boolean isReplanned(PlanningGang gang) {
        Criterion criterion = gang.gang.criterion();
        return gang.hasTurn()
                && mayMove(gang)
                && !(value.assignsByValue() && (criterion.isOfShape() || criterion == Criterion.PREFERENCE));
    }

    private boolean mayMove(PlanningGang gang) {
        boolean due = gang.published() != null && gang.published().start() <= snapshot.now();
        return gang.window() != null && !due && !gang.released() && !gang.fresh() && isAlone(gang);
    }

    private boolean isAlone(PlanningGang gang) {
        return !gang.gang.hasRules() && !OnlinePlacement.isOnline(gang, policy.online());
    }

    /** Compares by Smith's rule; of equals the first in the queue. */
    private int byWorth(PlanningGang gang, PlanningGang other) {
        return worth(other).multiply(seconds(gang)).compareTo(worth(gang).multiply(seconds(other)));
    }

    private BigInteger worth(PlanningGang gang) {
        return BigInteger.valueOf(
                Math.max(1, gang.gang.valueOfTime().at(snapshot.now()).micros()));
    }

    /** Returns the processor time, reduced to the expected part where that decides who starts. */
    private BigInteger seconds(PlanningGang gang) {
        int use = value.assignsByValue() ? snapshot.expectedUse(gang.gang.id().namespace(), policy) : Split.ALL;
        return BigInteger.valueOf(gang.estimatedProcessorTime()).multiply(BigInteger.valueOf(use));
    }
}
