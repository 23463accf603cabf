package io.slotwise.core.plan;

import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.NodeConstraint.Exclusion;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import java.time.Instant;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Looks at every promise before anything new is planned: one that does not hold any more is broken for a cause. Released ones
 * come first, then those that start earlier, so that a promise is never broken by a later one.
 *
 * <p>A promise holds as long as its room is free in its own seconds. The turnover before it is what absorbs a pod that started or
 * ended late; only new windows must keep it.
 */
final class Promises {
    private static final Comparator<Contender> ORDER = Comparator.comparing((Contender c) -> !c.released())
            .thenComparingLong(c -> Objects.requireNonNull(c.promise).window().start())
            .thenComparing(c -> c.gang.id());

    private final Timeline timeline;
    private final List<Occupation> occupations;

    Promises(Snapshot snapshot) {
        this.timeline = new Timeline(snapshot.cluster(), snapshot.now(), 0);
        this.occupations = snapshot.cluster().occupations();
    }

    /** Takes the promises that do not hold from their gangs and returns them. */
    List<BrokenPromise> keep(List<Contender> contenders) {
        return contenders.stream()
                .filter(Contender::promised)
                .sorted(ORDER)
                .flatMap(contender -> keep(contender).stream())
                .sorted(Comparator.comparing(BrokenPromise::gang))
                .toList();
    }

    private Optional<BrokenPromise> keep(Contender contender) {
        Window window = Objects.requireNonNull(contender.promise).window();
        BrokenPromise broken = edited(contender.gang, window);
        window.occupy(timeline, contender.gang);
        if (broken == null) {
            broken = lost(contender.gang, window);
        }
        if (broken != null) {
            window.vacate(timeline, contender.gang);
            contender.promise = null;
            contender.published = null;
        }
        return Optional.ofNullable(broken);
    }

    /** Whether the gang as it is now allows the window that it was promised. */
    private @Nullable BrokenPromise edited(Gang gang, Window window) {
        String why = null;
        List<String> pods =
                window.placements().stream().map(Placement::pod).sorted().toList();
        Map<String, Integer> seats = new HashMap<>();
        window.placements().forEach(seat -> seats.merge(seat.node(), 1, Integer::sum));
        int mostOnOne = Collections.max(seats.values());
        if (!pods.equals(gang.pods())) {
            why = "its pods are %s, the window is for %s".formatted(gang.pods(), pods);
        } else if (window.cost().compareTo(gang.budget().limit()) > 0) {
            why = "its window costs %s, the budget is %s"
                    .formatted(
                            window.cost().roundedUp().brief(),
                            Objects.requireNonNull(gang.budget().total()).brief());
        } else if (window.end() > gang.deadline()) {
            why = "its window ends at %s, the deadline is %s"
                    .formatted(Instant.ofEpochSecond(window.end()), Instant.ofEpochSecond(gang.deadline()));
        } else if (window.start() < gang.earliestStart()) {
            why = "its window starts at %s, the earliest start is %s"
                    .formatted(Instant.ofEpochSecond(window.start()), Instant.ofEpochSecond(gang.earliestStart()));
        } else if (mostOnOne > gang.maxPerNode()) {
            why = "its window has %d pods on one node, the most per node is %d".formatted(mostOnOne, gang.maxPerNode());
        }
        return why == null ? null : new BrokenPromise(gang.id(), window, Cause.EDITED, why);
    }

    /** Whether the nodes are still there and hold the window, which has taken its room. */
    private @Nullable BrokenPromise lost(Gang gang, Window window) {
        Map<String, PodRequest> requests = gang.requests();
        for (Placement seat : window.placements()) {
            NodeTimeline node = timeline.node(seat.node());
            if (node == null) {
                return broken(gang, window, Cause.NODE_LOST, "node %s is gone".formatted(seat.node()));
            }
            PodRequest request = Objects.requireNonNull(requests.get(seat.pod()));
            Exclusion exclusion = request.constraint().exclusion(node.node());
            if (exclusion != null) {
                Cause cause = exclusion == Exclusion.AVOIDED ? Cause.REFUSED : Cause.NODE_LOST;
                return broken(gang, window, cause, "node %s is %s".formatted(seat.node(), exclusion.words()));
            }
            Interval interval = new Interval(seat.start(), seat.end());
            for (Interval unavailable : node.node().unavailable()) {
                if (unavailable.overlaps(interval)) {
                    return broken(
                            gang,
                            window,
                            Cause.OWNER,
                            "the owner of node %s keeps it from %s"
                                    .formatted(seat.node(), Instant.ofEpochSecond(unavailable.start())));
                }
            }
            if (!node.holds(request.resources(), interval)) {
                return taken(gang, window, seat);
            }
        }
        return null;
    }

    private BrokenPromise taken(Gang gang, Window window, Placement seat) {
        Interval room = new Interval(seat.start(), seat.end());
        List<Occupation> holders = occupations.stream()
                .filter(o -> o.node().equals(seat.node()) && o.interval().overlaps(room))
                .sorted(Comparator.comparing(Occupation::holder))
                .toList();
        Optional<Occupation> late = holders.stream().filter(Occupation::overrun).findFirst();
        if (late.isPresent()) {
            return broken(
                    gang,
                    window,
                    Cause.OVERRUN,
                    "pod %s on node %s runs longer than expected"
                            .formatted(late.get().holder(), seat.node()));
        }
        return broken(
                gang,
                window,
                Cause.ROOM_TAKEN,
                "the room on node %s is taken%s"
                        .formatted(
                                seat.node(),
                                holders.isEmpty()
                                        ? ""
                                        : " by " + holders.getFirst().holder()));
    }

    private static BrokenPromise broken(Gang gang, Window window, Cause cause, String message) {
        return new BrokenPromise(gang.id(), window, cause, message);
    }
}
