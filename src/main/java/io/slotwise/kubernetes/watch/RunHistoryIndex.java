package io.slotwise.kubernetes.watch;

import io.slotwise.core.runtime.RunHistory;
import io.slotwise.core.work.InternalFailure;
import io.slotwise.kubernetes.crd.v1alpha1.NamespaceRunHistory;
import io.slotwise.kubernetes.crd.v1alpha1.ResourceVersion;
import io.slotwise.kubernetes.crd.v1alpha1.RunHistories;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jboss.logging.Logger;

/**
 * The newest known past runs of namespaces, from the watch and from the answers to this replica's own writes; of two
 * the one with the later resource version stays. One that cannot be read says nothing, and is replaced when the next
 * run of its namespace ends: no reader waits for it.
 */
public final class RunHistoryIndex {
    private static final Logger LOG = Logger.getLogger(RunHistoryIndex.class);

    private final Map<String, RunHistory> byNamespace = new ConcurrentHashMap<>();

    /** Takes in an object as the API server answered it; an older one than what is known is ignored. */
    public void accept(NamespaceRunHistory object) {
        if (!NamespaceRunHistory.NAME.equals(object.getMetadata().getName())) {
            return;
        }
        RunHistory read = read(object);
        byNamespace.merge(
                read.namespace(),
                read,
                (known, now) -> ResourceVersion.isLater(known.version(), now.version()) ? known : now);
    }

    private static RunHistory read(NamespaceRunHistory object) {
        String namespace = object.getMetadata().getNamespace();
        try {
            return RunHistories.history(object);
        } catch (RuntimeException e) {
            boolean foreseen = e instanceof IllegalArgumentException;
            LOG.errorf(
                    foreseen ? null : e,
                    "run history %s/%s cannot be read: %s; runtimes of this namespace are not predicted "
                            + "until another run ends there and replaces it",
                    namespace,
                    NamespaceRunHistory.NAME,
                    foreseen ? e.getMessage() : InternalFailure.of(e));
            return RunHistory.empty(namespace)
                    .at(String.valueOf(object.getMetadata().getResourceVersion()));
        }
    }

    /** Takes out what is deleted. */
    public void remove(NamespaceRunHistory object) {
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
                .removeIf(known -> !keys.contains(known.getKey() + "/" + NamespaceRunHistory.NAME)
                        && !ResourceVersion.isLater(known.getValue().version(), version));
    }

    /** All of them, by namespace. */
    public SortedMap<String, RunHistory> histories() {
        return new TreeMap<>(byNamespace);
    }
}
