package io.slotwise.core.ledger;

import io.slotwise.core.money.Cost;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.resource.Share;
import io.slotwise.core.window.Window;
import java.math.BigInteger;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The sizes of pods that were resized in place while their gang ran. However many resizes there are, only three sums of
 * past cost are kept, by day, and the last size of each pod.
 *
 * @param since the second from which on the pods have these sizes, since the epoch
 * @param before the cost of the run until then, by days since the epoch, without processor time; the first day includes
 *     all earlier ones
 * @param parts the size of each pod in millionths of its promised size; missing pods have their promised size
 */
public record PodSizes(long since, SortedMap<Long, Charge> before, SortedMap<String, Long> parts) {
    public static final PodSizes NONE =
            new PodSizes(Long.MIN_VALUE, Collections.emptySortedMap(), Collections.emptySortedMap());

    /** The promised size, in millionths. */
    public static final long PROMISED = 1_000_000;

    /** The days before the present one with separate sums: each day is charged soon after it is over. */
    private static final long DAYS_APART = 2;

    public PodSizes {
        before = Collections.unmodifiableSortedMap(new TreeMap<>(before));
        parts = Collections.unmodifiableSortedMap(new TreeMap<>(parts));
        if (parts.values().stream().anyMatch(part -> part < 0)) {
            throw new IllegalArgumentException("The sizes (%s) of pods must not be negative.".formatted(parts));
        }
    }

    /**
     * Returns the size of a pod in millionths of its promised size, rounded up: its dominant share of the present node
     * divided by the promised one. Unchanged amounts are always {@link #PROMISED}; so are all amounts if the promised
     * share of the node is zero.
     *
     * @param allocatedResources the allocated resources of the pod; only processors and memory count, as nothing else
     *     can be resized
     */
    public static long part(Resources promised, Resources allocatedResources, Resources nodeResources) {
        long cores = allocatedResources.get(Resources.CPU);
        long memory = allocatedResources.get(Resources.MEMORY);
        if (cores == promised.get(Resources.CPU) && memory == promised.get(Resources.MEMORY)) {
            return PROMISED;
        }
        Share before = promised.dominantShareOf(nodeResources).min(Share.ALL);
        if (before.part() == 0) {
            return PROMISED;
        }
        Resources resources = promised.with(Resources.CPU, cores).with(Resources.MEMORY, memory);
        Share currentShare = resources.dominantShareOf(nodeResources).min(Share.ALL);
        BigInteger part = ceiling(
                product(currentShare.part(), before.whole()).multiply(BigInteger.valueOf(PROMISED)),
                product(currentShare.whole(), before.part()));
        return part.min(BigInteger.valueOf(Long.MAX_VALUE)).longValueExact();
    }

    private static BigInteger product(long one, long other) {
        return BigInteger.valueOf(one).multiply(BigInteger.valueOf(other));
    }

    private static BigInteger ceiling(BigInteger above, BigInteger below) {
        return above.add(below).subtract(BigInteger.ONE).divide(below);
    }

    /** Returns the sizes after a resize at the end of the course so far. O(placements). */
    public static PodSizes after(
            Window window, PromiseTariff tariff, Charge.Course course, SortedMap<String, Long> parts) {
        long now = course.endedAt();
        long today = Math.floorDiv(now, Period.DAY_SECONDS);
        SortedMap<Long, Charge> days = new TreeMap<>();
        Charge knownCharge = Charge.NOTHING;
        long first = Math.floorDiv(course.startedAt(), Period.DAY_SECONDS);
        for (long day = Math.max(first, today - DAYS_APART); day <= today; day++) {
            Charge charge = Charge.of(window, tariff, course.until(Math.min(now, (day + 1) * Period.DAY_SECONDS)));
            days.put(day, charge.since(knownCharge).lasting(0));
            knownCharge = charge;
        }
        return new PodSizes(now, days, parts);
    }

    /** Returns the sizes of the run until a second: the end of a day, if that is before the last resize. */
    PodSizes until(long second) {
        return second >= since
                ? this
                : new PodSizes(second, before.headMap(Math.floorDiv(second, Period.DAY_SECONDS)), parts);
    }

    Charge sum() {
        return before.values().stream().reduce(Charge.NOTHING, Charge::plus);
    }

    /** Returns the size of a pod in millionths of its promised size. */
    public long part(String pod) {
        return parts.getOrDefault(pod, PROMISED);
    }

    /** Returns what a pod pays for a time with this promised cost, rounded up. */
    Cost cost(String pod, Cost promised) {
        long part = part(pod);
        return part == PROMISED
                ? promised
                : Cost.of(ceiling(promised.exact().multiply(BigInteger.valueOf(part)), BigInteger.valueOf(PROMISED)));
    }
}
