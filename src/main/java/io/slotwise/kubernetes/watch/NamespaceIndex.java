package io.slotwise.kubernetes.watch;

import io.slotwise.core.ledger.Ledger;
import io.slotwise.core.runtime.RunHistory;
import io.slotwise.core.work.InternalFailure;
import io.slotwise.kubernetes.crd.v1alpha1.Ledgers;
import io.slotwise.kubernetes.crd.v1alpha1.NamespaceLedger;
import io.slotwise.kubernetes.crd.v1alpha1.NamespaceObject;
import io.slotwise.kubernetes.crd.v1alpha1.NamespaceRunHistory;
import io.slotwise.kubernetes.crd.v1alpha1.ResourceVersion;
import io.slotwise.kubernetes.crd.v1alpha1.RunHistories;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The newest known objects of a kind with one object per namespace. They come from the watch and from the answers to
 * this replica's own writes; the later resource version wins.
 *
 * @param <O> the object
 * @param <V> the value read from it
 */
public final class NamespaceIndex<O extends NamespaceObject<?>, V> {
    private static final Logger LOG = Logger.getLogger(NamespaceIndex.class);

    private final String what;
    private final String consequence;
    private final Function<O, V> reader;
    private final BiFunction<String, String, @Nullable V> unread;
    private final Map<String, Known<V>> byNamespace = new ConcurrentHashMap<>();

    /**
     * @param what the kind in words
     * @param consequence the consequence of an unreadable object, in words that follow the reason
     * @param reader throws IllegalArgumentException if an object cannot be read
     * @param unread returns the value for an unreadable object, by namespace and version, or null
     */
    private NamespaceIndex(
            String what, String consequence, Function<O, V> reader, BiFunction<String, String, @Nullable V> unread) {
        this.what = what;
        this.consequence = consequence;
        this.reader = reader;
        this.unread = unread;
    }

    /**
     * Creates an empty index of ledgers. A namespace whose ledger is unreadable has a budget that cannot be reported.
     */
    public static NamespaceIndex<NamespaceLedger, Ledger> ofLedgers() {
        return new NamespaceIndex<>(
                "ledger",
                "gangs of this namespace are promised no windows. Maybe restore it from a backup.",
                Ledgers::ledger,
                (_, _) -> null);
    }

    /**
     * Creates an empty index of run histories. An unreadable one has no effect, and the next run that ends in its
     * namespace replaces it.
     */
    public static NamespaceIndex<NamespaceRunHistory, RunHistory> ofRuns() {
        return new NamespaceIndex<>(
                "run history",
                "runtimes of this namespace are not predicted until another run ends there and replaces it",
                RunHistories::history,
                (namespace, version) -> RunHistory.empty(namespace).at(version));
    }

    private record Known<V>(String version, @Nullable V value, String problem) {}

    /** Adds an object from an answer of the API server, unless a newer version is known. */
    public void accept(O object) {
        if (NamespaceObject.NAME.equals(object.getMetadata().getName())) {
            byNamespace.merge(
                    object.getMetadata().getNamespace(),
                    read(object),
                    (known, currentKnown) ->
                            ResourceVersion.isLater(known.version(), currentKnown.version()) ? known : currentKnown);
        }
    }

    private Known<V> read(O object) {
        try {
            return new Known<>(version(object), reader.apply(object), "");
        } catch (RuntimeException e) {
            boolean foreseen = e instanceof IllegalArgumentException;
            String problem = "%s %s/%s cannot be read: %s"
                    .formatted(
                            what,
                            object.getMetadata().getNamespace(),
                            NamespaceObject.NAME,
                            foreseen ? e.getMessage() : InternalFailure.of(e));
            LOG.errorf(foreseen ? null : e, "%s; %s", problem, consequence);
            String version = version(object);
            return new Known<>(version, unread.apply(object.getMetadata().getNamespace(), version), problem);
        }
    }

    private static String version(NamespaceObject<?> object) {
        return String.valueOf(object.getMetadata().getResourceVersion());
    }

    public void remove(O object) {
        byNamespace.computeIfPresent(
                object.getMetadata().getNamespace(),
                (namespace, known) -> ResourceVersion.isLater(known.version(), version(object)) ? known : null);
    }

    /**
     * Removes the objects that a list lacks, because their deletion was not seen.
     *
     * @param keys the keys of all listed objects, as {@code NAMESPACE/NAME}
     * @param version the version of the list; newer objects are kept
     */
    void listed(Set<String> keys, String version) {
        byNamespace
                .entrySet()
                .removeIf(knownEntry -> !keys.contains(knownEntry.getKey() + "/" + NamespaceObject.NAME)
                        && !ResourceVersion.isLater(knownEntry.getValue().version(), version));
    }

    public SortedMap<String, V> values() {
        SortedMap<String, V> values = new TreeMap<>();
        byNamespace.forEach((namespace, known) -> {
            if (known.value() != null) {
                values.put(namespace, known.value());
            }
        });
        return values;
    }

    SortedMap<String, String> problems() {
        SortedMap<String, String> problems = new TreeMap<>();
        byNamespace.forEach((namespace, known) -> {
            if (known.value() == null) {
                problems.put(namespace, known.problem());
            }
        });
        return problems;
    }
}
