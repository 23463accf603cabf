package io.slotwise.kubernetes.publish;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.slotwise.kubernetes.crd.v1alpha1.Ledgers;
import io.slotwise.kubernetes.crd.v1alpha1.NamespaceLedger;
import io.slotwise.kubernetes.crd.v1alpha1.NamespaceObject;
import io.slotwise.kubernetes.crd.v1alpha1.NamespaceRunHistory;
import io.slotwise.kubernetes.crd.v1alpha1.RunHistories;
import io.slotwise.kubernetes.refusal.ApiRefusal;
import io.slotwise.kubernetes.watch.LedgerIndex;
import io.slotwise.kubernetes.watch.RunHistoryIndex;
import io.slotwise.live.port.LedgerStore;
import io.slotwise.live.port.RunHistoryStore;
import java.util.function.Consumer;
import org.jboss.logging.Logger;

/**
 * Keeps what a namespace has one of: an object that is new is created, another one replaced with the resource version
 * that it was read from, so that a write that comes second is refused. The answer goes into the index at once.
 *
 * @param client of the API server
 * @param what it is, in words
 * @param index is handed what the API server answered
 * @param <O> the object
 */
public record NamespaceWriter<O extends NamespaceObject<?>>(KubernetesClient client, String what, Consumer<O> index) {
    private static final Logger LOG = Logger.getLogger(NamespaceWriter.class);

    /** Keeps ledgers. */
    public static LedgerStore ledgers(KubernetesClient client, LedgerIndex index) {
        var writer = new NamespaceWriter<NamespaceLedger>(client, "ledger", index::accept);
        return ledger -> writer.write(Ledgers.object(ledger), ledger.version());
    }

    /** Keeps past runs. */
    public static RunHistoryStore runs(KubernetesClient client, RunHistoryIndex index) {
        var writer = new NamespaceWriter<NamespaceRunHistory>(client, "run history", index::accept);
        return runs -> writer.write(RunHistories.object(runs), runs.version());
    }

    private boolean write(O object, String version) {
        try {
            index.accept(
                    version.isEmpty()
                            ? client.resource(object).create()
                            : client.resource(object).update());
            return true;
        } catch (KubernetesClientException e) {
            if (ApiRefusal.endsWithItsNamespace(e)) {
                // What is kept for it ends, too: no record is needed.
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
