package io.slotwise.live.cycle;

import io.slotwise.core.combination.Account;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.live.record.MigrationHistory;
import io.slotwise.live.record.Phase;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * In which order the changes of a cycle are written so that no room is promised twice in between, not even if the
 * writer dies between two writes: a gang takes new room only after every gang that held some of it has given it up.
 * Gangs that exchange rooms in a circle cannot be ordered; then one of them is without a window for the moment between
 * two writes, and gets its own back if the rest cannot be written ({@link HaltedExchanges}). In the same way money of a
 * namespace is taken only after those who give some back. An advance reservation that is over gives its room up, too;
 * and what the record of a gang says that took it over stays until that is written. The window of a gang that the cycle
 * must leave alone although the plan has given its room away stays taken: what would have it is not written.
 *
 * <p>Two windows count as in each other's way where they meet on a node in time, whether or not the node would hold
 * both: that orders more than it must, and never too little.
 */
final class WriteOrder {
    private final long turnover;
    private final Map<String, List<Account>> accounts = new HashMap<>();
    private final List<Step> steps = new ArrayList<>();

    /**
     * One write.
     *
     * @param draft what is written
     * @param withdrawn whether only the window is taken away for the time being; a later step writes the whole
     * @param after the steps that must have succeeded before, by their places in the order
     */
    record Step(RecordUpdate draft, boolean withdrawn, List<Integer> after) {
        /** Whether it cannot be done in this cycle, and nothing that has to come after it. */
        boolean isBlocked() {
            return draft.isOvertaken();
        }

        /** Whether it takes room at most and waits for no other step, so that nothing depends on when it is done. */
        boolean isFree() {
            return !withdrawn
                    && !isBlocked()
                    && after.isEmpty()
                    && (left(draft) == null || draft.before().phase() == Phase.COMPLETED);
        }
    }

    /** Where a draft gave up its room: the step, once it has one. */
    private static final class Leaver {
        private final RecordUpdate draft;
        private final Window window;
        private @Nullable Integer step;

        Leaver(RecordUpdate draft, Window window) {
            this.draft = draft;
            this.window = window;
        }
    }

    private WriteOrder(long turnover, List<Account> given) {
        this.turnover = turnover;
        for (Account account : given) {
            accounts.computeIfAbsent(account.namespace(), n -> new ArrayList<>())
                    .add(account);
        }
    }

    /**
     * The writes of all drafts that changed. O(p log p) for p placements where few windows meet.
     *
     * @param turnover kept free between two uses of one room, seconds
     * @param accounts that windows are charged to
     */
    static List<Step> of(Collection<RecordUpdate> drafts, long turnover, List<Account> accounts) {
        WriteOrder order = new WriteOrder(turnover, accounts);
        order.arrange(drafts.stream()
                .filter(draft -> draft.changed() || draft.isOvertaken())
                .toList());
        return order.steps;
    }

    private void arrange(List<RecordUpdate> drafts) {
        Map<RecordUpdate, Leaver> leavers = new HashMap<>();
        Map<String, List<Leaver>> byNode = new HashMap<>();
        Map<Account, List<Leaver>> byAccount = new HashMap<>();
        for (RecordUpdate draft : drafts) {
            Window left = left(draft);
            if (left != null) {
                Leaver leaver = new Leaver(draft, left);
                leavers.put(draft, leaver);
                left.placements().stream()
                        .map(Placement::node)
                        .distinct()
                        .forEach(node -> byNode.computeIfAbsent(node, n -> new ArrayList<>())
                                .add(leaver));
                Account account = account(left);
                if (account != null
                        && (draft.heldToItsEnd()
                                || draft.isOvertaken()
                                || charge(draft, account).compareTo(Cost.ZERO) < 0)) {
                    byAccount.computeIfAbsent(account, a -> new ArrayList<>()).add(leaver);
                }
            }
        }
        Map<RecordUpdate, Set<Leaver>> waitsFor = new HashMap<>();
        for (RecordUpdate draft : drafts) {
            Set<Leaver> first = inTheWay(draft, byNode);
            first.addAll(givers(draft, byAccount));
            first.addAll(ended(draft, leavers.values()));
            waitsFor.put(draft, first);
        }
        List<RecordUpdate> waiting = new ArrayList<>(drafts);
        while (!waiting.isEmpty()) {
            List<RecordUpdate> ready = waiting.stream()
                    .filter(draft -> waits(waitsFor, draft).stream().allMatch(leaver -> leaver.step != null))
                    .toList();
            if (ready.isEmpty()) {
                withdraw(waiting, leavers);
                continue;
            }
            for (RecordUpdate draft : ready) {
                Leaver own = leavers.get(draft);
                List<Integer> after = new ArrayList<>();
                waits(waitsFor, draft).forEach(leaver -> after.add(Objects.requireNonNull(leaver.step)));
                if (own != null && own.step != null) {
                    after.add(own.step);
                }
                steps.add(new Step(
                        draft, false, after.stream().distinct().sorted().toList()));
                if (own != null && own.step == null) {
                    own.step = steps.size() - 1;
                }
            }
            waiting.removeAll(new HashSet<>(ready));
        }
    }

    private static Set<Leaver> waits(Map<RecordUpdate, Set<Leaver>> waitsFor, RecordUpdate draft) {
        return waitsFor.getOrDefault(draft, Set.of());
    }

    /** Takes the window of the first gang that still has its old one. */
    private void withdraw(List<RecordUpdate> waiting, Map<RecordUpdate, Leaver> leavers) {
        Leaver first = waiting.stream()
                .map(leavers::get)
                .filter(leaver -> leaver != null && leaver.step == null)
                .findFirst()
                .orElseThrow();
        steps.add(new Step(first.draft, true, List.of()));
        first.step = steps.size() - 1;
    }

    /** The window that a draft gives up; null: none. */
    private static @Nullable Window left(RecordUpdate draft) {
        Window before = window(draft.before().promise());
        boolean stays = !draft.gone()
                && !draft.isOvertaken()
                && !draft.heldToItsEnd()
                && Objects.equals(before, window(draft.after().promise()));
        return stays ? null : before;
    }

    /** The reservation that a draft's gang has taken over, if it is told in this cycle that it is over. O(leavers). */
    private static List<Leaver> ended(RecordUpdate draft, Collection<Leaver> leavers) {
        GangId host = draft.before().host();
        return host == null
                ? List.of()
                : leavers.stream()
                        .filter(leaver -> leaver.draft.heldToItsEnd()
                                && leaver.draft.before().gang().equals(host))
                        .toList();
    }

    private Set<Leaver> inTheWay(RecordUpdate draft, Map<String, List<Leaver>> byNode) {
        Window taken = draft.gone() ? null : window(draft.after().promise());
        if (taken == null || taken.equals(window(draft.before().promise()))) {
            return new HashSet<>();
        }
        Set<Leaver> found = new HashSet<>();
        for (Placement place : taken.placements()) {
            for (Leaver leaver : byNode.getOrDefault(place.node(), List.of())) {
                if (leaver.draft != draft && !found.contains(leaver) && meets(place, leaver.window)) {
                    found.add(leaver);
                }
            }
        }
        return found;
    }

    /** Those who give money back to the account that a draft takes more from. */
    private List<Leaver> givers(RecordUpdate draft, Map<Account, List<Leaver>> byAccount) {
        Window taken = draft.gone() ? null : window(draft.after().promise());
        Account account = taken == null ? null : account(taken);
        return account == null || charge(draft, account).compareTo(Cost.ZERO) <= 0
                ? List.of()
                : byAccount.getOrDefault(account, List.of());
    }

    private @Nullable Account account(Window window) {
        return accounts.getOrDefault(window.gang().namespace(), List.of()).stream()
                .filter(account -> account.covers(window.start()))
                .findFirst()
                .orElse(null);
    }

    /** What a draft takes from an account beyond what it had; the ledger has what a gang cost that has ended. */
    private static Cost charge(RecordUpdate draft, Account account) {
        boolean ended = draft.before().phase() == Phase.COMPLETED;
        Window before = ended ? null : window(draft.before().promise());
        Window after = draft.gone() ? null : window(draft.after().promise());
        return cost(after, account).plus(ended(draft, account)).minus(cost(before, account));
    }

    /** What a run was charged that a move ends. */
    private static Cost ended(RecordUpdate draft, Account account) {
        MigrationHistory before = draft.before().history().past();
        MigrationHistory after = draft.after().history().past();
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

    private boolean meets(Placement taken, Window left) {
        return left.placements().stream()
                .anyMatch(place ->
                        place.node().equals(taken.node()) && taken.start() < end(place) && place.start() < end(taken));
    }

    private long end(Placement place) {
        return place.end() >= Interval.FOREVER ? Interval.FOREVER : place.end() + turnover;
    }

    private static @Nullable Window window(@Nullable Promise promise) {
        return promise == null ? null : promise.window();
    }
}
