package io.slotwise.core.provision;

import io.slotwise.core.combination.Account;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import io.slotwise.core.resource.Resources;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One option for each gang of a few that share the nodes that are bought for them: as few gangs without a window as
 * possible, then the least sum of ranks, then the least money. Exact unless {@link #bounded}.
 *
 * <p>A node is paid until its last pod ends, whoever that is, and its bill is split among the gangs on it in the ratio
 * of what they take of it: the sum of their pods' shares, millionths, times seconds. Each part is rounded down to
 * 1/3600 of a millionth; the last gang by its place in the queue takes what rounding leaves. So a part depends on the
 * others, and whether a gang can pay is known only of a whole choice.
 *
 * <p>Gang by gang every option is tried, each of its seats on every node of its delivery that is bought already and has
 * room, and on a new one. Left out is what cannot become better than the best so far: gangs without a window, ranks and
 * what is paid on nodes that are there add up, bills only grow, and in each second the pods on a node ask for no more
 * of its processors than it has, so that a bill is no less than the sum of what they ask for at the node's price. A
 * limit that is passed stays passed. Exponential in the gangs; after 20,000 steps the search is bounded.
 */
final class JointChoice {
    private static final int MOST_STEPS = 20_000;

    private final List<GangId> ids;
    private final List<List<JointOption>> gangs;
    private final NodeMarket market;
    private final long turnover;
    private final JointTotal[] least;
    private final JointOption[] picked;
    private final List<Bought> open = new ArrayList<>();
    private @Nullable JointTotal best;
    private @Nullable Outcome found;
    private int steps;

    /** A node that is bought, and the seats on it in the order of their gangs. */
    private static final class Bought {
        private final Delivery delivery;
        private final List<Held> held = new ArrayList<>();

        Bought(Delivery delivery) {
            this.delivery = delivery;
        }

        long end() {
            long end = delivery.ready();
            for (Held one : held) {
                end = Math.max(end, one.seat.end());
            }
            return end;
        }

        Cost bill() {
            return delivery.bill(end());
        }
    }

    private record Held(int gang, JointSeat seat) {}

    /**
     * A seat that is given.
     *
     * @param node the number of the node
     * @param part of its bill
     */
    record Given(JointSeat seat, int node, Cost part) {}

    /**
     * What was chosen.
     *
     * @param options one for each gang
     * @param seats those of each gang
     * @param expected what each gang pays, with what is to be expected of nodes that are taken away
     * @param nodes that are bought, each for the first gang on it, under their numbers
     */
    record Outcome(
            JointTotal total,
            List<JointOption> options,
            List<List<Given>> seats,
            List<Cost> expected,
            List<Purchase> nodes) {
        Outcome {
            options = List.copyOf(options);
            seats = List.copyOf(seats);
            expected = List.copyOf(expected);
            nodes = List.copyOf(nodes);
        }
    }

    /**
     * A choice.
     *
     * @param ids the gangs in the order of the queue
     * @param gangs the options of each, at least one
     * @param market what can be bought
     * @param turnover seconds kept free after every pod
     * @param known only what is better than this counts; null: anything does
     */
    JointChoice(
            List<GangId> ids,
            List<List<JointOption>> gangs,
            NodeMarket market,
            long turnover,
            @Nullable JointTotal known) {
        this.ids = ids;
        this.gangs = gangs.stream()
                .map(options -> options.stream()
                        .sorted(Comparator.comparing(JointOption::isNone)
                                .thenComparingLong(JointOption::rank)
                                .thenComparing(JointOption::least)
                                .thenComparingLong(JointOption::start))
                        .toList())
                .toList();
        this.market = market;
        this.turnover = turnover;
        this.best = known;
        this.picked = new JointOption[gangs.size()];
        this.least = new JointTotal[gangs.size() + 1];
        least[gangs.size()] = JointTotal.NOTHING;
        for (int g = gangs.size() - 1; g >= 0; g--) {
            List<JointOption> options = gangs.get(g);
            least[g] = least[g + 1].plus(new JointTotal(
                    options.stream().allMatch(JointOption::isNone) ? 1 : 0,
                    BigInteger.valueOf(
                            options.stream().mapToLong(JointOption::rank).min().orElse(0)),
                    options.stream()
                            .map(JointOption::least)
                            .min(Comparator.naturalOrder())
                            .orElse(BigInteger.ZERO)));
        }
    }

    /** Whether choices were left out that might have been better. */
    boolean bounded() {
        return steps > MOST_STEPS;
    }

    /** The best choice; null: none is better than what is known. */
    @Nullable
    Outcome best() {
        choose(0);
        return found;
    }

    private void choose(int gang) {
        steps++;
        if (bounded() || !canBecomeBetter(gang)) {
            return;
        }
        if (gang == gangs.size()) {
            settle();
            return;
        }
        for (JointOption option : gangs.get(gang)) {
            boolean meets = false;
            for (int other = 0; other < gang; other++) {
                meets |= picked[other].meets(option, turnover);
            }
            if (!meets) {
                picked[gang] = option;
                seat(gang, 0, 0);
            }
        }
    }

    /**
     * All ways to seat the rest of a gang's option; alike seats go to nodes in the order in which these were bought.
     */
    private void seat(int gang, int number, int from) {
        if (bounded()) {
            return;
        }
        List<JointSeat> seats = picked[gang].seats();
        if (number == seats.size()) {
            choose(gang + 1);
            return;
        }
        JointSeat seat = seats.get(number);
        int first = number > 0 && seats.get(number - 1).isLike(seat) ? from : 0;
        for (int node = first; node < open.size(); node++) {
            Bought there = open.get(node);
            if (there.delivery.is(seat.delivery()) && hasRoom(there, gang, seat)) {
                there.held.add(new Held(gang, seat));
                if (isAllowed()) {
                    seat(gang, number + 1, node + 1);
                }
                there.held.removeLast();
            }
        }
        Bought fresh = new Bought(seat.delivery());
        fresh.held.add(new Held(gang, seat));
        open.add(fresh);
        if (isAllowed()) {
            seat(gang, number + 1, open.size());
        }
        open.removeLast();
    }

    private boolean isAllowed() {
        return market.allows(purchases());
    }

    private List<Purchase> purchases() {
        List<Purchase> all = new ArrayList<>();
        for (Bought node : open) {
            all.add(new Purchase(
                    String.valueOf(all.size()),
                    node.delivery.offer(),
                    ids.get(node.held.getFirst().gang),
                    node.delivery.bought(),
                    node.delivery.price(),
                    node.end() - node.delivery.ready()));
        }
        return all;
    }

    /** Whether the node holds the seat beside all that is on it, in each second. */
    private boolean hasRoom(Bought node, int gang, JointSeat seat) {
        if (node.held.getLast().gang == gang) {
            return false;
        }
        if (!holds(node, seat, seat.start())) {
            return false;
        }
        for (Held other : node.held) {
            if (other.seat.start() > seat.start()
                    && other.seat.start() < seat.end() + turnover
                    && !holds(node, seat, other.seat.start())) {
                return false;
            }
        }
        return true;
    }

    private boolean holds(Bought node, JointSeat seat, long second) {
        Resources all = node.delivery.offer().node().allocatable();
        for (int i = 0; i < seat.amount().size(); i++) {
            String name = seat.amount().name(i);
            long left = all.get(name) - seat.amount().amount(i);
            for (Held other : node.held) {
                if (other.seat.start() <= second && second < other.seat.end() + turnover) {
                    left -= other.seat.amount().get(name);
                }
            }
            if (left < 0) {
                return false;
            }
        }
        return true;
    }

    private boolean canBecomeBetter(int gang) {
        if (best == null) {
            return true;
        }
        int without = least[gang].without();
        BigInteger rank = least[gang].rank();
        BigInteger paid = BigInteger.ZERO;
        BigInteger asked = least[gang].money();
        for (int g = 0; g < gang; g++) {
            without += picked[g].isNone() ? 1 : 0;
            rank = rank.add(BigInteger.valueOf(picked[g].rank()));
            paid = paid.add(picked[g].own().exact()).add(BigInteger.valueOf(picked[g].worth()));
            asked = asked.add(picked[g].least());
        }
        for (Bought node : open) {
            paid = paid.add(node.bill().exact());
        }
        return new JointTotal(without, rank, paid.max(asked)).compareTo(best) < 0;
    }

    /** A whole choice: who pays what, and whether all can. */
    private void settle() {
        List<List<Given>> seats = new ArrayList<>();
        for (int g = 0; g < picked.length; g++) {
            seats.add(new ArrayList<>());
        }
        for (int node = 0; node < open.size(); node++) {
            split(node, seats);
        }
        Map<Account, Cost> charged = new HashMap<>();
        List<Cost> expected = new ArrayList<>();
        JointTotal total = JointTotal.NOTHING;
        for (int g = 0; g < picked.length; g++) {
            JointOption option = picked[g];
            Cost bills = seats.get(g).stream().map(Given::part).reduce(Cost.ZERO, Cost::plus);
            Cost pays = option.own().plus(Cost.of(option.reruns().expected(bills.exact())));
            if (pays.compareTo(option.most()) > 0) {
                return;
            }
            Account account = option.account();
            if (account != null && charged.merge(account, pays, Cost::plus).compareTo(account.left()) > 0) {
                return;
            }
            expected.add(pays);
            total = total.plus(new JointTotal(
                    option.isNone() ? 1 : 0,
                    BigInteger.valueOf(option.rank()),
                    pays.exact().add(BigInteger.valueOf(option.worth()))));
        }
        if (best == null || total.compareTo(best) < 0) {
            best = total;
            found = new Outcome(total, List.of(picked), seats, expected, purchases());
        }
    }

    private void split(int node, List<List<Given>> seats) {
        List<Held> held = open.get(node).held;
        Cost bill = open.get(node).bill();
        BigInteger whole = BigInteger.ZERO;
        for (Held one : held) {
            whole = whole.add(BigInteger.valueOf(one.seat.weight()));
        }
        Cost left = bill;
        for (int i = 0; i < held.size(); i++) {
            Held one = held.get(i);
            Cost part = i == held.size() - 1
                    ? left
                    : Cost.of(bill.exact()
                            .multiply(BigInteger.valueOf(one.seat.weight()))
                            .divide(whole));
            seats.get(one.gang).add(new Given(one.seat, node, part));
            left = left.minus(part);
        }
    }
}
