package io.slotwise.live.port;

import io.slotwise.core.provision.Expense;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.core.provision.StartDelays;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What one replica tells the next one of purchases, beside the records.
 *
 * @param expenses what they have cost, by {@link PurchaseOrder#node}
 * @param resting until which second offers are not used, by name
 * @param delays how long nodes took to start, by the name of their offer
 */
public record PurchaseBooks(
        SortedMap<String, Expense> expenses, SortedMap<String, Long> resting, SortedMap<String, StartDelays> delays) {
    /** Nothing was bought. */
    public static final PurchaseBooks NONE =
            new PurchaseBooks(Collections.emptySortedMap(), Collections.emptySortedMap(), Collections.emptySortedMap());

    public PurchaseBooks {
        expenses = Collections.unmodifiableSortedMap(new TreeMap<>(expenses));
        resting = Collections.unmodifiableSortedMap(new TreeMap<>(resting));
        delays = Collections.unmodifiableSortedMap(new TreeMap<>(delays));
    }
}
