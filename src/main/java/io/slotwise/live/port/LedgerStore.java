package io.slotwise.live.port;

import io.slotwise.core.ledger.Ledger;

/** Port: where ledgers are kept. Calls come from several threads at once, never two for one namespace. */
public interface LedgerStore {
    /**
     * Writes a ledger, if no replica wrote one since the version that it names.
     *
     * @return whether it is durable; if not, it is written again in the next cycle
     */
    boolean write(Ledger ledger);
}
