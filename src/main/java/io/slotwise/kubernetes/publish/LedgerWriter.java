package io.slotwise.kubernetes.publish;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.kubernetes.crd.v1alpha1.Ledgers;
import io.slotwise.kubernetes.crd.v1alpha1.NamespaceLedger;
import io.slotwise.kubernetes.refusal.ApiRefusal;
import io.slotwise.kubernetes.watch.LedgerIndex;
import io.slotwise.live.port.LedgerStore;
import org.jboss.logging.Logger;

/**
 * Keeps ledgers as objects: one that is new is created, another one replaced with the resource version that it was read
 * from, so that a write that comes second is refused. The answer goes into the index at once.
 */
public final class LedgerWriter implements LedgerStore {
    private static final Logger LOG = Logger.getLogger(LedgerWriter.class);

    private final KubernetesClient client;
    private final LedgerIndex index;

    public LedgerWriter(KubernetesClient client, LedgerIndex index) {
        this.client = client;
        this.index = index;
    }

    @Override
    public boolean write(Ledger ledger) {
        NamespaceLedger object = Ledgers.object(ledger);
        try {
            index.accept(
                    ledger.version().isEmpty()
                            ? client.resource(object).create()
                            : client.resource(object).update());
            return true;
        } catch (KubernetesClientException e) {
            if (ApiRefusal.endsWithItsNamespace(e)) {
                // The account ends, too: no record is to be kept for it.
                return true;
            }
            LOG.logf(
                    ApiRefusal.level(e),
                    "the ledger of namespace %s was not written; retrying: %s",
                    ledger.namespace(),
                    e.getMessage());
            return false;
        }
    }
}
