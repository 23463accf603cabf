package io.slotwise.core.planner.exchange;

import io.slotwise.core.booking.Bookings;
import io.slotwise.core.cluster.RestoredCapacity;
import io.slotwise.core.combination.Limit.Measure;
import io.slotwise.core.combination.Objective;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Policy.Replan;
import io.slotwise.core.planner.batch.AnticipatedBatch;
import io.slotwise.core.planner.online.OnlinePlacement;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.slot.Offers;
import io.slotwise.core.slot.SlotList;
import io.slotwise.core.slot.SlotTerms;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.core.window.WindowRequest;
import io.slotwise.core.window.units.EarliestRoom;
import io.slotwise.core.work.KeyOrder;
import io.slotwise.core.work.Workers;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.IntToLongFunction;
import java.util.function.LongFunction;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Pulls windows forward, one gang after the other in queue order, where others that wait make room for it: each of
 * these starts in its own second, ends no later and pays no more, on other nodes.
 *
 * <p>A window names its nodes. When a pod ends early its node is free until the next window there begins, and a gang
 * that needs longer does not fit, though another node would be free for that window by then. So the room of many nodes
 * is cut into pieces that are each too short, and who counts free nodes alone starts sooner. For each gang {@link
 * EarliestRoom} tells the second at which there is room enough, however it is cut. There the gang gets the nodes that
 * cost least, of those the ones that no later window of others holds; the windows that begin from then on follow in the
 * order of their starts, each on its own nodes if these are still free. If one of them finds none for what it was
 * promised, all stay as they were.
 *
 * <p>Where nodes are alike and a pod takes a whole one that never happens, unless a window must not move: windows are
 * intervals, and if in no second more nodes are needed than there are, intervals find a node each in the order of their
 * starts. So promised gangs start as early as under conservative backfilling, where processors have no names. Elsewhere
 * it is a heuristic that is tried at one second for each gang. A room that a gang leaves is there at once for those
 * behind it in the queue. A gang that could have a cheaper window, or a better one by another criterion than time, is
 * left to the search for that.
 *
 * <p>It is done under the objective {@code user} without a limit on the batch, where each gang's window serves itself
 * alone; windows that are new in this cycle are pulled forward only if the policy has chosen windows shifted. Not moved
 * are windows whose pods are on their way, those of online modes, promises under {@code replan: never}, and gangs whose
 * pods differ. A window that was promised a moment ago makes no room for others: each move is some writes. For each
 * gang that could start sooner O(m log m) for m changes of the room of its nodes, and where one is pulled forward O(w N
 * log N) for w later windows that must move on N nodes. After {@value #MOST_WORK} nodes and seats that were looked at,
 * or {@value #MOST_IN_VAIN} turns in vain, the rest keep what they have.
 *
 * <p>Source: the compression of A. W. Mu'alem, D. G. Feitelson, "Utilization, Predictability, Workloads, and User
 * Runtime Estimates in Scheduling the IBM SP2 with Backfilling", IEEE Transactions on Parallel and Distributed Systems
 * 12(6), 2001, section 2; nodes in the order of starts: U. I. Gupta, D. T. Lee, J. Y.-T. Leung, "An Optimal Solution
 * for the Channel-Assignment Problem", IEEE Transactions on Computers C-28(11), 1979.
 */
public final class WindowExchange {
    private static final long MOST_WORK = 500_000;

    /** So many turns in vain, and it is one of those clusters in which exchanges seldom succeed. */
    private static final int MOST_IN_VAIN = 8;

    /** So many gangs are looked for at once. */
    private static final int AHEAD = 4;

    private static final Comparator<PlanningGang> BY_NAME = Comparator.comparing(contender -> contender.gang.id());

    private final Policy policy;
    private final Bookings bookings;
    private final List<PlanningGang> queue;
    private final Workers workers;
    private final Set<PlanningGang> served = new HashSet<>();

    /**
     * All that have a window and may move for others, by start, unless some have moved since. While gangs have their
     * turns none gets or loses one.
     */
    private List<PlanningGang> byStart = List.of();

    private boolean sorted;

    /** Whether pods of some gang look at others: then a gang's room can depend on all that are there. */
    private final boolean ruled;

    private long work;
    private int inVain;

    /**
     * Before the first gang is pulled forward.
     *
     * @param queue all gangs in queue order
     * @param workers who look for several gangs at once
     */
    public WindowExchange(Policy policy, Bookings bookings, List<PlanningGang> queue, Workers workers) {
        this.workers = workers;
        this.policy = policy;
        this.bookings = bookings;
        this.queue = queue;
        this.ruled = queue.stream().anyMatch(contender -> contender.gang.hasRules());
    }

    /**
     * Gives a turn to each of these gangs that has a window, or a promise of one, and has had none; the room and money
     * of all of the queue are taken.
     *
     * @param gangs of the queue, in its order
     */
    public void pullForward(List<PlanningGang> gangs) {
        boolean eachForItself = policy.batch().objective() == Objective.USER
                && policy.batch().limit().measure() == Measure.NOTHING;
        if (!eachForItself || AnticipatedBatch.isAsked(policy)) {
            return;
        }
        sorted = false;
        List<PlanningGang> turns = gangs.stream()
                .filter(contender -> (contender.promised() || policy.batch().shift())
                        && contender.held() != null
                        && contender.hasTurn()
                        && mayMove(contender)
                        && served.add(contender))
                .toList();
        for (int next = 0; next < turns.size() && goesOn(); ) {
            next += pull(turns.subList(next, Math.min(turns.size(), next + AHEAD)));
        }
    }

    /**
     * Looks for several gangs at once; what was found for those after one that was pulled forward does not count.
     *
     * @return how many had their turns
     */
    private int pull(List<PlanningGang> part) {
        List<Look> looks = workers.each(part, this::look);
        for (int i = 0; i < looks.size(); i++) {
            if (!goesOn() || pull(part.get(i), looks.get(i))) {
                return i + 1;
            }
        }
        return part.size();
    }

    private boolean goesOn() {
        return !bounded() && inVain < MOST_IN_VAIN;
    }

    /** Whether gangs had no turn though exchanges may have succeeded for them. */
    public boolean bounded() {
        return work > MOST_WORK;
    }

    private boolean mayMove(PlanningGang contender) {
        return contender.gang.isUniform()
                && !contender.released()
                && !OnlinePlacement.isOnline(contender, policy.online())
                && (!contender.promised() || policy.replan() == Replan.IMPROVE);
    }

    /**
     * What a gang could have.
     *
     * @param sooner the terms of a window that would be better
     * @param asked whether there are such terms
     * @param second at which there is room enough; empty: there is none
     */
    private record Look(SlotTerms sooner, boolean asked, OptionalLong second) {}

    private Look look(PlanningGang contender) {
        Window before = held(contender);
        SlotTerms sooner = contender.terms().within(before.start() - Math.max(1, contender.leastGain()), before.end());
        if (sooner.latest() < sooner.earliest()) {
            return new Look(sooner, false, OptionalLong.empty());
        }
        Offers offers = Offers.of(contender.eligibility().getFirst().offers());
        OptionalLong second = EarliestRoom.second(
                offers.with(before.vacancy(bookings.timeline(), contender.gang)), contender.gang.size(), sooner);
        return new Look(sooner, true, second);
    }

    /** Whether the gang was pulled forward. */
    private boolean pull(PlanningGang contender, Look look) {
        if (!look.asked()) {
            return false;
        }
        work += contender.eligibility().getFirst().offers().size();
        if (look.second().isEmpty() || hasBetter(contender)) {
            return false;
        }
        Window before = held(contender);
        int mark = bookings.mark();
        bookings.giveUpRoom(contender.gang, before);
        if (new Turn(contender, look.second().getAsLong(), look.sooner()).succeeds()) {
            return true;
        }
        bookings.rollbackTo(mark);
        inVain++;
        return false;
    }

    /**
     * Whether a gang that wants something else than an early start or end can have more of that in place of its window:
     * that goes first, since from an earlier start on it could not go back.
     */
    private boolean hasBetter(PlanningGang contender) {
        Criterion criterion = contender.gang.criterion();
        if (criterion.isOfTime()) {
            return false;
        }
        Window before = held(contender);
        return contender
                .search()
                .best(
                        new WindowRequest(
                                criterion,
                                contender.terms().within(before.start(), before.end()),
                                before.cost().min(contender.gang.budget().limit()),
                                before),
                        bookings.timeline(),
                        contender.gang)
                .filter(found -> found.value(contender.gang) < before.value(contender.gang))
                .isPresent();
    }

    private static Window held(PlanningGang contender) {
        return Objects.requireNonNull(contender.held());
    }

    /** How many of these, who are in the order of their starts, begin before a second; O(log n). */
    private static int startingBefore(List<PlanningGang> gangs, long end) {
        int low = 0;
        int high = gangs.size();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (held(gangs.get(middle)).start() < end) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /**
     * What a gang could have in place of its window.
     *
     * @param second at which it would start
     * @param most it must not cost more
     */
    private record Sought(PlanningGang gang, long second, SlotTerms terms, Cost most) {
        Offers offers() {
            return Offers.of(gang.eligibility().getFirst().offers());
        }

        SlotTerms atOnce() {
            return terms.between(second, second);
        }

        /** No window from that second on ends later. */
        long latestEnd() {
            long longest = 0;
            Offers figures = offers();
            for (int i = 0; i < figures.size(); i++) {
                longest = Math.max(longest, figures.duration(i));
            }
            return Math.min(second + longest, terms.deadline());
        }

        /** Whether as many pods in this room could cost no more, and take no longer than they do now. */
        boolean mayBeCheap(Offers figures, SlotList room) {
            return least(room, i -> figures.cost(i, second)) <= most.microSecondsPerHour()
                    && least(room, figures::duration) <= held(gang).processorTime();
        }

        /**
         * The least sum over the gang's pods of what each adds where it is; more than anything: there is not room
         * enough.
         */
        private long least(SlotList room, IntToLongFunction each) {
            int[] free = IntStream.range(0, room.offers().size())
                    .filter(i -> room.countAt(i, second) > 0)
                    .boxed()
                    .sorted(Comparator.comparingLong(i -> each.applyAsLong(i)))
                    .mapToInt(Integer::intValue)
                    .toArray();
            long sum = 0;
            int left = gang.gang.size();
            for (int i = 0; i < free.length && left > 0; i++) {
                int taken = Math.min(left, room.countAt(free[i], second));
                sum += taken * each.applyAsLong(free[i]);
                left -= taken;
            }
            return left > 0 ? Long.MAX_VALUE : sum;
        }
    }

    /** One gang and those that make room for it, the gang's own room being free. */
    private final class Turn {
        private final PlanningGang contender;
        private final long second;
        private final SlotTerms sooner;

        /**
         * Who begins from that second on and may move, in the order of their starts; the first {@code next} have their
         * nodes. None until there may be room.
         */
        private List<PlanningGang> others = List.of();

        /** Which of the others have given the room of the window up that they had. */
        private final BitSet away = new BitSet();

        private int next;

        /** The new windows of the gang and of those of the others that have theirs. */
        private final List<Window> windows = new ArrayList<>();

        Turn(PlanningGang contender, long second, SlotTerms sooner) {
            this.contender = contender;
            this.second = second;
            this.sooner = sooner;
            if (!sorted) {
                byStart = KeyOrder.of(
                        queue.stream()
                                .filter(other -> other.held() != null && !other.fresh() && mayMove(other))
                                .toList(),
                        other -> held(other).start(),
                        BY_NAME);
                sorted = true;
            }
        }

        /** Those of the others that begin before a second. */
        private Stream<PlanningGang> othersBefore(long end) {
            return byStart.subList(startingBefore(byStart, second), startingBefore(byStart, end)).stream()
                    .filter(other -> other != contender
                            && held(other).start() >= other.terms().earliest());
        }

        /** Seats all of them and takes their room; if that fails the timeline is as it was. */
        boolean succeeds() {
            Sought sought = new Sought(
                    contender,
                    second,
                    sooner,
                    held(contender).cost().min(contender.gang.budget().limit()));
            RestoredCapacity view = new RestoredCapacity();
            if (!mayHaveRoom(sought, this::othersBefore, view)) {
                return false;
            }
            if (ruled) {
                others = othersBefore(Long.MAX_VALUE).toList();
                vacateBefore(sought.latestEnd(), other -> true);
            }
            Window window = own(ruled ? RestoredCapacity.NONE : view);
            if (window == null) {
                return false;
            }
            if (!ruled) {
                others = othersBefore(Long.MAX_VALUE).toList();
                vacateOn(window, sought.latestEnd());
            }
            seat(contender, window);
            boolean all = true;
            while (all && next < others.size()) {
                all = seatNext();
            }
            if (all) {
                take();
            }
            return all;
        }

        /**
         * The next of the others has its nodes: its own if these are free beside all that begin before it, as those
         * that begin later are away. Mostly that is so even while they are there: then it is so without them, and there
         * is no need for them to go. Otherwise such of them go as are on its nodes, or on those that it gets instead;
         * all of them, where pods look at others. O(w) for the windows w that begin before it ends.
         */
        private boolean seatNext() {
            PlanningGang other = others.get(next);
            Window before = held(other);
            if (!other.gang.hasRules()) {
                int mark = bookings.mark();
                if (away.get(next)) {
                    bookings.takeRoom(other.gang, before);
                }
                if (before.stands(bookings.timeline(), other.gang)) {
                    next++;
                    notes(before);
                    return true;
                }
                bookings.rollbackTo(mark);
            }
            vacate(next);
            next++;
            if (ruled) {
                vacateBefore(Long.MAX_VALUE - policy.turnover(), later -> true);
            } else {
                vacateOn(before, before.end());
            }
            Window its = before.fits(bookings.timeline(), other.gang) ? before : elsewhere(other);
            if (its != null) {
                vacateOn(its, its.end());
                seat(other, its);
            }
            return its != null;
        }

        /** Those of the others that have no turn yet and are on nodes of a window, and begin before it could end. */
        private void vacateOn(Window window, long end) {
            Set<String> nodes = new HashSet<>();
            window.placements().forEach(seat -> nodes.add(seat.node()));
            vacateBefore(end, other -> held(other).placements().stream().anyMatch(seat -> nodes.contains(seat.node())));
        }

        /** Such of the others give their room up as have no turn yet and begin before this end and the turnover. */
        private void vacateBefore(long end, Predicate<PlanningGang> which) {
            int count = startingBefore(others, end + policy.turnover());
            for (int i = next; i < count; i++) {
                if (which.test(others.get(i))) {
                    vacate(i);
                }
            }
        }

        private void vacate(int i) {
            if (!away.get(i)) {
                away.set(i);
                bookings.giveUpRoom(others.get(i).gang, held(others.get(i)));
            }
        }

        /**
         * Whether as many pods as a gang has could cost and take no more than now, first on what is free at a second
         * alone, and then for as long as they take while others are away. Mostly it is not so, and none of them has to
         * go: that is told from a view of the nodes that have room at that second, which those that begin at once
         * decide; a gang that begins after the end cannot be in the way. O(N log N + seats) for N nodes.
         *
         * @param away those that begin before a second and whose room in the timeline counts as free
         * @param view sees, if there may be room, what is free on all nodes on which a pod can start at that second,
         *     while the others are away
         */
        private boolean mayHaveRoom(Sought sought, LongFunction<Stream<PlanningGang>> away, RestoredCapacity view) {
            long atOnce = sought.second() + 1 + policy.turnover();
            away.apply(atOnce).forEach(other -> restore(view, other, node -> true));
            Offers all = sought.offers().with(view).withRoomBy(sought.second());
            SlotList room = EarliestRoom.at(all, sought.atOnce());
            if (!sought.mayBeCheap(all, room)) {
                return false;
            }
            int[] free = IntStream.range(0, all.size())
                    .filter(i -> room.countAt(i, sought.second()) > 0)
                    .toArray();
            Offers open = all.at(free);
            Set<String> nodes = new HashSet<>();
            open.forEach(offer -> nodes.add(offer.node()));
            away.apply(sought.latestEnd() + policy.turnover())
                    .filter(other -> held(other).start() >= atOnce)
                    .forEach(other -> restore(view, other, nodes::contains));
            return sought.mayBeCheap(open, new SlotList(open.with(view), sought.atOnce()));
        }

        private void restore(RestoredCapacity view, PlanningGang other, Predicate<String> which) {
            for (Placement seat : held(other).placements()) {
                if (which.test(seat.node())) {
                    view.vacate(
                            bookings.timeline(),
                            seat.node(),
                            other.gang.requestOf(seat.pod()).resources(),
                            new Interval(seat.start(), seat.end()));
                }
            }
        }

        private void seat(PlanningGang of, Window window) {
            bookings.takeRoom(of.gang, window);
            notes(window);
        }

        private void notes(Window window) {
            windows.add(window);
            work += window.placements().size();
        }

        private @Nullable Window own(RestoredCapacity view) {
            Window before = held(contender);
            Set<String> later = nodes(othersBefore(second + before.runtime() + policy.turnover()));
            Window window = contender
                    .search()
                    .at(
                            second,
                            sooner,
                            before.cost().min(contender.gang.budget().limit()),
                            node -> later.contains(node) ? 1 : 0,
                            view)
                    .filter(found -> found.improves(before, contender.gang, contender.leastGain())
                            && found.processorTime() <= before.processorTime())
                    .orElse(null);
            return window != null && bookings.payInPlaceOf(before, window) ? window : null;
        }

        /**
         * Other nodes for what a gang has, those of its own first that are still free, then such as no later window
         * holds.
         */
        private @Nullable Window elsewhere(PlanningGang other) {
            Window before = held(other);
            int soon = startingBefore(others, before.end() + policy.turnover());
            Set<String> later = nodes(others.subList(next, soon).stream());
            Set<String> own = new HashSet<>();
            before.placements().forEach(seat -> own.add(seat.node()));
            work += other.eligibility().getFirst().offers().size();
            SlotTerms terms = other.terms().within(before.start(), before.end());
            RestoredCapacity view = new RestoredCapacity();
            if (!ruled
                    && !mayHaveRoom(
                            new Sought(other, before.start(), terms, before.cost()), this::laterThatAreThere, view)) {
                return null;
            }
            return other.search()
                    .at(
                            before.start(),
                            terms,
                            before.cost(),
                            node -> own.contains(node) ? 0 : later.contains(node) ? 2 : 1,
                            ruled ? RestoredCapacity.NONE : view)
                    .filter(found -> found.keeps(before, other.gang) && found.processorTime() <= before.processorTime())
                    .orElse(null);
        }

        /** Those of the others that have no turn yet, begin before a second and have their room. */
        private Stream<PlanningGang> laterThatAreThere(long end) {
            return IntStream.range(next, startingBefore(others, end))
                    .filter(i -> !away.get(i))
                    .mapToObj(others::get);
        }

        /** The nodes on which one of these has a window. */
        private Set<String> nodes(Stream<PlanningGang> some) {
            Set<String> nodes = new HashSet<>();
            some.forEach(other -> held(other).placements().forEach(seat -> nodes.add(seat.node())));
            return nodes;
        }

        @SuppressWarnings("ReferenceEquality") // A window that stays is the same one.
        private void take() {
            become(contender, windows.getFirst());
            for (int i = 0; i < others.size(); i++) {
                if (windows.get(1 + i) != held(others.get(i))) {
                    become(others.get(i), windows.get(1 + i));
                }
            }
        }

        private void become(PlanningGang gang, Window window) {
            bookings.giveUpMoney(held(gang));
            bookings.takeMoney(window);
            gang.holds(window);
            sorted = false;
        }
    }
}
