package io.slotwise.core.reservation;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.gang.PodRule;
import io.slotwise.core.ledger.PromiseTariff;
import io.slotwise.core.money.Cost;
import io.slotwise.core.money.Money;
import io.slotwise.core.plan.Request;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.resource.Share;
import io.slotwise.core.time.Durations;
import io.slotwise.core.time.Interval;
import io.slotwise.core.time.StepFunction;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Seats a gang in an advance reservation: at the reservation's start, or at the first second that can be planned if
 * that has passed, and not before the gang's own earliest start. Of the seats that suit it the cheapest are taken, by
 * cost and node; with a topology, those of the one value that cost least together. A seat costs what the reservation
 * was promised for it: a pod that asks for a smaller share of the node than was reserved pays as much less.
 *
 * <p>Pods that ask for different nodes are seated one shape after the other, those with the fewest suitable seats
 * first; with such pods a seating may be missed that an exact matching would find, and the gang waits with a reason.
 *
 * <p>O(n log n + p n) for p pods and n seats; with lockstep and nodes of d different speeds d times that.
 */
final class ReservationSeats {
    private static final BigDecimal THOUSAND = BigDecimal.valueOf(1000);

    private final Map<String, Node> nodes = new HashMap<>();
    private final Cluster cluster;
    private final long now;
    private final boolean wholeNode;

    /** A seating, or why there is none. */
    sealed interface Answer {
        /** The gang's part of the reservation, and its prices. */
        record Taken(Window window, PromiseTariff tariff) implements Answer {}

        /** It does not fit; one sentence that says what was expected. */
        record Unfit(String problem) implements Answer {}
    }

    /** Seats beside what runs on these nodes; {@code wholeNode}: a pod pays for its whole node. */
    ReservationSeats(Cluster cluster, long now, boolean wholeNode) {
        this.cluster = cluster;
        cluster.nodes().forEach(node -> nodes.put(node.name(), node));
        this.now = now;
        this.wholeNode = wholeNode;
    }

    /** Whether every place of a window lies in a seat of its own of a reservation's window. O(places). */
    static boolean inside(Window window, Window room) {
        Map<String, List<Placement>> free = new HashMap<>();
        room.placements()
                .forEach(seat -> free.computeIfAbsent(seat.node(), _ -> new ArrayList<>())
                        .add(seat));
        for (Placement place : window.placements()) {
            List<Placement> seats = free.getOrDefault(place.node(), List.of());
            // All seats on one node last equally long.
            if (seats.isEmpty()
                    || place.start() < seats.getLast().start()
                    || place.end() > seats.getLast().end()) {
                return false;
            }
            seats.removeLast();
        }
        return true;
    }

    /** The gang's part of a reservation that has a promise. */
    Answer of(Gang gang, Request hold, PromiseTariff tariff) {
        Window room = Objects.requireNonNull(hold.promise()).window();
        Resources reserved = hold.gang().request().resources();
        String problem = tooLarge(gang, hold.gang(), reserved);
        if (problem != null) {
            return new Answer.Unfit(problem);
        }
        long start = Math.max(Math.max(room.start(), now), gang.earliestStart());
        Optional<Seating> seating = seating(gang, room, start);
        if (seating.isEmpty()) {
            return new Answer.Unfit(noSeats(gang, room, start));
        }
        return priced(gang, seating.get(), reserved, tariff, room);
    }

    /** What of the gang is larger than the reservation; null: nothing. */
    private static @Nullable String tooLarge(Gang gang, Gang hold, Resources reserved) {
        if (gang.size() > hold.size()) {
            return "gang %s has %d pods, reservation %s has room for %d: expected no more pods"
                    .formatted(gang.id(), gang.size(), hold.id(), hold.size());
        }
        for (Gang.Shape shape : gang.shapes()) {
            Resources asked = shape.request().resources().amounts();
            for (int i = 0; i < asked.size(); i++) {
                long seat = reserved.get(asked.name(i));
                if (asked.amount(i) > seat) {
                    return "pod %s asks for %s %s, a seat of reservation %s has %s: expected no more"
                            .formatted(
                                    shape.pods().getFirst(),
                                    asked.name(i),
                                    amount(asked.name(i), asked.amount(i)),
                                    hold.id(),
                                    amount(asked.name(i), seat));
                }
            }
        }
        return null;
    }

    private static String amount(String name, long amount) {
        return name.equals(Resources.CPU)
                ? BigDecimal.valueOf(amount)
                        .divide(THOUSAND)
                        .stripTrailingZeros()
                        .toPlainString()
                : Long.toString(amount);
    }

    /** Who sits where from a common start on; {@code longest}: how long pods stay in lockstep; 0: each as it takes. */
    private record Seating(long start, TreeMap<String, Placement> seats, long longest) {
        private BigInteger cost() {
            return seats.values().stream()
                    .map(seat -> BigInteger.valueOf(seat.cost().microSecondsPerHour()))
                    .reduce(BigInteger.ZERO, BigInteger::add);
        }
    }

    private Optional<Seating> seating(Gang gang, Window room, long start) {
        List<Placement> seats = room.placements().stream()
                .sorted(Comparator.comparing(Placement::cost)
                        .thenComparing(Placement::node)
                        .thenComparing(Placement::pod))
                .toList();
        if (gang.topology() == null) {
            return seating(gang, seats, start);
        }
        TreeMap<String, List<Placement>> byValue = new TreeMap<>();
        for (Placement seat : seats) {
            Node node = nodes.get(seat.node());
            String value = node == null ? null : node.labels().get(gang.topology());
            if (value != null) {
                byValue.computeIfAbsent(value, _ -> new ArrayList<>()).add(seat);
            }
        }
        return byValue.values().stream()
                .flatMap(inside -> seating(gang, inside, start).stream())
                .min(Comparator.comparing(Seating::cost));
    }

    private Optional<Seating> seating(Gang gang, List<Placement> seats, long start) {
        if (!gang.lockstep()) {
            return seating(gang, seats, start, 0);
        }
        TreeSet<Long> lengths = new TreeSet<>();
        for (Placement seat : seats) {
            Node node = nodes.get(seat.node());
            if (node != null) {
                lengths.add(gang.shapes().getFirst().request().durationOn(node.performance()));
            }
        }
        return lengths.stream()
                .flatMap(length -> seating(gang, seats, start, length).stream())
                .findFirst();
    }

    private Optional<Seating> seating(Gang gang, List<Placement> seats, long start, long longest) {
        List<Placement> free = new ArrayList<>(seats);
        Map<String, Integer> perNode = new HashMap<>();
        TreeMap<String, Placement> taken = new TreeMap<>();
        List<Gang.Shape> shapes = gang.shapes().stream()
                .sorted(Comparator.comparingLong(shape -> seats.stream()
                        .filter(seat -> suits(shape.request(), seat, start, longest))
                        .count()))
                .toList();
        for (Gang.Shape shape : shapes) {
            for (String pod : shape.pods()) {
                Optional<Placement> found = free.stream()
                        .filter(seat -> perNode.getOrDefault(seat.node(), 0) < gang.maxPerNode()
                                && suits(shape.request(), seat, start, longest))
                        .findFirst();
                if (found.isEmpty()) {
                    return Optional.empty();
                }
                free.remove(found.get());
                perNode.merge(found.get().node(), 1, Integer::sum);
                taken.put(pod, found.get());
            }
        }
        return Optional.of(new Seating(start, taken, longest));
    }

    private boolean suits(PodRequest request, Placement seat, long start, long longest) {
        Node node = nodes.get(seat.node());
        if (node == null || request.constraint().exclusion(node) != null) {
            return false;
        }
        long length = request.durationOn(node.performance());
        return length <= (longest == 0 ? length : longest) && start + Math.max(length, longest) <= seat.end();
    }

    /** Why no seating was found: the time, if it is that alone, or the nodes. */
    private String noSeats(Gang gang, Window room, long start) {
        GangId hold = room.gang();
        Gang brief = gang.lasting(1);
        if (seating(brief, room, room.start()).isPresent()) {
            return ("the runtime (%s) of gang %s does not fit into what is left of reservation %s from %s "
                            + "on, which ends at %s")
                    .formatted(
                            Durations.brief(gang.runtime()),
                            gang.id(),
                            hold,
                            Instant.ofEpochSecond(Math.max(room.start(), gang.earliestStart())),
                            Instant.ofEpochSecond(room.end()));
        }
        long suitable = room.placements().stream()
                .filter(seat -> gang.shapes().stream()
                        .anyMatch(shape -> suits(brief.requestOf(shape.pods().getFirst()), seat, start, 0)))
                .count();
        return "gang %s cannot be seated in reservation %s: its pods may use %d of the %d seats%s"
                .formatted(
                        gang.id(),
                        hold,
                        suitable,
                        room.placements().size(),
                        gang.topology() == null ? "" : ", and all with one value of " + gang.topology());
    }

    private Answer priced(Gang gang, Seating seating, Resources reserved, PromiseTariff tariff, Window room) {
        Map<String, StepFunction> rates = new HashMap<>();
        List<Placement> places = new ArrayList<>();
        seating.seats().forEach((pod, seat) -> {
            PodRequest request = gang.requestOf(pod);
            Node node = Objects.requireNonNull(nodes.get(seat.node()));
            StepFunction rate = scaled(tariff.rate(seat), request.resources(), reserved, node);
            long end = seating.start() + Math.max(request.durationOn(node.performance()), seating.longest());
            rates.put(pod, rate);
            places.add(new Placement(pod, seat.node(), seating.start(), end, Cost.of(rate, seating.start(), end)));
        });
        Window window = Window.of(gang.id(), seating.start(), places);
        String problem = notAllowed(gang, window, rates, room.gang());
        problem = problem == null ? notBeside(gang, window, room.gang()) : problem;
        return problem != null
                ? new Answer.Unfit(problem)
                : new Answer.Taken(
                        window,
                        PromiseTariff.of(window, place -> Objects.requireNonNull(rates.get(place.pod())))
                                .payingBy(
                                        window,
                                        place -> wholeNode
                                                ? Resources.NONE
                                                : gang.requestOf(place.pod()).resources()));
    }

    /** What but amounts, for which there is room, keeps its pods from being with what runs there; null: nothing. */
    private @Nullable String notBeside(Gang gang, Window window, GangId hold) {
        Timeline timeline =
                gang.hasRules() || gang.requests().values().stream().anyMatch(ReservationSeats::asksForPlaces)
                        ? new Timeline(cluster, now, 0)
                        : null;
        if (timeline == null) {
            return null;
        }
        PodRule rule = window.broken(timeline, gang);
        if (rule != null) {
            return "the %s of gang %s does not hold on the seats of reservation %s"
                    .formatted(rule.words(), gang.id(), hold);
        }
        for (Placement seat : window.placements()) {
            Resources places =
                    gang.requestOf(seat.pod()).resources().withoutMarks().places();
            Interval when = new Interval(seat.start(), seat.end());
            timeline.occupy(seat.node(), places, when);
            if (!Objects.requireNonNull(timeline.node(seat.node())).holds(places, when)) {
                return "pod %s asks for %s, which is taken on node %s of reservation %s"
                        .formatted(seat.pod(), places.name(0), seat.node(), hold);
            }
        }
        return null;
    }

    private static boolean asksForPlaces(PodRequest request) {
        return request.resources().places().size() > 0;
    }

    /** What the gang itself does not allow about its window; null: nothing. */
    private static @Nullable String notAllowed(Gang gang, Window window, Map<String, StepFunction> rates, GangId hold) {
        Money slotPrice = gang.budget().slotPrice();
        if (window.end() > gang.deadline()) {
            return "gang %s would end at %s in reservation %s, its deadline is %s"
                    .formatted(
                            gang.id(),
                            Instant.ofEpochSecond(window.end()),
                            hold,
                            Instant.ofEpochSecond(gang.deadline()));
        }
        if (window.cost().compareTo(gang.budget().limit()) > 0) {
            return "gang %s would cost %s in reservation %s, its budget is %s"
                    .formatted(
                            gang.id(),
                            window.cost().roundedUp().brief(),
                            hold,
                            Objects.requireNonNull(gang.budget().total()).brief());
        }
        if (slotPrice != null && dearest(window, rates) > slotPrice.micros()) {
            return "a seat of reservation %s costs more per hour than gang %s allows (%s)"
                    .formatted(hold, gang.id(), slotPrice.brief());
        }
        return null;
    }

    /** The highest rate that a pod pays in any second, millionths per hour. */
    private static long dearest(Window window, Map<String, StepFunction> rates) {
        return window.placements().stream()
                .mapToLong(
                        place -> Objects.requireNonNull(rates.get(place.pod())).max(place.start(), place.end()))
                .max()
                .orElse(0);
    }

    /** The rate of a seat for a pod that takes less of the node than was reserved, every piece rounded half up. */
    private StepFunction scaled(StepFunction rate, Resources asked, Resources reserved, Node node) {
        Share own = asked.dominantShareOf(node.allocatable());
        Share whole = reserved.dominantShareOf(node.allocatable());
        if (wholeNode || own.equals(whole) || whole.part() == 0) {
            return rate;
        }
        BigInteger part = BigInteger.valueOf(own.part()).multiply(BigInteger.valueOf(whole.whole()));
        BigInteger of = BigInteger.valueOf(own.whole()).multiply(BigInteger.valueOf(whole.part()));
        return rate.map(micros -> BigInteger.valueOf(micros)
                .multiply(part)
                .shiftLeft(1)
                .add(of)
                .divide(of.shiftLeft(1))
                .longValueExact());
    }
}
