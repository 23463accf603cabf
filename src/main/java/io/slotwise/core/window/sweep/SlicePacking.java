package io.slotwise.core.window.sweep;

import io.slotwise.core.gang.Topology.Slice;
import io.slotwise.core.gang.TopologyLevel;
import io.slotwise.core.slot.Offer;
import io.slotwise.core.window.knapsack.UnitKnapsack.Taken;
import io.slotwise.core.window.sweep.MixedPlacement.Assignment;
import io.slotwise.core.window.sweep.MixedPlacement.Limits;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Places the pods of a gang in slices at one second: the least sum of values under a limit on the cost, and then the
 * least cost. Without values the least cost. All pods are alike, so the number of pods in each domain of a slice's
 * level is a multiple of its size, and pods in order of rank fill the domains one after the other.
 *
 * <p>Without a limit that binds, the cheapest units of each narrowest domain make its slices, the cheapest first. The
 * slices of the domains within a wider one, in order of cost, make its wider slices, and so on. Exact: of each domain a
 * placement has some number k of slices, and the first k cost least. A later slice of a domain costs no less than an
 * earlier one, so the first ones in the order of all domains are such a choice with the least sum. The same holds for
 * (value, cost) in lexicographic order. If slices cost the same, those of the domain with the fewest are first, so
 * that large domains stay free. O(U log U) for U free units.
 *
 * <p>With a limit that binds, each domain has the pairs (value, cost) that none beats for each number of its slices.
 * They are joined from domain to domain. Exact up to {@link MixedPlacement#MOST_WORK} pairs. Beyond, only the nodes
 * up to some cost are used: if one pod costs no more than its part of the limit, all do. The search reports that a
 * better window may exist. It also does so if all placements of one search together take more than {@link
 * MixedPlacement#MOST_IN_ALL} steps, after which no more seconds are searched.
 */
final class SlicePacking {
    private final SlotSearch search;
    private final List<Offer> offers;
    private final int pods;

    /** The number of parts of each slice, from narrow to wide: pods, then slices of the next narrower kind. */
    private final int[] parts;

    /** For each slice, the domain of each offer, or -1 outside of some domain. Domains are numbered by name. */
    private final int[][] domains;

    private final long @Nullable [] values;
    private long work;

    /**
     * A unit, or a slice.
     *
     * @param offer of the first unit
     * @param room the number of such parts in the domain of the part
     * @param within the parts, none for a unit
     */
    private record Part(long value, long cost, int offer, int room, List<Part> within) {
        static final Comparator<Part> ORDER = Comparator.comparingLong(Part::value)
                .thenComparingLong(Part::cost)
                .thenComparingInt(Part::room);

        static Part of(List<Part> within, int room) {
            long value = 0;
            long cost = 0;
            for (Part part : within) {
                value += part.value;
                cost += part.cost;
            }
            return new Part(value, cost, within.getFirst().offer, room, within);
        }

        void take(List<Taken> taken) {
            if (within.isEmpty()) {
                taken.add(new Taken(offer, 1));
            }
            within.forEach(part -> part.take(taken));
        }
    }

    SlicePacking(SlotSearch search, long @Nullable [] values) {
        this.search = search;
        this.offers = search.offers();
        this.pods = search.size();
        this.values = values;
        List<Slice> slices = search.slices();
        this.parts = new int[slices.size()];
        this.domains = new int[slices.size()][];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = slices.get(i).size() / (i == 0 ? 1 : slices.get(i - 1).size());
            domains[i] = numbered(slices.get(i).level());
        }
    }

    private int[] numbered(TopologyLevel level) {
        List<@Nullable String> names = new ArrayList<>();
        offers.forEach(offer -> names.add(level.domain(offer.timeline().node())));
        Map<String, Integer> numbers = new TreeMap<>();
        for (String name : names) {
            if (name != null) {
                numbers.put(name, 0);
            }
        }
        int next = 0;
        for (Map.Entry<String, Integer> entry : numbers.entrySet()) {
            entry.setValue(next++);
        }
        return names.stream()
                .mapToInt(name -> name == null ? -1 : numbers.getOrDefault(name, -1))
                .toArray();
    }

    /** Returns the best placement, or null if there is none: see {@link MixedPlacement#best}. */
    @Nullable
    Assignment best(long t, IntUnaryOperator free, Limits limits) {
        if (work > MixedPlacement.MOST_IN_ALL) {
            search.bound();
            return null;
        }
        int[] counts = new int[offers.size()];
        long[] costs = new long[offers.size()];
        for (int i = 0; i < counts.length; i++) {
            boolean inDomains = domains[0][i] >= 0 && offers.get(i).duration() <= limits.longest();
            counts[i] = inDomains ? Math.min(Math.max(free.applyAsInt(i), 0), pods) : 0;
        }
        work += (long) counts.length * parts.length;
        if (!fits(counts)) {
            return null;
        }
        for (int i = 0; i < counts.length; i++) {
            costs[i] = counts[i] == 0 ? 0 : offers.get(i).cost(t).microSecondsPerHour();
        }
        return within(new Second(counts, costs), limits);
    }

    private @Nullable Assignment within(Second second, Limits limits) {
        Assignment leastAssignment = second.least(values, _ -> true);
        if (leastAssignment == null || leastAssignment.value() >= limits.below()) {
            return null;
        }
        if (leastAssignment.cost() <= limits.cost() || values == null) {
            return leastAssignment.cost() <= limits.cost() ? leastAssignment : null;
        }
        Assignment cheapestAssignment = second.least(null, _ -> true);
        if (cheapestAssignment == null || cheapestAssignment.cost() > limits.cost()) {
            return null;
        }
        Assignment best = second.affordable(cheapestAssignment, values, limits);
        return best != null && best.value() < limits.below() ? best : null;
    }

    /** Returns whether the free units make enough slices. O(offers x slices). */
    private boolean fits(int[] counts) {
        int[] left = counts;
        int whole = 0;
        for (int level = 0; level < parts.length; level++) {
            int[] sums = new int[offers.size()];
            int[] first = new int[offers.size()];
            Arrays.fill(first, -1);
            for (int i = 0; i < left.length; i++) {
                int domain = domains[level][i];
                if (domain >= 0) {
                    sums[domain] += left[i];
                    first[domain] = first[domain] < 0 ? i : first[domain];
                }
            }
            left = new int[offers.size()];
            whole = 0;
            for (int domain = 0; domain < sums.length; domain++) {
                if (first[domain] >= 0) {
                    left[first[domain]] = sums[domain] / parts[level];
                    whole += left[first[domain]];
                }
            }
        }
        return (long) whole * search.slices().getLast().size() >= pods;
    }

    /** The free units of each offer at one second, and what a pod costs there. */
    private final class Second {
        private final int[] counts;
        private final long[] costs;

        Second(int[] counts, long[] costs) {
            this.counts = counts;
            this.costs = costs;
        }

        /** Returns the placement with the least (value, cost) on some offers, without any limit. */
        @Nullable
        Assignment least(long @Nullable [] figures, IntPredicate some) {
            List<Part> all = new ArrayList<>();
            for (int i = 0; i < counts.length; i++) {
                if (counts[i] > 0 && some.test(i)) {
                    long value = figures == null ? 0 : figures[i];
                    all.addAll(Collections.nCopies(counts[i], new Part(value, costs[i], i, 0, List.of())));
                }
            }
            work += all.size();
            for (int level = 0; level < parts.length; level++) {
                all = joined(all, level);
            }
            all.sort(Part.ORDER);
            int slices = pods / search.slices().getLast().size();
            if (all.size() < slices) {
                return null;
            }
            List<Taken> units = new ArrayList<>();
            Part wholePart = Part.of(all.subList(0, slices), 0);
            wholePart.take(units);
            long value = 0;
            for (Taken taken : units) {
                value += values == null ? 0 : values[taken.node()];
            }
            return new Assignment(value, wholePart.cost(), units);
        }

        /** Returns the slices of a level, domain by domain, made of parts. */
        private List<Part> joined(List<Part> all, int level) {
            TreeMap<Integer, List<Part>> byDomain = new TreeMap<>();
            all.forEach(part -> byDomain.computeIfAbsent(domains[level][part.offer()], _ -> new ArrayList<>())
                    .add(part));
            List<Part> slices = new ArrayList<>();
            byDomain.values().forEach(domain -> {
                domain.sort(Part.ORDER);
                int room = domain.size() / parts[level];
                int most = Math.min(room, pods / search.slices().get(level).size());
                for (int k = 0; k < most; k++) {
                    slices.add(Part.of(domain.subList(k * parts[level], (k + 1) * parts[level]), room));
                }
            });
            return slices;
        }

        /** Returns the placement with the least value within the limit, given the cheapest one, which is within it. */
        @Nullable
        Assignment affordable(Assignment cheapestAssignment, long[] figures, Limits limits) {
            SliceProgramme programme = new SliceProgramme(domains, parts, pods, limits);
            List<PartialAssignment> whole = programme.best(counts, figures, costs);
            work += programme.work();
            if (whole != null) {
                PartialAssignment best = whole.isEmpty() ? null : whole.getFirst();
                return best == null ? null : new Assignment(best.value(), best.cost(), SliceProgramme.taken(best));
            }
            search.bound();
            long[] steps = IntStream.range(0, counts.length)
                    .filter(i -> counts[i] > 0)
                    .mapToLong(i -> costs[i])
                    .distinct()
                    .sorted()
                    .toArray();
            Assignment best = cheapestAssignment;
            int low = 0;
            int high = steps.length - 1;
            while (low <= high) {
                int middle = (low + high) >>> 1;
                Assignment assignment = least(figures, i -> costs[i] <= steps[middle]);
                boolean over = assignment != null && assignment.cost() > limits.cost();
                if (assignment != null && !over && (best == null || assignment.value() < best.value())) {
                    best = assignment;
                }
                low = over ? low : middle + 1;
                high = over ? middle - 1 : high;
            }
            return best;
        }
    }
}
