package io.slotwise.live.port;

import io.slotwise.core.gang.GangId;
import io.slotwise.core.migration.EvictionTiming;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.reservation.ReservationNames;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.runtime.RuntimeSource;
import io.slotwise.core.text.SafeText;
import io.slotwise.core.window.Window;
import io.slotwise.core.work.InternalFailure;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Member;
import io.slotwise.live.settings.LoopSettings;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.SortedMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Port: the loop's view of the cluster. All answers come from memory. */
public interface ClusterView {
    /** Returns whether everything necessary has been seen at least once. */
    boolean ready();

    /** Returns whether the view is up to date: every watch has recently proved that it delivers changes. */
    default boolean isCurrent() {
        return true;
    }

    ClusterFacts facts();

    /** Returns the records of all gangs, in any order. */
    Collection<GangRecord> records();

    /** Returns the record of one gang. Null if there is none. */
    @Nullable
    GangRecord record(GangId gang);

    /** Returns the gangs whose records cannot be read, and why. Nothing can be written to these records. */
    default Map<GangId, String> unreadable() {
        return Map.of();
    }

    /** Returns the known namespaces, at least those of gangs. */
    default Set<String> namespaces() {
        return namespacesWithGangs();
    }

    /** Returns the namespaces with gangs or advance reservations. O(records). */
    default Set<String> namespacesWithGangs() {
        return records().stream().map(record -> record.gang().namespace()).collect(Collectors.toSet());
    }

    /** Returns the existing pods of a gang. */
    List<Member> members(GangRecord record);

    /** Returns how the pods of a running gang are recreated after an eviction. Empty if some are not. */
    default Optional<Remade> remade(GangRecord record) {
        return Optional.empty();
    }

    /** The recreation of a gang's pods after an eviction. */
    record Remade(EvictionTiming timing, Resources request) {}

    /**
     * Returns whether the pods of a gang's window are still those that it was promised to, without changes. Other pods
     * start once a cycle has seen them.
     */
    default boolean isAsPromised(GangRecord record) {
        return true;
    }

    /**
     * Returns the resources that a bound pod's node has allocated to it, a granted resize included, in millionths of
     * the promised ones. Empty if unknown.
     */
    default OptionalLong part(String namespace, Member member, Resources promised) {
        return OptionalLong.empty();
    }

    /** Returns whether a node exists, is ready and is not cordoned. */
    boolean usable(String node);

    /** Returns the UID of the node, which tells it from an earlier one of the same name. Empty if not known. */
    default String nodeUid(String node) {
        return "";
    }

    /**
     * Returns whether the pods of a window fit on their nodes next to those that are bound there now.
     *
     * @param others windows whose pods are on their way and need room on the same nodes
     */
    boolean hasRoom(Window window, Collection<Window> others);

    /**
     * Makes the planner's snapshot.
     *
     * @param records of the gangs, with their current promises
     * @param now the second of the facts and the earliest start of a window, since the epoch
     */
    Intaken take(LoopSettings settings, Collection<GangRecord> records, long now);

    /**
     * A snapshot and its sources.
     *
     * @param names the advance reservations that gangs name
     * @param sources the sources of runtimes, for gangs that were not promised a window with another one
     * @param pods the known fingerprints of the pods of each gang in the snapshot
     */
    record Intaken(
            Snapshot snapshot,
            ReservationNames names,
            List<Notice> notices,
            SortedMap<GangId, RuntimeSource> sources,
            Map<GangId, String> pods) {
        public Intaken {
            notices = List.copyOf(notices);
        }

        public Intaken with(UnaryOperator<Snapshot> change) {
            return new Intaken(change.apply(snapshot), names, notices, sources, pods);
        }
    }

    /**
     * A message to an admin about an object.
     *
     * @param kind such as {@code Node}
     * @param namespace empty if it has none
     * @param reason one word in camel case
     * @param message one sentence
     * @param failure the error behind the message, which has only its id; null if there is none
     */
    record Notice(
            String kind,
            String namespace,
            String name,
            String reason,
            String message,
            @Nullable InternalFailure failure) {
        public Notice {
            message = SafeText.line(message);
        }

        /** Creates a notice without an error. */
        public Notice(String kind, String namespace, String name, String reason, String message) {
            this(kind, namespace, name, reason, message, null);
        }
    }
}
