package io.slotwise.core.reservation;

import io.slotwise.core.cluster.Cluster;
import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.gang.PodRule;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.gang.TopologyLevel;
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
import java.util.Collection;
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
 * Assigns a gang to seats of an advance reservation. The start is the reservation's, or the first second that can be
 * planned if that has passed, and not before the gang's own earliest start. The cheapest suitable seats are taken, by
 * cost and node; with a topology, those of the
 * domain with the lowest sum in the narrowest span that has room. A seat costs its promised cost in the
 * reservation. A pod that requests a smaller share of the node than was reserved pays proportionally less.
 *
 * <p>Pods that need different nodes are assigned shape by shape, those with the fewest suitable seats first. With such
 * pods an assignment that an exact matching would find may be missed, and the gang then waits with a reason.
 *
 * <p>O(n log n + p n) for p pods and n seats; with lockstep and nodes of d different speeds d times that.
 */
final class ReservationSeats {
    private static final BigDecimal THOUSAND = BigDecimal.valueOf(1000);

    private final Map<String, Node> nodes = new HashMap<>();
    private final Cluster cluster;
    private final long now;
    private final boolean wholeNode;

    /** An assignment, or the reason why there is none. */
    sealed interface Answer {
        /** The gang's part of the reservation, and its prices. */
        record Taken(Window window, PromiseTariff tariff) implements Answer {}

        /** The gang does not fit. The problem is one sentence that says what was expected. */
        record Unfit(String problem) implements Answer {}
    }

    /** Seats next to running pods on these nodes. {@code wholeNode}: a pod pays for its whole node. */
    ReservationSeats(Cluster cluster, long now, boolean wholeNode) {
        this.cluster = cluster;
        cluster.inventory().forEach(node -> nodes.put(node.name(), node));
        this.now = now;
        this.wholeNode = wholeNode;
    }

    /** Returns whether every placement of a window has a seat of its own in a reservation's window. O(placements). */
    static boolean inside(Window window, Window promisedWindow) {
        Map<String, List<Placement>> free = new HashMap<>();
        promisedWindow
                .placements()
                .forEach(placement -> free.computeIfAbsent(placement.node(), _ -> new ArrayList<>())
                        .add(placement));
        for (Placement placement : window.placements()) {
            List<Placement> placements = free.getOrDefault(placement.node(), List.of());
            // All seats on one node last equally long.
            if (placements.isEmpty()
                    || placement.start() < placements.getLast().start()
                    || placement.end() > placements.getLast().end()) {
                return false;
            }
            placements.removeLast();
        }
        return true;
    }

    Answer of(Gang gang, Request request, PromiseTariff tariff) {
        Window window = Objects.requireNonNull(request.promise()).window();
        Resources resources = request.gang().request().resources();
        String problem = tooLarge(gang, request.gang(), resources);
        if (problem != null) {
            return new Answer.Unfit(problem);
        }
        long start = Math.max(Math.max(window.start(), now), gang.earliestStart());
        Optional<Seating> seating = seating(gang, window, start);
        if (seating.isEmpty()) {
            return new Answer.Unfit(noSeats(gang, window, start));
        }
        return priced(gang, seating.get(), resources, tariff, window);
    }

    /** Returns what of the gang the reservation cannot hold, or null. */
    private static @Nullable String tooLarge(Gang gang, Gang holdGang, Resources reservedResources) {
        if (gang.isSliced()) {
            return "gang %s runs in slices (%s), and reservation %s has seats for single pods: expected no slices"
                    .formatted(gang.id(), gang.topology().slicesText(), holdGang.id());
        }
        if (gang.size() > holdGang.size()) {
            return "gang %s has %d pods, reservation %s has room for %d: expected no more pods"
                    .formatted(gang.id(), gang.size(), holdGang.id(), holdGang.size());
        }
        for (Gang.Shape shape : gang.shapes()) {
            Resources askedResources = shape.request().resources().amounts();
            for (int i = 0; i < askedResources.size(); i++) {
                long seat = reservedResources.get(askedResources.name(i));
                if (askedResources.amount(i) > seat) {
                    return "pod %s asks for %s %s, a seat of reservation %s has %s: expected no more"
                            .formatted(
                                    shape.pods().getFirst(),
                                    askedResources.name(i),
                                    amount(askedResources.name(i), askedResources.amount(i)),
                                    holdGang.id(),
                                    amount(askedResources.name(i), seat));
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

    /**
     * The start and the durations of an assignment.
     *
     * @param longest the seconds of all pods in lockstep, or 0 if each has its own
     */
    private record Timing(long start, Topology.Span span, long longest) {
        private long length(PodRequest request, Node node) {
            return span.lasting(request.durationOn(node.performance()));
        }

        private long end(PodRequest request, Node node) {
            return start + Math.max(length(request, node), longest);
        }
    }

    private record Seating(Timing timing, TreeMap<String, Placement> placements) {
        private BigInteger cost() {
            return placements.values().stream()
                    .map(placement -> BigInteger.valueOf(placement.cost().microSecondsPerHour()))
                    .reduce(BigInteger.ZERO, BigInteger::add);
        }
    }

    private Optional<Seating> seating(Gang gang, Window window, long start) {
        List<Placement> placements = window.placements().stream()
                .sorted(Comparator.comparing(Placement::cost)
                        .thenComparing(Placement::node)
                        .thenComparing(Placement::pod))
                .toList();
        return gang.topology().spans().stream()
                .flatMap(span -> domains(span, placements).stream()
                        .flatMap(domain -> seating(gang, domain, new Timing(start, span, 0)).stream())
                        .min(Comparator.comparing(Seating::cost))
                        .stream())
                .findFirst();
    }

    private Collection<List<Placement>> domains(Topology.Span span, List<Placement> placements) {
        TopologyLevel level = span.level();
        if (level == null) {
            return List.of(placements);
        }
        TreeMap<String, List<Placement>> domains = new TreeMap<>();
        for (Placement placement : placements) {
            Node node = nodes.get(placement.node());
            String domain = node == null ? null : level.domain(node);
            if (domain != null) {
                domains.computeIfAbsent(domain, _ -> new ArrayList<>()).add(placement);
            }
        }
        return domains.values();
    }

    private Optional<Seating> seating(Gang gang, List<Placement> placements, Timing timing) {
        if (!gang.lockstep()) {
            return assigned(gang, placements, timing);
        }
        TreeSet<Long> lengths = new TreeSet<>();
        for (Placement placement : placements) {
            Node node = nodes.get(placement.node());
            if (node != null) {
                lengths.add(timing.length(gang.shapes().getFirst().request(), node));
            }
        }
        return lengths.stream()
                .flatMap(length ->
                        assigned(gang, placements, new Timing(timing.start(), timing.span(), length)).stream())
                .findFirst();
    }

    private Optional<Seating> assigned(Gang gang, List<Placement> placements, Timing timing) {
        List<Placement> free = new ArrayList<>(placements);
        Map<String, Integer> perNode = new HashMap<>();
        TreeMap<String, Placement> taken = new TreeMap<>();
        List<Gang.Shape> shapes = gang.shapes().stream()
                .sorted(Comparator.comparingLong(shape -> placements.stream()
                        .filter(placement -> suits(shape.request(), placement, timing))
                        .count()))
                .toList();
        for (Gang.Shape shape : shapes) {
            for (String pod : shape.pods()) {
                Optional<Placement> foundPlacement = free.stream()
                        .filter(placement -> perNode.getOrDefault(placement.node(), 0) < gang.maxPerNode()
                                && suits(shape.request(), placement, timing))
                        .findFirst();
                if (foundPlacement.isEmpty()) {
                    return Optional.empty();
                }
                free.remove(foundPlacement.get());
                perNode.merge(foundPlacement.get().node(), 1, Integer::sum);
                taken.put(pod, foundPlacement.get());
            }
        }
        return Optional.of(new Seating(timing, taken));
    }

    private boolean suits(PodRequest request, Placement placement, Timing timing) {
        Node node = nodes.get(placement.node());
        if (node == null || request.constraint().exclusion(node) != null) {
            return false;
        }
        return (timing.longest() == 0 || timing.length(request, node) <= timing.longest())
                && timing.end(request, node) <= placement.end();
    }

    /** Returns why no assignment was found: the time, if that is the only reason, or the nodes. */
    private String noSeats(Gang gang, Window window, long start) {
        GangId holdId = window.gang();
        Gang briefGang = gang.lasting(1);
        if (seating(briefGang, window, window.start()).isPresent()) {
            return ("the runtime (%s) of gang %s does not fit into what is left of reservation %s from %s "
                            + "on, which ends at %s")
                    .formatted(
                            Durations.brief(gang.runtime()),
                            gang.id(),
                            holdId,
                            Instant.ofEpochSecond(Math.max(window.start(), gang.earliestStart())),
                            Instant.ofEpochSecond(window.end()));
        }
        Timing timing = new Timing(start, gang.topology().spans().getFirst(), 0);
        long suitable = window.placements().stream()
                .filter(placement -> gang.shapes().stream()
                        .anyMatch(
                                shape -> suits(briefGang.requestOf(shape.pods().getFirst()), placement, timing)))
                .count();
        return "gang %s cannot be seated in reservation %s: its pods may use %d of the %d seats%s"
                .formatted(
                        gang.id(),
                        holdId,
                        suitable,
                        window.placements().size(),
                        gang.topology().widest() == null
                                ? ""
                                : ", and all with one value of "
                                        + gang.topology().key());
    }

    private Answer priced(
            Gang gang, Seating seating, Resources resources, PromiseTariff tariff, Window promisedWindow) {
        long start = seating.timing().start();
        Map<String, StepFunction> rates = new HashMap<>();
        List<Placement> places = new ArrayList<>();
        seating.placements().forEach((pod, placement) -> {
            PodRequest request = gang.requestOf(pod);
            Node node = Objects.requireNonNull(nodes.get(placement.node()));
            StepFunction rate = scaled(tariff.rate(placement), request.resources(), resources, node);
            long end = seating.timing().end(request, node);
            rates.put(pod, rate);
            places.add(new Placement(pod, placement.node(), start, end, Cost.of(rate, start, end)));
        });
        Window window = Window.of(gang.id(), start, places);
        String problem = notAllowed(gang, window, rates, promisedWindow.gang());
        problem = problem == null ? notBeside(gang, window, promisedWindow.gang()) : problem;
        return problem != null
                ? new Answer.Unfit(problem)
                : new Answer.Taken(
                        window,
                        PromiseTariff.of(window, placement -> Objects.requireNonNull(rates.get(placement.pod())))
                                .payingBy(
                                        window,
                                        placement -> wholeNode
                                                ? Resources.NONE
                                                : gang.requestOf(placement.pod())
                                                        .resources()));
    }

    /** Returns the rule that keeps the pods from running next to others there, although amounts fit, or null. */
    private @Nullable String notBeside(Gang gang, Window window, GangId holdId) {
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
                    .formatted(rule.words(), gang.id(), holdId);
        }
        for (Placement placement : window.placements()) {
            Resources resources =
                    gang.requestOf(placement.pod()).resources().withoutMarks().places();
            Interval interval = new Interval(placement.start(), placement.end());
            timeline.occupy(placement.node(), resources, interval);
            if (!Objects.requireNonNull(timeline.node(placement.node())).holds(resources, interval)) {
                return "pod %s asks for %s, which is taken on node %s of reservation %s"
                        .formatted(placement.pod(), resources.name(0), placement.node(), holdId);
            }
        }
        return null;
    }

    private static boolean asksForPlaces(PodRequest request) {
        return request.resources().places().size() > 0;
    }

    /** Returns why the gang itself does not allow its window, or null if it does. */
    private static @Nullable String notAllowed(
            Gang gang, Window window, Map<String, StepFunction> rates, GangId holdId) {
        Money slotPrice = gang.budget().slotPrice();
        if (window.end() > gang.deadline()) {
            return "gang %s would end at %s in reservation %s, its deadline is %s"
                    .formatted(
                            gang.id(),
                            Instant.ofEpochSecond(window.end()),
                            holdId,
                            Instant.ofEpochSecond(gang.deadline()));
        }
        if (window.cost().compareTo(gang.budget().limit()) > 0) {
            return "gang %s would cost %s in reservation %s, its budget is %s"
                    .formatted(
                            gang.id(),
                            window.cost().roundedUp().brief(),
                            holdId,
                            Objects.requireNonNull(gang.budget().total()).brief());
        }
        if (slotPrice != null && dearest(window, rates) > slotPrice.micros()) {
            return "a seat of reservation %s costs more per hour than gang %s allows (%s)"
                    .formatted(holdId, gang.id(), slotPrice.brief());
        }
        return null;
    }

    /** Returns the highest rate of a pod in any second, millionths per hour. */
    private static long dearest(Window window, Map<String, StepFunction> rates) {
        return window.placements().stream()
                .mapToLong(placement ->
                        Objects.requireNonNull(rates.get(placement.pod())).max(placement.start(), placement.end()))
                .max()
                .orElse(0);
    }

    /** Returns the rate of a seat for a pod that takes less than was reserved, every piece rounded half up. */
    private StepFunction scaled(StepFunction rate, Resources askedResources, Resources reservedResources, Node node) {
        Share ownShare = askedResources.dominantShareOf(node.allocatable());
        Share wholeShare = reservedResources.dominantShareOf(node.allocatable());
        if (wholeNode || ownShare.equals(wholeShare) || wholeShare.part() == 0) {
            return rate;
        }
        BigInteger part = BigInteger.valueOf(ownShare.part()).multiply(BigInteger.valueOf(wholeShare.whole()));
        BigInteger of = BigInteger.valueOf(ownShare.whole()).multiply(BigInteger.valueOf(wholeShare.part()));
        return rate.map(micros -> BigInteger.valueOf(micros)
                .multiply(part)
                .shiftLeft(1)
                .add(of)
                .divide(of.shiftLeft(1))
                .longValueExact());
    }
}
