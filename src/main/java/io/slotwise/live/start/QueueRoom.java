package io.slotwise.live.start;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.queue.QueueState;
import io.slotwise.core.queue.QueueTimeline;
import io.slotwise.core.queue.QueueUse;
import io.slotwise.core.time.Interval;
import io.slotwise.live.port.ClusterView;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Member;
import io.slotwise.live.record.Phase;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether queues have room for a gang whose window has begun. A plan lets gangs end with their windows, so only
 * gangs that run longer can take the room of others.
 */
final class QueueRoom {
    private final ClusterView view;
    private volatile @Nullable Planned planned;

    /**
     * The queues and gangs of the last cycle.
     *
     * @param waiting the gangs of queues that had not started, by their names in {@link QueueUse}
     */
    private record Planned(QueueState queues, Map<String, Gang> waiting) {}

    QueueRoom(ClusterView view) {
        this.view = view;
    }

    /** Takes over the queues of a new cycle. */
    void renew(Snapshot snapshot) {
        QueueState queues = snapshot.queues();
        planned = queues == null
                ? null
                : new Planned(
                        queues,
                        snapshot.requests().stream()
                                .map(Request::gang)
                                .filter(gang -> gang.queue() != null)
                                .collect(Collectors.toMap(gang -> gang.id().toString(), gang -> gang)));
    }

    /**
     * Returns whether a gang fits into its queue next to all gangs that run or start. O(gangs of queues), and if one
     * runs beyond its window O(queues) besides.
     *
     * @param isStarting whether a gang of the last cycle has begun to start
     */
    boolean fits(GangRecord record, Predicate<GangRecord> isStarting, long now) {
        Planned last = planned;
        Gang gang = last == null ? null : last.waiting.get(record.gang().toString());
        String queue = gang == null ? null : gang.queue();
        if (last == null
                || gang == null
                || queue == null
                || !last.queues.tree().isOpen(queue)
                || last.queues.running().stream().noneMatch(use -> isOverdue(use, now))) {
            return true;
        }
        Interval second = new Interval(now, now + 1);
        QueueTimeline timeline = new QueueTimeline(new QueueState(
                last.queues.tree(),
                last.queues.running().stream()
                        .filter(use -> runs(use.holder()))
                        .map(use -> new QueueUse(use.holder(), use.queue(), use.total(), second))
                        .toList()));
        last.waiting.forEach((holder, other) -> {
            GangRecord otherRecord = record(holder);
            if (!other.id().equals(gang.id())
                    && other.queue() != null
                    && otherRecord != null
                    && (hasBegun(otherRecord) || isStarting.test(otherRecord))
                    && hasPods(otherRecord)) {
                timeline.take(other.queue(), other.total(), second);
            }
        });
        return timeline.allows(queue, gang.total(), second, null);
    }

    private boolean isOverdue(QueueUse use, long now) {
        GangRecord record = record(use.holder());
        Promise promise = record == null ? null : record.promise();
        return promise != null && promise.window().end() <= now && runs(use.holder());
    }

    /** Returns whether a gang that had started has not ended since. One without a record may run. */
    private boolean runs(String holder) {
        GangRecord record = record(holder);
        return record == null || hasPods(record);
    }

    private static boolean hasBegun(GangRecord record) {
        return record.phase() == Phase.STARTING || record.phase().started();
    }

    private boolean hasPods(GangRecord record) {
        return view.members(record).stream().anyMatch(member -> member.state() != Member.State.ENDED);
    }

    private @Nullable GangRecord record(String holder) {
        int slash = holder.indexOf('/');
        return view.record(new GangId(holder.substring(0, slash), holder.substring(slash + 1)));
    }
}
