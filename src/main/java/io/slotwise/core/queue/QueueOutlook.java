package io.slotwise.core.queue;

import io.slotwise.core.time.StepFunction;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The use of queues from a second on, next to what they are guaranteed and limited to. The steps of a resource take
 * O(b log b) with b pieces of use, guarantee and limit.
 */
public final class QueueOutlook {
    static final int MOST_STEPS = 60;

    private final QueueUses uses;
    private final long from;
    private final long until;

    /**
     * Seconds of an outlook.
     *
     * @param use the most use
     * @param guarantee the guarantee in the first second
     * @param limit the limit in the first second, {@link Amount#MOST} for none
     */
    public record Step(long start, long end, long use, long guarantee, long limit) {}

    /**
     * @param state with the use of all gangs that run or have a window
     * @param from the first second
     * @param horizonEnd the end of the outlook, unless all use ends before
     */
    public QueueOutlook(QueueState state, long from, long horizonEnd) {
        this.uses = new QueueUses(state.tree(), state.running());
        this.from = from;
        long last = state.running().stream()
                .mapToLong(use -> use.interval().end())
                .max()
                .orElse(horizonEnd);
        this.until = Math.max(from + 1, Math.min(last, horizonEnd));
    }

    /**
     * Returns the steps of a queue and the queues below it: one for each change of use, guarantee or limit. Neighbours
     * are joined where there would be more than {@link #MOST_STEPS}.
     */
    public List<Step> steps(String queue, String resource) {
        StepFunction useFunction = uses.of(queue, resource);
        StepFunction guarantee = uses.tree().guarantee(queue, resource);
        StepFunction limit = uses.tree().limit(queue, resource);
        SortedSet<Long> changes = new TreeSet<>(List.of(from));
        for (StepFunction function : List.of(useFunction, guarantee, limit)) {
            for (int i = function.pieceAt(from) + 1; i < function.pieces() && function.start(i) < until; i++) {
                changes.add(function.start(i));
            }
        }
        List<Long> starts = List.copyOf(changes);
        int joined = Math.ceilDiv(starts.size(), MOST_STEPS);
        List<Step> steps = new ArrayList<>();
        for (int i = 0; i < starts.size(); i += joined) {
            long start = starts.get(i);
            long end = i + joined < starts.size() ? starts.get(i + joined) : until;
            steps.add(new Step(start, end, useFunction.max(start, end), guarantee.at(start), limit.at(start)));
        }
        return steps;
    }
}
