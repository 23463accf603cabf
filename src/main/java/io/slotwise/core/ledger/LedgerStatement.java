package io.slotwise.core.ledger;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a ledger shows to people; nothing is computed from it.
 *
 * @param budget as it was seen last; null: none, or one that cannot be told
 * @param balances of the present period and those that the horizon reaches, in order; the first 60
 */
public record LedgerStatement(@Nullable Allotment budget, List<AccountBalance> balances) {
    private static final int MOST_PERIODS = 60;

    public static final LedgerStatement NONE = new LedgerStatement(null, List.of());

    public LedgerStatement {
        balances = balances.stream().limit(MOST_PERIODS).toList();
    }
}
