package io.slotwise.core.window.sweep;

import io.slotwise.core.window.knapsack.UnitKnapsack.Taken;
import io.slotwise.core.window.sweep.MixedPlacement.Limits;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The dynamic program of {@link SlicePacking}: the pairs (value, cost) of which none is beaten in both, for each number
 * of slices of a domain.
 */
final class SliceProgramme {
    private final int[][] domains;
    private final int[] parts;
    private final int pods;
    private final Limits limits;
    private long work;

    /**
     * @param domains for each slice from narrow to wide, the domain of each offer, or -1
     * @param parts the number of parts of each slice
     */
    SliceProgramme(int[][] domains, int[] parts, int pods, Limits limits) {
        this.domains = domains;
        this.parts = parts;
        this.pods = pods;
        this.limits = limits;
    }

    /** The placements of a domain, by the number of its slices. */
    private record Domain(int offer, List<List<PartialAssignment>> lists) {}

    /** Returns the placements of all pods within the limits, by value. Null if that is too much work. */
    @Nullable
    List<PartialAssignment> best(int[] counts, long[] values, long[] costs) {
        List<Domain> all = new ArrayList<>();
        for (int i = 0; i < counts.length; i++) {
            if (counts[i] > 0) {
                List<List<PartialAssignment>> units = new ArrayList<>();
                for (int k = 0; k <= counts[i]; k++) {
                    PartialAssignment.Fill fill =
                            new PartialAssignment.Fill(k, List.of(k), k * values[i], k * costs[i]);
                    units.add(List.of(
                            k == 0
                                    ? PartialAssignment.EMPTY
                                    : new PartialAssignment(
                                            fill.value(), fill.cost(), PartialAssignment.EMPTY, i, fill)));
                }
                all.add(new Domain(i, units));
            }
        }
        int most = pods;
        for (int level = 0; level <= parts.length; level++) {
            TreeMap<Integer, Domain> joined = new TreeMap<>();
            for (Domain domain : all) {
                int number = level == parts.length ? 0 : domains[level][domain.offer];
                Domain before = joined.get(number);
                List<List<PartialAssignment>> both = before == null ? domain.lists : new ArrayList<>();
                if (before != null) {
                    join(before.lists, domain.lists, most, both);
                }
                if (work >= MixedPlacement.MOST_WORK) {
                    return null;
                }
                joined.put(number, new Domain(domain.offer, both));
            }
            int part = level == parts.length ? 1 : parts[level];
            all = joined.values().stream()
                    .map(domain -> new Domain(domain.offer, whole(domain.lists, part)))
                    .toList();
            most /= part;
        }
        List<List<PartialAssignment>> lists = all.isEmpty() ? List.of() : all.getFirst().lists;
        return lists.size() > most ? lists.get(most) : List.of();
    }

    /** Returns every {@code part}-th list. */
    private static List<List<PartialAssignment>> whole(List<List<PartialAssignment>> lists, int part) {
        List<List<PartialAssignment>> whole = new ArrayList<>();
        for (int k = 0; k < lists.size(); k += part) {
            whole.add(lists.get(k));
        }
        return whole;
    }

    /** Returns the steps so far: placements that were joined or compared. */
    long work() {
        return work;
    }

    /** Adds the joined placements of two domains, until there were too many steps. */
    private void join(
            List<List<PartialAssignment>> first,
            List<List<PartialAssignment>> second,
            int most,
            List<List<PartialAssignment>> both) {
        int last = Math.min(most, first.size() + second.size() - 2);
        both.addAll(Collections.nCopies(last + 1, List.of()));
        both.replaceAll(_ -> new ArrayList<>());
        for (int i = 0; i < first.size() && i <= last; i++) {
            for (int j = 0; j < second.size() && i + j <= last; j++) {
                for (PartialAssignment assignment : first.get(i)) {
                    for (PartialAssignment other : second.get(j)) {
                        work += 1 + both.get(i + j).size();
                        if (work >= MixedPlacement.MOST_WORK) {
                            return;
                        }
                        insert(both.get(i + j), assignment, other);
                    }
                }
            }
        }
    }

    private void insert(List<PartialAssignment> list, PartialAssignment assignment, PartialAssignment other) {
        long value = assignment.value() + other.value();
        long cost = assignment.cost() + other.cost();
        if (value < limits.below() && cost <= limits.cost() && !PartialAssignment.isBeaten(list, value, cost)) {
            PartialAssignment.insert(list, PartialAssignment.after(assignment, other));
        }
    }

    /** Returns the units of a placement. */
    static List<Taken> taken(PartialAssignment assignment) {
        List<Taken> taken = new ArrayList<>();
        for (PartialAssignment partial = assignment; partial != null; partial = partial.before()) {
            PartialAssignment.Fill fill = partial.fill();
            if (fill != null) {
                taken.add(new Taken(partial.node(), fill.state()));
            }
        }
        return taken;
    }
}
