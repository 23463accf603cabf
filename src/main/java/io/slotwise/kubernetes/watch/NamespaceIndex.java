package io.slotwise.kubernetes.watch;

import io.slotwise.core.work.InternalFailure;
import io.slotwise.kubernetes.crd.v1alpha1.NamespaceObject;
import io.slotwise.kubernetes.crd.v1alpha1.ResourceVersion;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The newest known objects of which a namespace has one, from the watch and from the answers to this replica's own
 * writes; of two the one with the later resource version stays.
 *
 * @param <O> the object
 * @param <V> what is read from it
 */
abstract class NamespaceIndex<O extends NamespaceObject<?>, V> {
    private final Logger log = Logger.getLogger(getClass());
    private final String what;
    private final String consequence;
    private final Function<O, V> reader;
    private final Map<String, Known<V>> byNamespace = new ConcurrentHashMap<>();

    /**
     * @param what it is, in words
     * @param consequence of one that cannot be read, in words that follow the reason
     * @param reader throws IllegalArgumentException if an object cannot be read
     */
    NamespaceIndex(String what, String consequence, Function<O, V> reader) {
        this.what = what;
        this.consequence = consequence;
        this.reader = reader;
    }

    private record Known<V>(String version, @Nullable V value, String problem) {}

    /** Takes in an object as the API server answered it; an older one than what is known is ignored. */
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
            log.errorf(foreseen ? null : e, "%s; %s", problem, consequence);
            return new Known<>(version(object), null, problem);
        }
    }

    private static String version(NamespaceObject<?> object) {
        return String.valueOf(object.getMetadata().getResourceVersion());
    }

    /** Takes out an object that is deleted. */
    public void remove(O object) {
        byNamespace.computeIfPresent(
                object.getMetadata().getNamespace(),
                (namespace, known) -> ResourceVersion.isLater(known.version(), version(object)) ? known : null);
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
                .removeIf(knownEntry -> !keys.contains(knownEntry.getKey() + "/" + NamespaceObject.NAME)
                        && !ResourceVersion.isLater(knownEntry.getValue().version(), version));
    }

    /** All that can be read, by namespace. */
    SortedMap<String, V> readable() {
        SortedMap<String, V> values = new TreeMap<>();
        byNamespace.forEach((namespace, known) -> {
            if (known.value() != null) {
                values.put(namespace, known.value());
            }
        });
        return values;
    }

    /** What is wrong with the others, and their version. */
    <T> SortedMap<String, T> unreadable(Unread<T> madeUnread) {
        SortedMap<String, T> values = new TreeMap<>();
        byNamespace.forEach((namespace, known) -> {
            if (known.value() == null) {
                values.put(namespace, madeUnread.of(namespace, known.version(), known.problem()));
            }
        });
        return values;
    }

    /** What stands for an object that cannot be read. */
    interface Unread<T> {
        T of(String namespace, String version, String problem);
    }
}
