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
 * What the pods of a gang take that were resized in their places while it ran. However often that is, what the run has
 * cost until then is one sum for each of three days, and each pod has its last size.
 *
 * @param since the second from which on the pods have these sizes, since the epoch
 * @param before what the run cost until then, by days since the epoch, the first one with all days before it; without
 *     processor time
 * @param parts how many millionths of what it was promised a pod takes, by pod; a pod that is not among them takes what
 *     it was promised
 */
public record PodSizes(long since, SortedMap<Long, Charge> before, SortedMap<String, Long> parts) {
    /** All pods take what they were promised. */
    public static final PodSizes NONE =
            new PodSizes(Long.MIN_VALUE, Collections.emptySortedMap(), Collections.emptySortedMap());

    /** As much as was promised. */
    public static final long PROMISED = 1_000_000;

    /** The days before the present one whose sums are kept apart: each day is charged soon after it is over. */
    private static final long DAYS_APART = 2;

    public PodSizes {
        before = Collections.unmodifiableSortedMap(new TreeMap<>(before));
        parts = Collections.unmodifiableSortedMap(new TreeMap<>(parts));
        if (parts.values().stream().anyMatch(part -> part < 0)) {
            throw new IllegalArgumentException("The sizes (%s) of pods must not be negative.".formatted(parts));
        }
    }

    /**
     * How many millionths of what it was promised a pod takes, rounded up: its largest share of its node by the one
     * that it was promised, both of what the node has now. The same amounts are always the same size; so is any amount
     * where the node has nothing of what was promised.
     *
     * @param allocatedResources to the pod; its processors and memory count, as nothing else can be resized
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

    /** The sizes of pods that took other ones until the end of their course so far. O(places). */
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

    /** The same as far as a run had gone at a second: at the end of a day, if that is before the last change. */
    PodSizes until(long second) {
        return second >= since
                ? this
                : new PodSizes(second, before.headMap(Math.floorDiv(second, Period.DAY_SECONDS)), parts);
    }

    /** What the run cost until the last change. */
    Charge sum() {
        return before.values().stream().reduce(Charge.NOTHING, Charge::plus);
    }

    /** How many millionths of what it was promised a pod takes. */
    public long part(String pod) {
        return parts.getOrDefault(pod, PROMISED);
    }

    /** What a pod pays for a while that was promised at a cost, rounded up. */
    Cost cost(String pod, Cost promised) {
        long part = part(pod);
        return part == PROMISED
                ? promised
                : Cost.of(ceiling(promised.exact().multiply(BigInteger.valueOf(part)), BigInteger.valueOf(PROMISED)));
    }
}
