package io.slotwise.core.ledger;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a ledger shows to people; nothing is computed from it.
 *
 * @param budget as it was seen last; null: none, or one that cannot be told
 * @param balances of the present period and those that the horizon reaches, in order
 */
public record LedgerStatement(@Nullable Allotment budget, List<AccountBalance> balances) {
    /** Nothing to show. */
    public static final LedgerStatement NONE = new LedgerStatement(null, List.of());

    public LedgerStatement {
        balances = List.copyOf(balances);
    }
}
