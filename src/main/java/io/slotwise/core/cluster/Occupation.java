package io.slotwise.core.cluster;

import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;

/**
 * Held room on a node: a bound pod until its expected end, or a started gang's member.
 *
 * @param holder such as {@code user/pod-3}
 * @param resources including one {@link Resources#PODS}
 * @param interval until the expected end, or {@link Interval#FOREVER} if no end is known
 * @param overrun whether the room is held past its expected end
 * @param late how much later than planned it started, and so ends, seconds; 0 if on time or unplanned
 */
public record Occupation(
        String holder, String node, Resources resources, Interval interval, boolean overrun, long late) {
    /** Room that is held as expected. */
    public Occupation(String holder, String node, Resources resources, Interval interval) {
        this(holder, node, resources, interval, false);
    }

    /** Room of a pod that started on time, or that was not planned. */
    public Occupation(String holder, String node, Resources resources, Interval interval, boolean overrun) {
        this(holder, node, resources, interval, overrun, 0);
    }

    /** Returns the namespace of a holder, or an empty string. */
    public static String namespace(String holder) {
        return holder.substring(0, Math.max(0, holder.indexOf('/')));
    }

    /** Returns whether another occupation takes as much of the same node at the same time. */
    boolean isLike(Occupation other) {
        return node.equals(other.node) && interval.equals(other.interval) && resources.equals(other.resources);
    }

    public Occupation of(Resources other) {
        return new Occupation(holder, node, other, interval, overrun, late);
    }

    public Occupation during(Interval other) {
        return new Occupation(holder, node, resources, other, overrun, late);
    }
}
