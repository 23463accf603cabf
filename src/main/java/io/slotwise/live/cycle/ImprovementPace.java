package io.slotwise.live.cycle;

import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Snapshot;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Decides which plans improve promises: the first, one every {@code cycle} seconds, one after room became free, and one
 * after a gang left the queue. So no room stands empty while a promised gang could use it. Other plans only give
 * windows to gangs without one, next to the existing promises, so that new gangs get an answer soon. O(occupations +
 * gangs).
 */
final class ImprovementPace {
    private @Nullable Planned before;
    private long improved;

    private record Planned(Object policy, Snapshot snapshot) {}

    void forget() {
        before = null;
    }

    /**
     * Returns whether the next plan improves promises, at the latest {@code every} seconds after the last one that did.
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
        Set<String> holders = held.stream().map(ImprovementPace::place).collect(Collectors.toSet());
        if (last.cluster().occupations().stream()
                .anyMatch(before -> !holders.contains(place(before))
                        || (before.interval().end() > currentSnapshot.now() && !held.contains(before)))) {
            return true;
        }
        Set<GangId> waiting = currentSnapshot.requests().stream()
                .map(request -> request.gang().id())
                .collect(Collectors.toSet());
        return last.requests().stream()
                .anyMatch(request -> !waiting.contains(request.gang().id()));
    }

    private static String place(Occupation occupation) {
        return occupation.holder() + " on " + occupation.node();
    }
}
