package io.slotwise.live.port;

import io.slotwise.core.provision.Expense;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.core.provision.StartDelays;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The information about purchases that one replica leaves to the next, in addition to records.
 *
 * @param expenses the costs, by {@link PurchaseOrder#node}
 * @param resting until which second offers are paused, by name
 * @param delays how long nodes took to start, by the name of their offer
 */
public record PurchaseBooks(
        SortedMap<String, Expense> expenses, SortedMap<String, Long> resting, SortedMap<String, StartDelays> delays) {
    public static final PurchaseBooks NONE =
            new PurchaseBooks(Collections.emptySortedMap(), Collections.emptySortedMap(), Collections.emptySortedMap());

    public PurchaseBooks {
        expenses = Collections.unmodifiableSortedMap(new TreeMap<>(expenses));
        resting = Collections.unmodifiableSortedMap(new TreeMap<>(resting));
        delays = Collections.unmodifiableSortedMap(new TreeMap<>(delays));
    }
}
