package io.slotwise.kubernetes.watch;

import io.slotwise.core.ledger.Grant;
import io.slotwise.core.ledger.Ledger;
import io.slotwise.core.work.Bug;
import io.slotwise.kubernetes.crd.v1alpha1.Ledgers;
import io.slotwise.kubernetes.crd.v1alpha1.NamespaceLedger;
import io.slotwise.kubernetes.crd.v1alpha1.ResourceVersion;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The newest known ledgers, from the watch and from the answers to this replica's own writes; of two the one with the later
 * resource version stays. A namespace whose ledger cannot be read has a budget that cannot be told.
 */
public final class LedgerIndex {
    private static final Logger LOG = Logger.getLogger(LedgerIndex.class);

    private final Map<String, Known> byNamespace = new ConcurrentHashMap<>();

    private record Known(String version, @Nullable Ledger ledger, String problem) {}

    /** Takes in a ledger as the API server answered it; an older one than what is known is ignored. */
    public void accept(NamespaceLedger object) {
        if (!NamespaceLedger.NAME.equals(object.getMetadata().getName())) {
            return;
        }
        String namespace = object.getMetadata().getNamespace();
        Known read = read(object, namespace);
        byNamespace.merge(
                namespace, read, (known, now) -> ResourceVersion.isLater(known.version(), now.version()) ? known : now);
    }

    private static Known read(NamespaceLedger object, String namespace) {
        String version = String.valueOf(object.getMetadata().getResourceVersion());
        try {
            return new Known(version, Ledgers.ledger(object), "");
        } catch (RuntimeException e) {
            boolean foreseen = e instanceof IllegalArgumentException;
            String problem = "ledger %s/%s cannot be read: %s"
                    .formatted(namespace, NamespaceLedger.NAME, foreseen ? e.getMessage() : Bug.of(e));
            LOG.errorf(
                    foreseen ? null : e,
                    "%s; gangs of this namespace are promised no windows. Maybe restore it from a backup.",
                    problem);
            return new Known(version, null, problem);
        }
    }

    /** Takes out a ledger that is deleted. */
    public void remove(NamespaceLedger object) {
        byNamespace.computeIfPresent(
                object.getMetadata().getNamespace(),
                (namespace, known) -> ResourceVersion.isLater(
                                known.version(),
                                String.valueOf(object.getMetadata().getResourceVersion()))
                        ? known
                        : null);
    }

    /**
     * Takes out what a list does not have: it was deleted while nothing was seen.
     *
     * @param keys all that there were, as {@code NAMESPACE/NAME}
     * @param version of the list; what is newer has come since
     */
    void listed(Set<String> keys, String version) {
        byNamespace
                .entrySet()
                .removeIf(known -> !keys.contains(known.getKey() + "/" + NamespaceLedger.NAME)
                        && !ResourceVersion.isLater(known.getValue().version(), version));
    }

    /** All that can be read, by namespace. */
    public SortedMap<String, Ledger> ledgers() {
        TreeMap<String, Ledger> ledgers = new TreeMap<>();
        byNamespace.forEach((namespace, known) -> {
            if (known.ledger() != null) {
                ledgers.put(namespace, known.ledger());
            }
        });
        return ledgers;
    }

    /** Budgets that cannot be told because the ledger cannot be read. */
    Map<String, Grant> unreadable() {
        TreeMap<String, Grant> unreadable = new TreeMap<>();
        byNamespace.forEach((namespace, known) -> {
            if (known.ledger() == null) {
                unreadable.put(namespace, new Grant.Unreadable(known.problem()));
            }
        });
        return unreadable;
    }
}
