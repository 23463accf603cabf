package io.slotwise.core.gang;

import io.slotwise.core.time.Interval;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Pods that must start together.
 *
 * @param id its name
 * @param pods the names of the pods, sorted; one pod of the window for each
 * @param request what each pod asks for
 * @param budget what it may pay
 * @param criterion what it wants to be least
 * @param earliestStart the window starts no earlier, seconds since the epoch; {@link Long#MIN_VALUE}: no limit
 * @param deadline the window ends no later, seconds since the epoch; {@link Interval#FOREVER}: no limit
 * @param topology a node label's key: all pods on nodes with one value of it; null: no such limit
 * @param maxPerNode the most pods on one node; {@link Integer#MAX_VALUE}: no limit
 * @param lockstep every pod keeps its node, and is charged for it, until the slowest ends
 * @param priority a larger number goes first under the queue order {@code priority}
 * @param arrival when it entered the queue, seconds since the epoch
 */
public record Gang(
        GangId id,
        List<String> pods,
        PodRequest request,
        Budget budget,
        Criterion criterion,
        long earliestStart,
        long deadline,
        @Nullable String topology,
        int maxPerNode,
        boolean lockstep,
        int priority,
        long arrival) {
    public Gang {
        pods = pods.stream().sorted().toList();
        if (pods.isEmpty()) {
            throw new IllegalArgumentException("The gang (%s) must have a pod.".formatted(id));
        }
        if (maxPerNode <= 0) {
            throw new IllegalArgumentException(
                    "The most pods per node (%d) of gang (%s) must be positive.".formatted(maxPerNode, id));
        }
    }

    /** The number of pods, n. */
    public int size() {
        return pods.size();
    }

    /** The same gang with another earliest start, seconds since the epoch. */
    public Gang startingFrom(long second) {
        return new Gang(
                id,
                pods,
                request,
                budget,
                criterion,
                second,
                deadline,
                topology,
                maxPerNode,
                lockstep,
                priority,
                arrival);
    }

    /** The same gang with another budget. */
    public Gang paying(Budget other) {
        return new Gang(
                id,
                pods,
                request,
                other,
                criterion,
                earliestStart,
                deadline,
                topology,
                maxPerNode,
                lockstep,
                priority,
                arrival);
    }
}
