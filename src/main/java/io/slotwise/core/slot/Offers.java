package io.slotwise.core.slot;

import io.slotwise.core.cluster.NodeTimeline;
import io.slotwise.core.cluster.Vacancy;
import io.slotwise.core.slot.Eligibility.Kind;
import java.util.AbstractList;
import java.util.List;
import java.util.RandomAccess;
import org.jspecify.annotations.Nullable;

/**
 * Offers of many nodes, and their figures without an object for each: a batch has as many kinds of gangs as gangs, and each of
 * them looks at few nodes closely.
 */
public abstract class Offers extends AbstractList<Offer> implements RandomAccess {
    Offers() {}

    /** The figures of these offers. */
    public static Offers of(List<Offer> offers) {
        return offers instanceof Offers figures ? figures : new Listed(offers);
    }

    /**
     * What nodes mean for gangs of one kind; each offer is made where it is asked for.
     *
     * @param eligible indices of nodes; null: all
     */
    static Offers eligible(Kind kind, Tariff tariff, List<NodeTimeline> nodes, int @Nullable [] eligible) {
        return new Eligible(kind, tariff, nodes, eligible);
    }

    /** Seconds that a pod takes on the i-th node. */
    public abstract long duration(int i);

    /** What a pod costs there that starts at second {@code start}, 1/3600 millionths. */
    public abstract long cost(int i, long start);

    /** No pod costs less there, whenever it starts, 1/3600 millionths. */
    public abstract long leastCost(int i);

    /** What a pod draws there from its start to its end, milliwatt-seconds. */
    public abstract long energy(int i);

    /** The most pods of one window on any of these nodes. */
    public abstract int most();

    /** The same where some room is given back. */
    public Offers with(Vacancy vacancy) {
        return vacancy.isEmpty() ? this : new Vacated(this, vacancy);
    }

    private static final class Vacated extends Offers {
        private final Offers offers;
        private final Vacancy vacancy;

        Vacated(Offers offers, Vacancy vacancy) {
            this.offers = offers;
            this.vacancy = vacancy;
        }

        @Override
        public Offer get(int i) {
            Offer offer = offers.get(i);
            return offer.on(vacancy.of(offer.timeline()));
        }

        @Override
        public int size() {
            return offers.size();
        }

        @Override
        public long duration(int i) {
            return offers.duration(i);
        }

        @Override
        public long cost(int i, long start) {
            return offers.cost(i, start);
        }

        @Override
        public long leastCost(int i) {
            return offers.leastCost(i);
        }

        @Override
        public long energy(int i) {
            return offers.energy(i);
        }

        @Override
        public int most() {
            return offers.most();
        }
    }

    private static final class Listed extends Offers {
        private final List<Offer> offers;

        Listed(List<Offer> offers) {
            this.offers = offers;
        }

        @Override
        public Offer get(int i) {
            return offers.get(i);
        }

        @Override
        public int size() {
            return offers.size();
        }

        @Override
        public long duration(int i) {
            return get(i).duration();
        }

        @Override
        public long cost(int i, long start) {
            return get(i).cost(start).microSecondsPerHour();
        }

        @Override
        public long leastCost(int i) {
            return get(i).rate().min() * get(i).duration();
        }

        @Override
        public long energy(int i) {
            return get(i).energy();
        }

        @Override
        public int most() {
            int most = 0;
            for (Offer offer : offers) {
                most = Math.max(most, offer.most());
            }
            return most;
        }
    }

    private static final class Eligible extends Offers {
        private final Kind kind;
        private final Tariff tariff;
        private final List<NodeTimeline> nodes;
        private final int @Nullable [] eligible;
        private final long[] durations;

        Eligible(Kind kind, Tariff tariff, List<NodeTimeline> nodes, int @Nullable [] eligible) {
            this.kind = kind;
            this.tariff = tariff;
            this.nodes = nodes;
            this.eligible = eligible;
            this.durations = tariff.durations(kind.request());
        }

        private int node(int i) {
            return eligible == null ? i : eligible[i];
        }

        @Override
        public Offer get(int i) {
            int node = node(i);
            return new Offer(
                    nodes.get(node),
                    kind.request().resources(),
                    duration(i),
                    tariff.rate(node),
                    tariff.power(node),
                    most());
        }

        @Override
        public int size() {
            return eligible == null ? nodes.size() : eligible.length;
        }

        @Override
        public long duration(int i) {
            return durations[tariff.speed(node(i))];
        }

        @Override
        public long cost(int i, long start) {
            return tariff.cost(node(i), start, duration(i));
        }

        @Override
        public long leastCost(int i) {
            return tariff.cheapest(node(i)) * duration(i);
        }

        @Override
        public long energy(int i) {
            return tariff.power(node(i)) * duration(i);
        }

        @Override
        public int most() {
            return (int) Math.min(kind.maxPerNode(), kind.most());
        }
    }
}
