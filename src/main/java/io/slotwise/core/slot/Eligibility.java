package io.slotwise.core.slot;

import io.slotwise.core.cluster.Node;
import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.cluster.Timeline;
import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.NodeConstraint.Exclusion;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.gang.Topology;
import io.slotwise.core.gang.TopologyLevel;
import io.slotwise.core.queue.QueueTimeline;
import io.slotwise.core.resource.Place;
import io.slotwise.core.resource.Resources;
import java.util.Arrays;
import java.util.BitSet;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The nodes that gangs of one kind may use, their charges, and the reasons why others are left out. Valid for a whole
 * planning run, since free capacity does not matter, and for all gangs of the same {@link Kind}. O(nodes).
 */
public final class Eligibility {
    /** The largest cost (1/3600 millionths) or energy (milliwatt-seconds) of a window that is added up exactly. */
    static final long LARGEST_COST = Long.MAX_VALUE / 16;

    private final EligibleOffers offers;
    private final PodTariffs tariffs;
    private final List<NodeTimeline> nodes;
    private final @Nullable QueueTimeline queues;
    private final Map<Exclusion, Integer> excluded = new EnumMap<>(Exclusion.class);

    /**
     * The properties that gangs must share to share an eligibility.
     *
     * @param powered whether energy matters: nodes of unknown power are left out
     * @param most a bound on the number of pods, a power of two, times the largest factor of the runtime: the larger
     *     the gang, the lower the prices that can be summed
     */
    public record Kind(PodRequest request, int maxPerNode, boolean powered, long most) {
        public static Kind of(Gang gang) {
            return of(gang, gang.request());
        }

        public static Kind of(Gang gang, PodRequest request) {
            int factor = Math.ceilDiv(gang.topology().spans().getLast().factor(), Topology.Span.ONE);
            long most = 2L * Integer.highestOneBit(gang.size()) * factor;
            return new Kind(request, gang.maxPerNode(), gang.criterion().needsPower(), most);
        }
    }

    /** Checks every node. {@code wholeNode}: a pod pays for its whole node instead of its dominant share. */
    public Eligibility(Kind kind, Timeline timeline, boolean wholeNode) {
        this(kind, new PodTariffs(timeline.inventory(), wholeNode), timeline);
    }

    public Eligibility(Kind kind, PodTariffs tariffs, Timeline timeline) {
        PodTariff tariff = tariffs.of(kind.request().resources());
        this.nodes = timeline.nodes();
        this.tariffs = tariffs;
        this.queues = timeline.queues();
        @Nullable Exclusion[] exclusions = tariffs.exclusions(kind.request().constraint());
        long[] durations = tariff.durations(kind.request());
        long[] most = most(kind, durations);
        int[] eligible = new int[nodes.size()];
        int n = 0;
        for (int i = 0; i < exclusions.length; i++) {
            Exclusion exclusion = exclusions[i] == null ? exclusion(kind, tariff, most, nodes, i) : exclusions[i];
            if (exclusion == null) {
                eligible[n++] = i;
            } else {
                excluded.merge(exclusion, 1, Integer::sum);
            }
        }
        this.offers = new EligibleOffers(
                kind, tariff, durations, timeline, n == eligible.length ? null : Arrays.copyOf(eligible, n));
    }

    /** Checks only the nodes at some positions, and ignores the others. */
    public Eligibility(Kind kind, PodTariffs tariffs, Timeline timeline, BitSet among) {
        PodTariff tariff = tariffs.of(kind.request().resources());
        this.queues = timeline.queues();
        this.nodes = timeline.nodes();
        this.tariffs = tariffs;
        @Nullable Exclusion[] exclusions = tariffs.exclusions(kind.request().constraint());
        long[] durations = tariff.durations(kind.request());
        long[] most = most(kind, durations);
        int[] eligible = among.stream()
                .filter(i -> exclusions[i] == null && exclusion(kind, tariff, most, nodes, i) == null)
                .toArray();
        this.offers = new EligibleOffers(kind, tariff, durations, timeline, eligible);
    }

    /** Returns the use of queues over time, or null if there are none. */
    public @Nullable QueueTimeline queues() {
        return queues;
    }

    /** Returns the nodes that a gang may use, for each of its shapes. O(nodes) for each. */
    public static List<Eligibility> of(Gang gang, PodTariffs tariffs, Timeline timeline) {
        return gang.shapes().stream()
                .map(shape -> new Eligibility(Kind.of(gang, shape.request()), tariffs, timeline))
                .toList();
    }

    private static @Nullable Exclusion exclusion(
            Kind kind, PodTariff tariff, long[] most, List<NodeTimeline> nodes, int i) {
        if (!tariff.fits(i)) {
            return isUnread(kind.request().resources(), nodes.get(i).node())
                    ? Exclusion.UNREADABLE
                    : Exclusion.TOO_SMALL;
        }
        long bound = most[tariff.speed(i)];
        if (kind.powered() && tariff.power(i) == Node.UNKNOWN) {
            return Exclusion.POWER;
        }
        if (kind.powered() && tariff.power(i) > bound) {
            return Exclusion.DRAW;
        }
        return tariff.dearest(i) > bound ? Exclusion.PRICE : null;
    }

    /** Returns the bounds by speed for the pods of one kind. */
    static long[] most(Kind kind, long[] durations) {
        return Arrays.stream(durations).map(duration -> most(kind, duration)).toArray();
    }

    /** Returns the largest rate, or power, that can be summed over a window of such pods without overflow. */
    private static long most(Kind kind, long duration) {
        return LARGEST_COST / kind.most() / duration;
    }

    /**
     * Returns whether the cost and the energy of {@code pods} pods, each for {@code seconds} seconds on this node, can
     * be summed without overflow. True of every offer of an eligibility, for its gang's own size and duration.
     */
    public static boolean isCountable(Offer offer, int pods, long seconds) {
        long most = LARGEST_COST / pods / seconds;
        return offer.rate().max(Long.MIN_VALUE, Long.MAX_VALUE) <= most
                && (offer.power() == Node.UNKNOWN || offer.power() <= most);
    }

    private static boolean isUnread(Resources resources, Node node) {
        return !node.unreadable().isEmpty()
                && IntStream.range(0, resources.size())
                        .mapToObj(resources::name)
                        .anyMatch(node.unreadable()::contains);
    }

    /** Returns how many nodes have too little of each resource for one pod, by name. O(nodes x resources). */
    public Map<String, Integer> lacking(PodRequest request) {
        Map<String, Integer> lacking = new TreeMap<>();
        Resources resources = request.resources();
        for (NodeTimeline node : nodes) {
            if (request.constraint().exclusion(node.node()) == null && !isUnread(resources, node.node())) {
                IntStream.range(0, resources.size())
                        .filter(i -> !Place.isMark(resources.name(i)))
                        .filter(i ->
                                resources.amount(i) > node.node().allocatable().get(resources.name(i)))
                        .forEach(i -> lacking.merge(resources.name(i), 1, Integer::sum));
            }
        }
        return lacking;
    }

    /** Returns all nodes by name, including those that the gang may not use. */
    public List<NodeTimeline> nodes() {
        return nodes;
    }

    public List<Offer> offers() {
        return offers;
    }

    /** Returns the node of this name if the gang may use it, or null; O(log nodes). */
    public @Nullable Offer offer(String node) {
        int low = 0;
        int high = offers.size() - 1;
        while (low <= high) {
            int middle = (low + high) >>> 1;
            Offer offer = offers.get(middle);
            int order = offer.node().compareTo(node);
            if (order == 0) {
                return offer;
            }
            if (order < 0) {
                low = middle + 1;
            } else {
                high = middle - 1;
            }
        }
        return null;
    }

    /** Returns how many nodes are left out, by reason. */
    public Map<Exclusion, Integer> excluded() {
        return excluded;
    }

    /** Returns the offers in a span, where pods may take longer. */
    Offers offers(Topology.Span span) {
        return span.factor() == Topology.Span.ONE ? offers : offers.lasting(span);
    }

    /** Returns the positions of the offers in each domain of a level, in the order of the domains' names. */
    int[][] positions(TopologyLevel level) {
        return offers.positions(tariffs.domains(level));
    }
}
