package io.slotwise.core.planner.promises;

import io.slotwise.core.booking.Bookings;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.NodeConstraint.Exclusion;
import io.slotwise.core.gang.PodRank;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.gang.PodRule;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.plan.BrokenPromise;
import io.slotwise.core.plan.BrokenPromise.Cause;
import io.slotwise.core.plan.Promise;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.core.planner.promises.MinimumBrokenPromises.Stake;
import io.slotwise.core.planner.queue.PlanningGang;
import io.slotwise.core.provision.PurchaseOrder;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.text.ReasonStatement;
import io.slotwise.core.time.Interval;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.core.work.KeyOrder;
import io.slotwise.core.work.Workers;
import java.time.Instant;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Checks every promise before anything new is planned, and breaks the fewest that must be broken, each for a cause.
 *
 * <p>First it breaks the promises that cannot hold even alone: the gang was edited, its owner keeps the node, a node is
 * gone or refuses the gang, or running pods leave no room. Then {@link MinimumBrokenPromises} breaks as few as possible
 * of the promises that are in each other's way, those whose pods are on their way last. So one large gang does not cost
 * two others their windows because it starts earlier. Ties keep the earlier start.
 *
 * <p>A promise holds as long as its room is free in its own seconds. The turnover before it absorbs a pod that started
 * or ended late. Only new windows must keep the turnover.
 *
 * <p>If all fit: O(s b r) for s placements on nodes of b breakpoints and r resources, the cost of taking their room.
 * Otherwise, only for the crowded promises, O(s^2) for s of their placements on a node, and the search.
 */
public final class PromiseGuard {
    private static final Comparator<PlanningGang> BY_NAME = Comparator.comparing(gang -> gang.gang.id());

    /** The number of promises that a worker checks at a time. */
    private static final int PART = 256;

    private final long now;
    private final Workers workers;
    private final Timeline timeline;
    private final Bookings bookings;
    private final List<Occupation> occupations;
    /** The running pods by node. Filled when the first promise is broken for lack of room. */
    private Map<String, List<Occupation>> byNode = Map.of();

    private final Map<PlanningGang, BrokenPromise> broken = new LinkedHashMap<>();
    private boolean bounded;

    /** The timeline has what running pods leave, without turnover. Promises get their room there. */
    public PromiseGuard(Snapshot snapshot, Timeline timeline, Workers workers) {
        this.now = snapshot.now();
        this.workers = workers;
        this.timeline = timeline;
        this.bookings = Bookings.ofRoom(timeline);
        this.occupations = snapshot.cluster().occupations();
    }

    /** The promises that do not hold, by gang, and whether the search for the fewest was bounded. */
    public record Kept(Map<PlanningGang, BrokenPromise> broken, boolean bounded) {}

    /** Finds the promises that hold. Precondition: the gangs are sorted by name. Does not change the gangs. */
    public Kept keep(List<PlanningGang> gangs) {
        List<PlanningGang> promised =
                gangs.stream().filter(PlanningGang::promised).toList();
        List<Optional<BrokenPromise>> alone = each(promised, gang -> {
            BrokenPromise brokenPromise = edited(gang);
            return Optional.ofNullable(
                    brokenPromise == null ? lost(gang.gang, Objects.requireNonNull(gang.promise())) : brokenPromise);
        });
        List<PlanningGang> possible = new ArrayList<>();
        for (int i = 0; i < promised.size(); i++) {
            PlanningGang gang = promised.get(i);
            alone.get(i).ifPresentOrElse(brokenPromise -> broken.put(gang, brokenPromise), () -> {
                occupy(gang);
                possible.add(gang);
            });
        }
        List<Boolean> room = each(possible, this::holds);
        List<PlanningGang> crowded = inOrder(IntStream.range(0, possible.size())
                .filter(i -> !room.get(i))
                .mapToObj(possible::get)
                .toList());
        if (!crowded.isEmpty()) {
            crowded.forEach(this::vacate);
            settle(crowded.stream().filter(this::holdsAlone).toList());
        }
        keepRules(inOrder(possible.stream()
                .filter(gang -> gang.gang.hasRules() && !broken.containsKey(gang))
                .toList()));
        Map<PlanningGang, BrokenPromise> byGang = new LinkedHashMap<>();
        broken.entrySet().stream()
                .sorted(Comparator.comparing(entry -> entry.getValue().gang()))
                .forEach(entry -> byGang.put(entry.getKey(), entry.getValue()));
        return new Kept(Collections.unmodifiableMap(byGang), bounded);
    }

    /** Sorts gangs whose pods are on their way first, then by start. */
    private static List<PlanningGang> inOrder(List<PlanningGang> promised) {
        return Stream.of(true, false)
                .flatMap(released -> KeyOrder.of(
                        promised.stream()
                                .filter(gang -> gang.released() == released)
                                .toList(),
                        gang -> window(gang).start(),
                        BY_NAME)
                        .stream())
                .toList();
    }

    /** Checks each gang, in parallel if there are workers. */
    private <T> List<T> each(List<PlanningGang> gangs, Function<PlanningGang, T> look) {
        List<List<PlanningGang>> parts = new ArrayList<>();
        for (int from = 0; from < gangs.size(); from += PART) {
            parts.add(gangs.subList(from, Math.min(gangs.size(), from + PART)));
        }
        return workers.each(parts, part -> part.stream().map(look).toList()).stream()
                .flatMap(List::stream)
                .toList();
    }

    /**
     * Breaks promises whose pods have a rule that no longer holds, the least preferred first. A broken promise may be
     * what another one needed. Precondition: all have their room and a rule about other pods.
     */
    private void keepRules(List<PlanningGang> promisedGangs) {
        List<PlanningGang> bound = new ArrayList<>(promisedGangs);
        boolean all = false;
        while (!all) {
            all = true;
            for (PlanningGang gang : List.copyOf(bound.reversed())) {
                int mark = bookings.mark();
                vacate(gang);
                PodRule rule = window(gang).broken(timeline, gang.gang);
                if (rule == null) {
                    bookings.rollbackTo(mark);
                } else {
                    broken.put(
                            gang,
                            broken(
                                    gang.gang,
                                    window(gang),
                                    Cause.ROOM_TAKEN,
                                    "its %s no longer holds there".formatted(rule.words())));
                    bound.remove(gang);
                    all = false;
                }
            }
        }
    }

    /** Keeps as many of these promises as fit together. Precondition: none has its room, and each fits alone. */
    private void settle(List<PlanningGang> crowded) {
        MinimumBrokenPromises promises = new MinimumBrokenPromises(
                crowded.stream()
                        .map(gang -> new Stake(gang.released(), gang.gang.size()))
                        .toList(),
                CapacityConflict.among(crowded, timeline, now));
        bounded = promises.bounded();
        BitSet gone = promises.broken();
        for (int i = 0; i < crowded.size(); i++) {
            if (!gone.get(i)) {
                occupy(crowded.get(i));
            }
        }
        gone.stream().mapToObj(crowded::get).forEach(this::breakForRoom);
    }

    private boolean holdsAlone(PlanningGang gang) {
        boolean holds = bookings.trying(() -> {
            occupy(gang);
            return holds(gang);
        });
        if (!holds) {
            breakForRoom(gang);
        }
        return holds;
    }

    private boolean holds(PlanningGang gang) {
        return crowdedPlacement(gang) == null;
    }

    private @Nullable Placement crowdedPlacement(PlanningGang gang) {
        Window window = window(gang);
        for (int i = 0; i < window.placements().size(); i++) {
            Placement placement = window.placements().get(i);
            if (window.isLikeTheOneBefore(i, gang.gang)) {
                continue;
            }
            Resources resources = gang.gang.requestOf(placement.pod()).resources();
            if (!node(placement).holds(resources, new Interval(placement.start(), placement.end()))) {
                return placement;
            }
        }
        return null;
    }

    private void breakForRoom(PlanningGang gang) {
        broken.put(gang, bookings.trying(() -> {
            occupy(gang);
            return taken(gang, Objects.requireNonNull(crowdedPlacement(gang)));
        }));
    }

    private void occupy(PlanningGang gang) {
        bookings.takeRoom(gang.gang, window(gang));
    }

    private void vacate(PlanningGang gang) {
        bookings.giveUpRoom(gang.gang, window(gang));
    }

    private static Window window(PlanningGang gang) {
        return gang.promisedWindow();
    }

    private NodeTimeline node(Placement placement) {
        return Objects.requireNonNull(timeline.node(placement.node()));
    }

    private static @Nullable BrokenPromise edited(PlanningGang gang) {
        String why = Objects.requireNonNull(gang.promise()).contradiction(gang.gang);
        return why == null ? null : new BrokenPromise(gang.gang.id(), window(gang), Cause.EDITED, why);
    }

    /** Returns the broken promise if a node is gone or no longer takes the gang. */
    private @Nullable BrokenPromise lost(Gang gang, Promise promise) {
        Window window = promise.window();
        for (int i = 0; i < window.placements().size(); i++) {
            Placement placement = window.placements().get(i);
            if (gang.isUniform() && window.isLikeTheOneBefore(i, gang)) {
                continue;
            }
            NodeTimeline node = timeline.node(placement.node());
            if (node == null) {
                return absent(gang, promise, placement.node());
            }
            PodRequest request = gang.requestOf(placement.pod());
            Exclusion exclusion = request.constraint().exclusion(node.node(), placement.start());
            if (exclusion != null) {
                return broken(
                        gang, window, cause(exclusion), "node %s is %s".formatted(placement.node(), exclusion.words()));
            }
            String missing = missing(node.node().allocatable(), request.resources());
            if (missing != null) {
                return broken(
                        gang,
                        window,
                        Cause.ROOM_TAKEN,
                        "node %s no longer has %s".formatted(placement.node(), missing));
            }
            Interval interval = new Interval(placement.start(), placement.end());
            for (Interval unavailableInterval : node.node().unavailable()) {
                if (unavailableInterval.overlaps(interval)) {
                    return broken(
                            gang,
                            window,
                            Cause.OWNER,
                            "the owner of node %s keeps it from %s"
                                    .formatted(placement.node(), Instant.ofEpochSecond(unavailableInterval.start())));
                }
            }
        }
        String apart = apart(gang, window);
        return apart == null ? null : broken(gang, window, Cause.NODE_LOST, apart);
    }

    /** Returns how the labels of the nodes contradict the gang's topology, or null. O(p log p) for p pods. */
    private @Nullable String apart(Gang gang, Window window) {
        Topology topology = gang.topology();
        if (!topology.isAnywhere()) {
            List<Node> nodes = window.placements().stream()
                    .map(Placement::node)
                    .distinct()
                    .map(name -> Objects.requireNonNull(timeline.node(name)).node())
                    .toList();
            Topology.Span span = topology.spans().stream()
                    .filter(other -> other.level() == null
                            || other.level().knownTo(nodes).domain(nodes) != null)
                    .findFirst()
                    .orElse(null);
            if (span == null) {
                return "its nodes are not in one domain of %s".formatted(topology.key());
            }
            if (topology.spans().stream()
                    .filter(nearer -> nearer.factor() < span.factor())
                    .anyMatch(nearer -> isPromisedIn(nearer, gang, window))) {
                return "the distance of its nodes is %s, where its runtime is longer than its window"
                        .formatted(span.name());
            }
        }
        return gang.isSliced() && !isSliced(gang, window)
                ? "its slices (%s) are not in one domain each".formatted(topology.slicesText())
                : null;
    }

    /** Returns whether a pod has just the time that it needs in a span. */
    private boolean isPromisedIn(Topology.Span span, Gang gang, Window window) {
        return window.placements().stream()
                .anyMatch(placement -> placement.end() - placement.start()
                        == span.lasting(gang.requestOf(placement.pod())
                                .durationOn(node(placement).node().performance())));
    }

    /** Returns whether the labels of the nodes keep each slice of a window in one domain. O(p log p) for p pods. */
    private boolean isSliced(Gang gang, Window window) {
        return gang.topology()
                .isSliced(window.placements().stream()
                        .sorted(Comparator.comparing(Placement::pod, PodRank.ORDER))
                        .map(placement -> node(placement).node())
                        .toList());
    }

    /** Returns why a node is missing; a node to be bought may never have been bought. */
    private static BrokenPromise absent(Gang gang, Promise promise, String node) {
        if (!PurchaseOrder.names(node)) {
            return broken(gang, promise.window(), Cause.NODE_LOST, "node %s is gone".formatted(node));
        }
        return broken(
                gang,
                promise.window(),
                Cause.NOT_PROVISIONED,
                promise.buys(node)
                        ? "node %s was not available; its offer is not known".formatted(node)
                        : "node %s was not available; it was bought for another gang".formatted(node));
    }

    private static Cause cause(Exclusion exclusion) {
        return switch (exclusion) {
            case AVOIDED -> Cause.REFUSED;
            case ANTI_AFFINITY -> Cause.ROOM_TAKEN;
            case UNSCHEDULABLE,
                    TAINT,
                    SELECTOR,
                    AFFINITY,
                    VOLUME,
                    DEVICE,
                    HOME,
                    POWER,
                    PRICE,
                    DRAW,
                    UNREADABLE,
                    TOO_SMALL -> Cause.NODE_LOST;
        };
    }

    private static @Nullable String missing(Resources allocatable, Resources resources) {
        for (int kind = 0; kind < resources.size(); kind++) {
            if (allocatable.get(resources.name(kind)) == 0) {
                return resources.name(kind);
            }
        }
        return null;
    }

    /**
     * Returns the promise as broken by the pods that took the room of a placement: an overrunning pod before others,
     * then one that is still there only because it started late.
     */
    private BrokenPromise taken(PlanningGang gang, Placement placement) {
        List<Shortage> shortages = shortages(gang.gang, placement);
        if (byNode.isEmpty()) {
            byNode = occupations.stream().collect(Collectors.groupingBy(Occupation::node));
        }
        List<Occupation> holders = byNode.getOrDefault(placement.node(), List.of()).stream()
                .filter(o -> shortages.stream().anyMatch(shortage -> shortage.isFor(o)))
                .sorted(Comparator.comparing(Occupation::holder))
                .toList();
        Optional<Occupation> lateOccupation =
                holders.stream().filter(Occupation::overrun).findFirst();
        if (lateOccupation.isPresent()) {
            return broken(
                    gang.gang,
                    window(gang),
                    Cause.OVERRUN,
                    new BrokenPromise.RunsLonger(
                            new BrokenPromise.Holder(lateOccupation.get().holder()), placement.node()));
        }
        Optional<Occupation> occupation = holders.stream()
                .filter(o -> shortages.stream().anyMatch(shortage -> shortage.isForLate(o)))
                .findFirst();
        ReasonStatement reason = occupation
                .<ReasonStatement>map(o ->
                        new BrokenPromise.TakenLate(placement.node(), new BrokenPromise.Holder(o.holder()), o.late()))
                .orElseGet(() -> new BrokenPromise.RoomTaken(
                        placement.node(),
                        holders.isEmpty()
                                ? null
                                : new BrokenPromise.Holder(holders.getFirst().holder())));
        return broken(gang.gang, window(gang), Cause.ROOM_TAKEN, reason);
    }

    /** Seconds in which a node has too little of a resource. */
    private record Shortage(String kind, Interval interval) {
        boolean isFor(Occupation occupation) {
            return occupation.resources().get(kind) > 0 && occupation.interval().overlaps(interval);
        }

        /** Returns whether the pods would have left in time had they started on time. */
        boolean isForLate(Occupation occupation) {
            return isFor(occupation)
                    && occupation.late() > 0
                    && occupation.interval().end() - occupation.late() <= interval.start();
        }
    }

    private List<Shortage> shortages(Gang gang, Placement placement) {
        NodeTimeline node = node(placement);
        Resources kindsResources = node.node().allocatable();
        Resources askedResources = gang.requestOf(placement.pod()).resources();
        List<Shortage> shortages = new ArrayList<>();
        for (int i = 0; i < node.pieces(); i++) {
            long from = Math.max(Math.max(node.start(i), now), placement.start());
            long to = i + 1 < node.pieces() ? Math.min(node.start(i + 1), placement.end()) : placement.end();
            for (int kind = 0; from < to && kind < kindsResources.size(); kind++) {
                if (askedResources.get(kindsResources.name(kind)) > 0 && node.leastFree(from, to)[kind] < 0) {
                    shortages.add(new Shortage(kindsResources.name(kind), new Interval(from, to)));
                }
            }
        }
        return shortages;
    }

    private static BrokenPromise broken(Gang gang, Window window, Cause cause, String words) {
        return broken(gang, window, cause, ReasonStatement.of(words));
    }

    private static BrokenPromise broken(Gang gang, Window window, Cause cause, ReasonStatement reason) {
        return new BrokenPromise(gang.id(), window, cause, reason);
    }
}
