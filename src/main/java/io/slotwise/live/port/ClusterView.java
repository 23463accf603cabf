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

/** Port: what the loop sees of the cluster. All answers come from memory. */
public interface ClusterView {
    /** Whether everything that is needed has been seen at least once. */
    boolean ready();

    /**
     * Whether what is seen is the cluster as it is: everything that brings changes has proved a short while ago that it
     * does.
     */
    default boolean isCurrent() {
        return true;
    }

    /** What is there now. */
    ClusterFacts facts();

    /** What is known of all gangs now, in any order. */
    Collection<GangRecord> records();

    /** What is known of one gang now; null: nothing. */
    @Nullable
    GangRecord record(GangId gang);

    /** The gangs whose records cannot be read, and why: nothing can be written of them. */
    default Map<GangId, String> unreadable() {
        return Map.of();
    }

    /** The names of the namespaces that are known: those of gangs at least. */
    default Set<String> namespaces() {
        return namespacesWithGangs();
    }

    /** The names of the namespaces that have gangs or advance reservations. O(records). */
    default Set<String> namespacesWithGangs() {
        return records().stream().map(record -> record.gang().namespace()).collect(Collectors.toSet());
    }

    /** The pods of one gang that exist now. */
    List<Member> members(GangRecord record);

    /**
     * How the pods of a gang that runs come back if those that are left are evicted; empty: some of them are not made
     * again.
     */
    default Optional<Remade> remade(GangRecord record) {
        return Optional.empty();
    }

    /**
     * How the pods of a gang come back after an eviction.
     *
     * @param timing how long they are away at most
     * @param request no pod of the gang takes more of any resource
     */
    record Remade(EvictionTiming timing, Resources request) {}

    /**
     * Whether the pods of a gang's window are those that it was promised to, as they were then. Others start once a
     * cycle has looked at them.
     */
    default boolean isAsPromised(GangRecord record) {
        return true;
    }

    /**
     * How many millionths of what it was promised the node of a bound pod has allocated to it, a resize once it is
     * granted; empty: it cannot be told now.
     */
    default OptionalLong part(String namespace, Member member, Resources promised) {
        return OptionalLong.empty();
    }

    /** Whether a node is there, ready and not cordoned. */
    boolean usable(String node);

    /** The UID of the node of this name, which another one of the same name does not have; empty: it is not known. */
    default String nodeUid(String node) {
        return "";
    }

    /**
     * Whether the pods of a window fit on their nodes beside those that are bound there now.
     *
     * @param others windows whose pods are on their way: on the same nodes they need room too
     */
    boolean hasRoom(Window window, Collection<Window> others);

    /**
     * Makes the planner's snapshot.
     *
     * @param settings that the cycle goes by
     * @param records of the gangs, with the promises that stand
     * @param now the second of the facts, which is the first in which a window may start, since the epoch
     */
    Intaken take(LoopSettings settings, Collection<GangRecord> records, long now);

    /**
     * What a snapshot was made of.
     *
     * @param snapshot for the planner
     * @param names who names which advance reservation
     * @param notices what an admin should be told
     * @param sources where the runtimes of gangs come from that were not promised a window with another one
     * @param pods of each gang of the snapshot the fingerprint of its pods, as far as it is known
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

        /** The same with another snapshot. */
        public Intaken with(UnaryOperator<Snapshot> change) {
            return new Intaken(change.apply(snapshot), names, notices, sources, pods);
        }
    }

    /**
     * Something that an admin should be told about an object.
     *
     * @param kind such as {@code Node}
     * @param namespace empty if it has none
     * @param name of the object
     * @param reason one word in camel case
     * @param message one sentence
     * @param failure the error behind it, of which the sentence has only the id; null: there is none
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

        /** One without an error behind it. */
        public Notice(String kind, String namespace, String name, String reason, String message) {
            this(kind, namespace, name, reason, message, null);
        }
    }
}
