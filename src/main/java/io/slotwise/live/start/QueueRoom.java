package io.slotwise.live.start;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Request;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.queue.QueueState;
import io.slotwise.core.queue.QueueTimeline;
import io.slotwise.core.queue.QueueUse;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;
import io.slotwise.live.port.ClusterView;
import io.slotwise.live.record.GangRecord;
import io.slotwise.live.record.Phase;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Tells whether queues have room for a gang whose window begins. A plan lets gangs end with their windows, so a gang
 * that runs longer can take the room of others. A gang waits only if it would fit without such gangs. So a promise
 * holds although a limit was lowered.
 */
final class QueueRoom {
    private final ClusterView view;
    private final Predicate<GangRecord> isStarting;
    private @Nullable Planned planned;
    /** The uses in the seconds of starts, or none where no gang is late. */
    private final TreeMap<Long, Optional<Uses>> bySecond = new TreeMap<>();

    /**
     * The queues and gangs of the last cycle.
     *
     * @param waiting the gangs of queues that had not started, by their names in {@link QueueUse}
     */
    private record Planned(QueueState queues, Map<String, Gang> waiting) {}

    /** The use of a gang that has begun; {@code late} tells whether it runs beyond its window. */
    private record Begun(String holder, String queue, Resources total, boolean late) {}

    /** The use of queues in one second, by all gangs and without those that run beyond their windows. */
    private record Uses(QueueTimeline wholeTimeline, QueueTimeline promptTimeline) {
        void take(String queue, Resources total, Interval interval, boolean ofLate) {
            wholeTimeline.take(queue, total, interval);
            if (!ofLate) {
                promptTimeline.take(queue, total, interval);
            }
        }
    }

    /** Creates one; {@code isStarting} tells whether a gang has begun to start without a record of it. */
    QueueRoom(ClusterView view, Predicate<GangRecord> isStarting) {
        this.view = view;
        this.isStarting = isStarting;
    }

    /** Takes over the queues of a new cycle. */
    synchronized void renew(Snapshot snapshot) {
        QueueState queues = snapshot.queues();
        bySecond.clear();
        planned = queues == null
                ? null
                : new Planned(
                        queues,
                        snapshot.requests().stream()
                                .map(Request::gang)
                                .filter(gang -> gang.queue() != null)
                                .collect(Collectors.toMap(
                                        gang -> gang.id().toString(), gang -> gang, (first, _) -> first)));
    }

    /**
     * Returns whether a gang fits into its queue at its start. The first call for a second takes O(gangs), and if one
     * is late O(queues + pods of gangs in queues). Another one takes what {@link QueueTimeline#allows} takes.
     */
    synchronized boolean fits(GangRecord record, long now) {
        Planned last = planned;
        Gang gang = last == null ? null : last.waiting.get(record.gang().toString());
        String queue = gang == null ? null : gang.queue();
        if (last == null || gang == null || queue == null || !last.queues.tree().isOpen(queue)) {
            return true;
        }
        long at = Math.max(now, record.windowStart().orElse(now));
        Interval second = new Interval(at, at + 1);
        bySecond.headMap(now).clear();
        return bySecond.computeIfAbsent(at, _ -> made(last, second))
                .map(uses -> uses.wholeTimeline.allows(queue, gang.total(), second, null)
                        || !uses.promptTimeline.allows(queue, gang.total(), second, null))
                .orElse(true);
    }

    /** Notes that a gang starts, so that the next one of the same second finds its use. */
    synchronized void start(GangRecord record) {
        Gang gang = planned == null ? null : planned.waiting.get(record.gang().toString());
        String queue = gang == null ? null : gang.queue();
        if (gang != null && queue != null) {
            bySecond.forEach((at, made) ->
                    made.ifPresent(uses -> uses.take(queue, gang.total(), new Interval(at, at + 1), false)));
        }
    }

    private Optional<Uses> made(Planned last, Interval second) {
        List<Begun> begun = new ArrayList<>();
        last.queues
                .running()
                .forEach(use -> begun.add(
                        new Begun(use.holder(), use.queue(), use.total(), isLate(record(use.holder()), second))));
        last.waiting.forEach((holder, gang) -> {
            GangRecord record = record(holder);
            if (record != null && gang.queue() != null && hasBegun(record)) {
                begun.add(new Begun(holder, gang.queue(), gang.total(), isLate(record, second)));
            }
        });
        if (begun.stream().noneMatch(one -> one.late && runs(one.holder))) {
            return Optional.empty();
        }
        QueueState unusedState = new QueueState(last.queues.tree(), List.of());
        Uses uses = new Uses(new QueueTimeline(unusedState), new QueueTimeline(unusedState));
        begun.stream()
                .filter(one -> runs(one.holder))
                .forEach(one -> uses.take(one.queue, one.total, second, one.late));
        return Optional.of(uses);
    }

    private static boolean isLate(@Nullable GangRecord record, Interval second) {
        Promise promise = record == null ? null : record.promise();
        return promise != null && promise.window().end() <= second.start();
    }

    /** Returns whether a gang has pods on nodes, or on their way there. One without a record may have some. */
    private boolean runs(String holder) {
        GangRecord record = record(holder);
        return record == null
                || view.members(record).stream().anyMatch(member -> switch (member.state()) {
                    case BOUND, TERMINATING -> true;
                    case WAITING -> hasBegun(record);
                    case ENDED -> false;
                });
    }

    private boolean hasBegun(GangRecord record) {
        return record.phase() == Phase.STARTING || record.phase().started() || isStarting.test(record);
    }

    private @Nullable GangRecord record(String holder) {
        int slash = holder.indexOf('/');
        return view.record(new GangId(holder.substring(0, slash), holder.substring(slash + 1)));
    }
}
