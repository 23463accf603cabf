package io.slotwise.live.cycle;

import io.slotwise.core.combination.Account;
import io.slotwise.core.combination.AccountBalances;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.live.record.MigrationHistory;
import io.slotwise.live.record.Phase;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Orders the writes of a cycle so that no room is promised twice in between, even if the writer dies between two
 * writes. A gang takes new room only after every gang that held some of it has given it up. Gangs that exchange rooms
 * in a circle cannot be ordered: one of them is written before the other rooms are given up. A leader that finds both
 * records moves one of the gangs within its promise. Likewise, an account's money is taken only after it is given back.
 * An ended advance reservation gives up its room too, and the record of the gang that took it over is written after it.
 * If the plan gives away the window of a gang that the cycle must leave alone, the window stays taken and its new owner
 * is not written.
 *
 * <p>Two windows conflict if they overlap on a node, even if the node could hold both. So some writes are ordered
 * needlessly, but none is missed.
 */
final class WriteOrder {
    private final long turnover;
    private final AccountBalances balances;
    private final List<Step> steps = new ArrayList<>();

    /** A write. */
    record Step(RecordUpdate update, List<Integer> after) {
        /** Returns whether this write and all that wait for it are impossible in this cycle. */
        boolean isBlocked() {
            return update.isOvertaken();
        }

        /** Returns whether the write gives up no room and waits for no other, so that nothing depends on its time. */
        boolean isFree() {
            return !isBlocked()
                    && after.isEmpty()
                    && (left(update) == null || update.before().phase() == Phase.COMPLETED);
        }
    }

    /** An update that gives up room, with its step once it has one. */
    private static final class Leaver {
        private final RecordUpdate update;
        private final Window window;
        private @Nullable Integer step;

        Leaver(RecordUpdate update, Window window) {
            this.update = update;
            this.window = window;
        }
    }

    /**
     * The updates that give money back to an account. Each part of what is given back goes to one taker, which waits
     * for its giver. Takers that find nothing left are paid by what the account has. So the account is never overdrawn
     * in between, unless it is at the end, and g givers and t takers wait for each other at most g + t times.
     */
    private static final class Givers {
        private final Account account;
        /** The gangs that give back an amount that is not known before it is written. All takers wait for them. */
        private final List<Leaver> unknown = new ArrayList<>();

        private final Deque<Leaver> known = new ArrayDeque<>();
        /** The amount that takers have taken from the first known giver. */
        private Cost takenCost = Cost.ZERO;

        Givers(Account account) {
            this.account = account;
        }

        void add(Leaver leaver) {
            if (leaver.update.heldToItsEnd() || leaver.update.isOvertaken()) {
                unknown.add(leaver);
            } else if (charge(leaver.update, account).compareTo(Cost.ZERO) < 0) {
                known.add(leaver);
            }
        }

        /** Returns the updates that must give money back before another update takes more from the account. */
        List<Leaver> before(RecordUpdate update) {
            Cost neededCost = charge(update, account);
            List<Leaver> first = new ArrayList<>();
            if (neededCost.compareTo(Cost.ZERO) > 0) {
                unknown.stream().filter(leaver -> leaver.update != update).forEach(first::add);
            }
            while (neededCost.compareTo(Cost.ZERO) > 0 && !known.isEmpty()) {
                Leaver giver = known.getFirst();
                Cost leftCost = Cost.ZERO.minus(charge(giver.update, account)).minus(takenCost);
                first.add(giver);
                takenCost = takenCost.plus(neededCost);
                if (neededCost.compareTo(leftCost) >= 0) {
                    known.removeFirst();
                    takenCost = Cost.ZERO;
                }
                neededCost = neededCost.minus(leftCost);
            }
            return first;
        }
    }

    private WriteOrder(long turnover, AccountBalances balances) {
        this.turnover = turnover;
        this.balances = balances;
    }

    /**
     * Returns the writes of all changed updates. O(p log p) for p placements if few windows overlap and few advance
     * reservations end.
     *
     * @param turnover seconds between two uses of the same room
     */
    static List<Step> of(Collection<RecordUpdate> updates, long turnover, AccountBalances balances) {
        WriteOrder order = new WriteOrder(turnover, balances);
        order.arrange(updates.stream()
                .filter(update -> update.changed() || update.isOvertaken())
                .toList());
        return order.steps;
    }

    private void arrange(List<RecordUpdate> updates) {
        Map<RecordUpdate, Leaver> leavers = new HashMap<>();
        Map<String, List<Leaver>> byNode = new HashMap<>();
        Map<Account, Givers> byAccount = new HashMap<>();
        for (RecordUpdate update : updates) {
            Window left = left(update);
            if (left != null) {
                Leaver leaver = new Leaver(update, left);
                leavers.put(update, leaver);
                left.placements().stream()
                        .map(Placement::node)
                        .distinct()
                        .forEach(node -> byNode.computeIfAbsent(node, n -> new ArrayList<>())
                                .add(leaver));
                balances.payers(left)
                        .forEach(account ->
                                byAccount.computeIfAbsent(account, Givers::new).add(leaver));
            }
        }
        Map<RecordUpdate, Set<Leaver>> waitsFor = new HashMap<>();
        for (RecordUpdate update : updates) {
            Set<Leaver> first = inTheWay(update, byNode);
            first.addAll(givers(update, byAccount));
            first.addAll(ended(update, leavers.values()));
            waitsFor.put(update, first);
        }
        List<RecordUpdate> waiting = new ArrayList<>(updates);
        while (!waiting.isEmpty()) {
            List<RecordUpdate> free = waiting.stream()
                    .filter(update -> waits(waitsFor, update).stream().allMatch(leaver -> leaver.step != null))
                    .toList();
            // In a circle each of these gives up what another one waits for.
            List<RecordUpdate> ready = free.isEmpty()
                    ? waiting.stream().filter(leavers::containsKey).limit(1).toList()
                    : free;
            for (RecordUpdate update : ready) {
                steps.add(new Step(
                        update,
                        waits(waitsFor, update).stream()
                                .flatMap(leaver -> Stream.ofNullable(leaver.step))
                                .distinct()
                                .sorted()
                                .toList()));
                Leaver ownLeaver = leavers.get(update);
                if (ownLeaver != null) {
                    ownLeaver.step = steps.size() - 1;
                }
            }
            waiting.removeAll(new HashSet<>(ready));
        }
    }

    private static Set<Leaver> waits(Map<RecordUpdate, Set<Leaver>> waitsFor, RecordUpdate update) {
        return waitsFor.getOrDefault(update, Set.of());
    }

    /** Returns the window that an update gives up, or null. */
    private static @Nullable Window left(RecordUpdate update) {
        Window before = window(update.before().promise());
        boolean stays = !update.gone()
                && !update.isOvertaken()
                && !update.heldToItsEnd()
                && Objects.equals(before, window(update.after().promise()));
        return stays ? null : before;
    }

    /** Returns the advance reservation that the gang has taken over, if it ends in this cycle. O(leavers). */
    private static List<Leaver> ended(RecordUpdate update, Collection<Leaver> leavers) {
        GangId hostId = update.before().host();
        return hostId == null
                ? List.of()
                : leavers.stream()
                        .filter(leaver -> leaver.update.heldToItsEnd()
                                && leaver.update.before().gang().equals(hostId))
                        .toList();
    }

    private Set<Leaver> inTheWay(RecordUpdate update, Map<String, List<Leaver>> byNode) {
        Window takenWindow = update.gone() ? null : window(update.after().promise());
        if (takenWindow == null || takenWindow.equals(window(update.before().promise()))) {
            return new HashSet<>();
        }
        Set<Leaver> found = new HashSet<>();
        for (Placement placement : takenWindow.placements()) {
            for (Leaver leaver : byNode.getOrDefault(placement.node(), List.of())) {
                if (leaver.update != update && !found.contains(leaver) && meets(placement, leaver.window)) {
                    found.add(leaver);
                }
            }
        }
        return found;
    }

    /** Returns the updates that give money back to accounts from which this one takes more. */
    private List<Leaver> givers(RecordUpdate update, Map<Account, Givers> byAccount) {
        Window takenWindow = update.gone() ? null : window(update.after().promise());
        return takenWindow == null
                ? List.of()
                : balances.payers(takenWindow).stream()
                        .flatMap(account -> Stream.ofNullable(byAccount.get(account)))
                        .flatMap(givers -> givers.before(update).stream())
                        .toList();
    }

    /** Returns how much more an update takes from an account than before. The ledger has the cost of an ended gang. */
    private static Cost charge(RecordUpdate update, Account account) {
        boolean ended = update.before().phase() == Phase.COMPLETED;
        Window before = ended ? null : window(update.before().promise());
        Window after = update.gone() ? null : window(update.after().promise());
        return cost(after, account).plus(ended(update, account)).minus(cost(before, account));
    }

    private static Cost ended(RecordUpdate update, Account account) {
        MigrationHistory before = update.before().history().history();
        MigrationHistory after = update.after().history().history();
        return after == null
                ? Cost.ZERO
                : after.legs().stream()
                        .filter(leg -> before == null || !before.legs().contains(leg))
                        .filter(leg -> account.covers(leg.start()))
                        .map(leg -> leg.charge().total())
                        .reduce(Cost.ZERO, Cost::plus);
    }

    private static Cost cost(@Nullable Window window, Account account) {
        return window == null || !account.covers(window.start()) ? Cost.ZERO : window.cost();
    }

    private boolean meets(Placement takenPlacement, Window left) {
        return left.placements().stream()
                .anyMatch(placement -> placement.node().equals(takenPlacement.node())
                        && takenPlacement.start() < end(placement)
                        && placement.start() < end(takenPlacement));
    }

    private long end(Placement placement) {
        return placement.end() >= Interval.FOREVER ? Interval.FOREVER : placement.end() + turnover;
    }

    private static @Nullable Window window(@Nullable Promise promise) {
        return promise == null ? null : promise.window();
    }
}
