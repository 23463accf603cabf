package io.slotwise.live.cycle;

import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Snapshot;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Which plans improve promises: the first one, one after {@code cycle} seconds, one after room was given up that
 * nobody was to give up yet, and one after a gang has left the queue. The others give windows to gangs without one
 * alone, beside the promises that stand, so a gang that arrives is answered soon. O(occupations + gangs).
 */
final class ImprovementPace {
    private @Nullable Planned before;
    private long improved;

    /** The plan before this one. */
    private record Planned(Object policy, Snapshot snapshot) {}

    /** Goes on from no plan. */
    void forget() {
        before = null;
    }

    /**
     * Whether the next plan improves promises.
     *
     * @param policy that it is made by
     * @param every seconds after which one does in any case
     */
    boolean isDue(Object policy, Snapshot snapshot, long every) {
        Planned last = before;
        before = new Planned(policy, snapshot);
        long since = snapshot.now() - improved;
        boolean due = last == null
                || since < 0
                || since >= every
                || !last.policy().equals(policy)
                || isRoomGivenUp(last.snapshot(), snapshot);
        improved = due ? snapshot.now() : improved;
        return due;
    }

    private static boolean isRoomGivenUp(Snapshot last, Snapshot currentSnapshot) {
        if (!currentSnapshot.cluster().inventory().equals(last.cluster().inventory())) {
            return true;
        }
        Set<Occupation> held = new HashSet<>(currentSnapshot.cluster().occupations());
        if (last.cluster().occupations().stream()
                .anyMatch(before -> before.interval().end() > currentSnapshot.now() && !held.contains(before))) {
            return true;
        }
        Set<GangId> waiting = currentSnapshot.requests().stream()
                .map(request -> request.gang().id())
                .collect(Collectors.toSet());
        return last.requests().stream()
                .anyMatch(request -> !waiting.contains(request.gang().id()));
    }
}
