package io.slotwise.live.port;

import io.slotwise.core.ledger.Ledger;

/** Port: stores ledgers. Called by several threads, but never by two for the same namespace. */
public interface LedgerStore {
    /**
     * Writes a ledger if its version is still the latest.
     *
     * @return whether it is durable; if not, the next cycle writes it again
     */
    boolean write(Ledger ledger);
}
