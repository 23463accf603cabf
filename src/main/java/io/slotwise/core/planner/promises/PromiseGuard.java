package io.slotwise.core.planner.promises;

import io.slotwise.core.booking.Bookings;
import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.NodeConstraint.Exclusion;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.gang.PodRule;
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
 * Looks at every promise before anything new is planned, and breaks the fewest that must be broken, each for a cause.
 *
 * <p>First those go that hold in no company: the gang was edited, a node is gone or does not take it any more, the
 * owner keeps it, or there is no room beside what runs. Of the others those that are in each other's way are looked at
 * together: {@link MinimumBrokenPromises} breaks as few of them as possible, those whose pods are on their way last of
 * all. So one large gang does not cost two others their windows because it starts earlier; of ways that break equally
 * much the earlier start is kept.
 *
 * <p>A promise holds as long as its room is free in its own seconds. The turnover before it is what absorbs a pod that
 * started or ended late; only new windows must keep it.
 *
 * <p>If all fit: O(s b r) for s seats on nodes of b breakpoints and r resources, the cost of taking their room.
 * Otherwise, for the crowded promises alone, O(s^2) for s of their seats on a node, and the search.
 */
public final class PromiseGuard {
    private static final Comparator<PlanningGang> BY_NAME = Comparator.comparing(c -> c.gang.id());

    /** So many promises are looked at by one worker at a time. */
    private static final int PART = 256;

    private final long now;
    private final Workers workers;
    private final Timeline timeline;
    private final Bookings bookings;
    private final List<Occupation> occupations;
    /** What runs on each node, from the first promise on that is broken for its room. */
    private Map<String, List<Occupation>> byNode = Map.of();

    private final Map<PlanningGang, BrokenPromise> broken = new LinkedHashMap<>();
    private boolean bounded;

    /** A guard; {@code timeline}: what is free beside what runs, without turnover; promises get their room there. */
    public PromiseGuard(Snapshot snapshot, Timeline timeline, Workers workers) {
        this.now = snapshot.now();
        this.workers = workers;
        this.timeline = timeline;
        this.bookings = Bookings.ofRoom(timeline);
        this.occupations = snapshot.cluster().occupations();
    }

    /** The promises that do not hold, by gang, and whether the search for the fewest had to be bounded. */
    public record Kept(Map<PlanningGang, BrokenPromise> broken, boolean bounded) {}

    /** Looks which promises of these gangs, which are sorted by name, hold; the gangs stay as they are. */
    public Kept keep(List<PlanningGang> contenders) {
        List<PlanningGang> promised =
                contenders.stream().filter(PlanningGang::promised).toList();
        List<Optional<BrokenPromise>> alone = each(promised, contender -> {
            BrokenPromise why = edited(contender);
            return Optional.ofNullable(
                    why == null ? lost(contender.gang, Objects.requireNonNull(contender.promise())) : why);
        });
        List<PlanningGang> possible = new ArrayList<>();
        for (int i = 0; i < promised.size(); i++) {
            PlanningGang contender = promised.get(i);
            alone.get(i).ifPresentOrElse(why -> broken.put(contender, why), () -> {
                occupy(contender);
                possible.add(contender);
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
                .filter(contender -> contender.gang.hasRules() && !broken.containsKey(contender))
                .toList()));
        Map<PlanningGang, BrokenPromise> byGang = new LinkedHashMap<>();
        broken.entrySet().stream()
                .sorted(Comparator.comparing(entry -> entry.getValue().gang()))
                .forEach(entry -> byGang.put(entry.getKey(), entry.getValue()));
        return new Kept(Collections.unmodifiableMap(byGang), bounded);
    }

    /** Those whose pods are on their way first, and those that start first. */
    private static List<PlanningGang> inOrder(List<PlanningGang> promised) {
        return Stream.of(true, false)
                .flatMap(released -> KeyOrder.of(
                        promised.stream()
                                .filter(contender -> contender.released() == released)
                                .toList(),
                        contender -> window(contender).start(),
                        BY_NAME)
                        .stream())
                .toList();
    }

    /** What a look at each of them finds; some look beside each other. */
    private <T> List<T> each(List<PlanningGang> contenders, Function<PlanningGang, T> look) {
        List<List<PlanningGang>> parts = new ArrayList<>();
        for (int from = 0; from < contenders.size(); from += PART) {
            parts.add(contenders.subList(from, Math.min(contenders.size(), from + PART)));
        }
        return workers.each(parts, part -> part.stream().map(look).toList()).stream()
                .flatMap(List::stream)
                .toList();
    }

    /**
     * Breaks those whose pods may not be with the others any more, the least preferred first; each that goes may be
     * what another one needed. All have their room, and ask something of other pods.
     */
    private void keepRules(List<PlanningGang> standing) {
        List<PlanningGang> bound = new ArrayList<>(standing);
        boolean all = false;
        while (!all) {
            all = true;
            for (PlanningGang contender : List.copyOf(bound.reversed())) {
                int mark = bookings.mark();
                vacate(contender);
                PodRule rule = window(contender).broken(timeline, contender.gang);
                if (rule == null) {
                    bookings.rollbackTo(mark);
                } else {
                    broken.put(
                            contender,
                            broken(
                                    contender.gang,
                                    window(contender),
                                    Cause.ROOM_TAKEN,
                                    "its %s no longer holds there".formatted(rule.words())));
                    bound.remove(contender);
                    all = false;
                }
            }
        }
    }

    /** Keeps as many of these as fit beside each other; the room of none of them is taken, and each fits alone. */
    private void settle(List<PlanningGang> crowded) {
        MinimumBrokenPromises fewest = new MinimumBrokenPromises(
                crowded.stream()
                        .map(contender -> new Stake(contender.released(), contender.gang.size()))
                        .toList(),
                CapacityConflict.among(crowded, timeline, now));
        bounded = fewest.bounded();
        BitSet gone = fewest.broken();
        for (int i = 0; i < crowded.size(); i++) {
            if (!gone.get(i)) {
                occupy(crowded.get(i));
            }
        }
        gone.stream().mapToObj(crowded::get).forEach(this::breakForRoom);
    }

    private boolean holdsAlone(PlanningGang contender) {
        boolean holds = bookings.trying(() -> {
            occupy(contender);
            return holds(contender);
        });
        if (!holds) {
            breakForRoom(contender);
        }
        return holds;
    }

    private boolean holds(PlanningGang contender) {
        return crowdedSeat(contender) == null;
    }

    /** The first seat whose room is not there, the window itself having taken its room. */
    private @Nullable Placement crowdedSeat(PlanningGang contender) {
        Window window = window(contender);
        for (int i = 0; i < window.placements().size(); i++) {
            Placement seat = window.placements().get(i);
            if (window.isLikeTheOneBefore(i, contender.gang)) {
                continue;
            }
            Resources asked = contender.gang.requestOf(seat.pod()).resources();
            if (!node(seat).holds(asked, new Interval(seat.start(), seat.end()))) {
                return seat;
            }
        }
        return null;
    }

    private void breakForRoom(PlanningGang contender) {
        broken.put(contender, bookings.trying(() -> {
            occupy(contender);
            return taken(contender, Objects.requireNonNull(crowdedSeat(contender)));
        }));
    }

    private void occupy(PlanningGang contender) {
        bookings.takeRoom(contender.gang, window(contender));
    }

    private void vacate(PlanningGang contender) {
        bookings.giveUpRoom(contender.gang, window(contender));
    }

    private static Window window(PlanningGang contender) {
        return contender.promisedWindow();
    }

    private NodeTimeline node(Placement seat) {
        return Objects.requireNonNull(timeline.node(seat.node()));
    }

    private static @Nullable BrokenPromise edited(PlanningGang contender) {
        String why = Objects.requireNonNull(contender.promise()).contradiction(contender.gang);
        return why == null ? null : new BrokenPromise(contender.gang.id(), window(contender), Cause.EDITED, why);
    }

    /** Whether the nodes are still there and take the gang. */
    private @Nullable BrokenPromise lost(Gang gang, Promise promise) {
        Window window = promise.window();
        for (int i = 0; i < window.placements().size(); i++) {
            Placement seat = window.placements().get(i);
            if (gang.isUniform() && window.isLikeTheOneBefore(i, gang)) {
                continue;
            }
            NodeTimeline node = timeline.node(seat.node());
            if (node == null) {
                return absent(gang, promise, seat.node());
            }
            PodRequest request = gang.requestOf(seat.pod());
            Exclusion exclusion = request.constraint().exclusion(node.node(), seat.start());
            if (exclusion != null) {
                return broken(
                        gang, window, cause(exclusion), "node %s is %s".formatted(seat.node(), exclusion.words()));
            }
            String missing = missing(node.node().allocatable(), request.resources());
            if (missing != null) {
                return broken(
                        gang, window, Cause.ROOM_TAKEN, "node %s no longer has %s".formatted(seat.node(), missing));
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
        }
        return null;
    }

    /** Why a node is not there: one that was to be bought never was. */
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

    private static @Nullable String missing(Resources allocatable, Resources asked) {
        for (int kind = 0; kind < asked.size(); kind++) {
            if (allocatable.get(asked.name(kind)) == 0) {
                return asked.name(kind);
            }
        }
        return null;
    }

    /**
     * Who took the room of a seat: what runs there when there is too little, one that runs longer than expected before
     * others, and then one that is there still only because it began late.
     */
    private BrokenPromise taken(PlanningGang contender, Placement seat) {
        List<Shortage> shortages = shortages(contender.gang, seat);
        if (byNode.isEmpty()) {
            byNode = occupations.stream().collect(Collectors.groupingBy(Occupation::node));
        }
        List<Occupation> holders = byNode.getOrDefault(seat.node(), List.of()).stream()
                .filter(o -> shortages.stream().anyMatch(shortage -> shortage.isFor(o)))
                .sorted(Comparator.comparing(Occupation::holder))
                .toList();
        Optional<Occupation> late = holders.stream().filter(Occupation::overrun).findFirst();
        if (late.isPresent()) {
            return broken(
                    contender.gang,
                    window(contender),
                    Cause.OVERRUN,
                    new BrokenPromise.RunsLonger(
                            new BrokenPromise.Holder(late.get().holder()), seat.node()));
        }
        Optional<Occupation> behind = holders.stream()
                .filter(o -> shortages.stream().anyMatch(shortage -> shortage.isForLate(o)))
                .findFirst();
        ReasonStatement why = behind.<ReasonStatement>map(
                        o -> new BrokenPromise.TakenLate(seat.node(), new BrokenPromise.Holder(o.holder()), o.late()))
                .orElseGet(() -> new BrokenPromise.RoomTaken(
                        seat.node(),
                        holders.isEmpty()
                                ? null
                                : new BrokenPromise.Holder(holders.getFirst().holder())));
        return broken(contender.gang, window(contender), Cause.ROOM_TAKEN, why);
    }

    /** Seconds in which a node holds too little of a resource. */
    private record Shortage(String kind, Interval when) {
        boolean isFor(Occupation occupation) {
            return occupation.amount().get(kind) > 0 && occupation.interval().overlaps(when);
        }

        /** Whether it would not be in the way if it had begun when it was to. */
        boolean isForLate(Occupation occupation) {
            return isFor(occupation)
                    && occupation.late() > 0
                    && occupation.interval().end() - occupation.late() <= when.start();
        }
    }

    private List<Shortage> shortages(Gang gang, Placement seat) {
        NodeTimeline node = node(seat);
        Resources kinds = node.node().allocatable();
        Resources asked = gang.requestOf(seat.pod()).resources();
        List<Shortage> shortages = new ArrayList<>();
        for (int i = 0; i < node.pieces(); i++) {
            long from = Math.max(Math.max(node.start(i), now), seat.start());
            long to = i + 1 < node.pieces() ? Math.min(node.start(i + 1), seat.end()) : seat.end();
            for (int kind = 0; from < to && kind < kinds.size(); kind++) {
                if (asked.get(kinds.name(kind)) > 0 && node.leastFree(from, to)[kind] < 0) {
                    shortages.add(new Shortage(kinds.name(kind), new Interval(from, to)));
                }
            }
        }
        return shortages;
    }

    private static BrokenPromise broken(Gang gang, Window window, Cause cause, String words) {
        return broken(gang, window, cause, ReasonStatement.of(words));
    }

    private static BrokenPromise broken(Gang gang, Window window, Cause cause, ReasonStatement why) {
        return new BrokenPromise(gang.id(), window, cause, why);
    }
}
