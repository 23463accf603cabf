package io.slotwise.core.ledger;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What a ledger shows to people; nothing is computed from it. */
public record LedgerStatement(@Nullable Allotment budget, List<AccountBalance> balances) {
    public static final LedgerStatement NONE = new LedgerStatement(null, List.of());

    public LedgerStatement {
        balances = List.copyOf(balances);
    }
}
