package io.slotwise.core.ledger;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The part of a ledger for users. Nothing is computed from it.
 *
 * @param budget the last known budget, or null if there is none or it is unreadable
 * @param balances the balances of the present period and those within the horizon, in order; the first 60
 */
public record LedgerStatement(@Nullable Allotment budget, List<AccountBalance> balances) {
    private static final int MOST_PERIODS = 60;

    public static final LedgerStatement NONE = new LedgerStatement(null, List.of());

    public LedgerStatement {
        balances = balances.stream().limit(MOST_PERIODS).toList();
    }
}
