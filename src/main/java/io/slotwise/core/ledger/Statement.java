package io.slotwise.core.ledger;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What a ledger shows to people; nothing is computed from it.
 *
 * @param budget as it was seen last; null: none, or one that cannot be told
 * @param balances of the present period and those that the horizon reaches, in order
 */
public record Statement(@Nullable Allotment budget, List<Balance> balances) {
    /** Nothing to show. */
    public static final Statement NONE = new Statement(null, List.of());

    public Statement {
        balances = List.copyOf(balances);
    }
}
