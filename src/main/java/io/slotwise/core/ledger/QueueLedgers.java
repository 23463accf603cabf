package io.slotwise.core.ledger;

import io.slotwise.core.combination.Account;
import io.slotwise.core.money.Cost;
import io.slotwise.core.queue.QueueTree;
import io.slotwise.core.time.Interval;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The ledgers of the queues with a budget. A queue's ledger is the part of all namespaces' ledgers that gangs of the
 * queue, or of queues below it, are charged. It has the same balances as a namespace's ledger, without a debt of
 * earlier periods.
 */
public final class QueueLedgers {
    private final Map<String, Allotment> budgets;
    private final Map<String, SortedMap<Long, Charge>> days = new HashMap<>();
    private final Map<String, List<LedgerEntry>> entries = new HashMap<>();

    /**
     * Reads all ledgers once. O((days of queues + entries) * levels).
     *
     * @param budgets by queue of the tree
     * @param ofNamespaces the ledgers of namespaces
     */
    public QueueLedgers(QueueTree tree, Map<String, Allotment> budgets, Collection<Ledger> ofNamespaces) {
        this.budgets = new TreeMap<>(budgets);
        for (Ledger ledger : ofNamespaces) {
            ledger.queueDays()
                    .forEach((queue, sums) -> paying(tree, queue).forEach(payer -> {
                        SortedMap<Long, Charge> all = days.computeIfAbsent(payer, _ -> new TreeMap<>());
                        sums.forEach((day, charge) -> all.merge(day, charge, Charge::plus));
                    }));
            for (LedgerEntry entry : ledger.entries()) {
                if (entry.queue() != null && entry.isOpen()) {
                    paying(tree, entry.queue())
                            .forEach(payer -> entries.computeIfAbsent(payer, _ -> new ArrayList<>())
                                    .add(entry));
                }
            }
        }
    }

    /**
     * Returns the use of each queue in a ledger, weighted by age, and the whole use of open runs, without the queues
     * below it. O(days of queues + entries).
     */
    public static Map<String, Cost> used(Ledger ledger, HalfLife halfLife, long now, UseUnit unit) {
        Map<String, List<LedgerEntry>> open = ledger.entries().stream()
                .filter(entry -> entry.queue() != null)
                .collect(Collectors.groupingBy(entry -> Objects.requireNonNull(entry.queue())));
        Map<String, Cost> used = new HashMap<>();
        Stream.concat(ledger.queueDays().keySet().stream(), open.keySet().stream())
                .forEach(queue -> used.computeIfAbsent(queue, _ -> {
                    SortedMap<Long, Charge> sums = ledger.queueDays().getOrDefault(queue, Collections.emptySortedMap());
                    List<LedgerEntry> runs = open.getOrDefault(queue, List.of());
                    return new Ledger(ledger.namespace(), ledger.version(), ledger.statement(), sums, runs)
                            .used(halfLife, now, unit);
                }));
        return used;
    }

    /** Returns the queues with a budget among a queue and those above. */
    private List<String> paying(QueueTree tree, String queue) {
        return tree.payers(queue).stream().filter(budgets::containsKey).toList();
    }

    /**
     * Returns the accounts of each period that meets {@code [from, to)}, by queue.
     *
     * @param holds by holder of accounts, the promised windows that have not started
     */
    public List<Account> accounts(Map<String, List<CommittedWindow>> holds, long from, long to) {
        List<Account> accounts = new ArrayList<>();
        budgets.forEach((queue, budget) -> {
            String holder = Account.ofQueue(queue);
            Ledger ledger = new Ledger(
                    holder,
                    "",
                    LedgerStatement.NONE,
                    days.getOrDefault(queue, Collections.emptySortedMap()),
                    entries.getOrDefault(queue, List.of()));
            List<CommittedWindow> held = holds.getOrDefault(holder, List.of());
            for (Interval period : budget.periods(from, to)) {
                Cost left = ledger.balance(budget, period, held, Cost.ZERO).left();
                accounts.add(new Account(holder, period.start(), period.end(), left));
            }
        });
        return accounts;
    }
}
