package io.slotwise.kubernetes.publish;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.core.runtime.RunHistory;
import io.slotwise.kubernetes.crd.v1alpha1.Ledgers;
import io.slotwise.kubernetes.crd.v1alpha1.NamespaceLedger;
import io.slotwise.kubernetes.crd.v1alpha1.NamespaceObject;
import io.slotwise.kubernetes.crd.v1alpha1.NamespaceRunHistory;
import io.slotwise.kubernetes.crd.v1alpha1.RunHistories;
import io.slotwise.kubernetes.refusal.ApiRefusal;
import io.slotwise.kubernetes.watch.NamespaceIndex;
import io.slotwise.live.port.LedgerStore;
import io.slotwise.live.port.RunHistoryStore;
import org.jboss.logging.Logger;

/**
 * Writes ledgers and run histories, one of each per namespace. A new object is created. An existing one is replaced
 * with the resource version that was read, so that the second of two writes is refused. The answer is added to the
 * index at once.
 */
public record NamespaceWriter(
        KubernetesClient client,
        NamespaceIndex<NamespaceLedger, Ledger> ledgersIndex,
        NamespaceIndex<NamespaceRunHistory, RunHistory> runsIndex)
        implements LedgerStore, RunHistoryStore {
    private static final Logger LOG = Logger.getLogger(NamespaceWriter.class);

    @Override
    public boolean write(Ledger ledger) {
        return write(Ledgers.object(ledger), ledger.version(), "ledger", ledgersIndex);
    }

    @Override
    public void write(RunHistory history) {
        write(RunHistories.object(history), history.version(), "run history", runsIndex);
    }

    private <O extends NamespaceObject<?>> boolean write(
            O object, String version, String what, NamespaceIndex<O, ?> index) {
        try {
            index.accept(
                    version.isEmpty()
                            ? client.resource(object).create()
                            : client.resource(object).update());
            return true;
        } catch (KubernetesClientException e) {
            if (ApiRefusal.endsWithItsNamespace(e)) {
                // The namespace is being deleted, so no record is needed.
                return true;
            }
            LOG.logf(
                    ApiRefusal.level(e),
                    "the %s of namespace %s was not written; retrying: %s",
                    what,
                    object.getMetadata().getNamespace(),
                    e.getMessage());
            return false;
        }
    }
}
