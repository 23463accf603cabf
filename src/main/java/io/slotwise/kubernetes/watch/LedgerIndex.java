package io.slotwise.kubernetes.watch;

import io.slotwise.core.ledger.Grant;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.kubernetes.crd.v1alpha1.Ledgers;
import io.slotwise.kubernetes.crd.v1alpha1.NamespaceLedger;
import java.util.Map;
import java.util.SortedMap;

/** The newest known ledgers. A namespace whose ledger cannot be read has a budget that cannot be told. */
public final class LedgerIndex extends NamespaceIndex<NamespaceLedger, Ledger> {
    public LedgerIndex() {
        super(
                "ledger",
                "gangs of this namespace are promised no windows. Maybe restore it from a backup.",
                Ledgers::ledger);
    }

    /** All that can be read, by namespace. */
    public SortedMap<String, Ledger> ledgers() {
        return readable();
    }

    /** Budgets that cannot be told because the ledger cannot be read. */
    Map<String, Grant> unreadable() {
        return unreadable((_, _, problem) -> new Grant.Unreadable(problem));
    }
}
