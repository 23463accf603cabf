package io.slotwise.core.cluster;

import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;

/**
 * Room on a node that something holds: a bound pod until its expected end, or a started gang's member.
 *
 * @param holder who holds it, such as {@code user/pod-3}
 * @param node the node's name
 * @param resources what it takes, one {@link Resources#PODS} included
 * @param interval from when until its expected end; {@link Interval#FOREVER} if no end is known
 * @param overrun whether it holds its room past the end that was expected of it
 * @param late how much later it began than it was planned to, and ends because of that, seconds; 0: it did not, or
 *     nobody planned it
 */
public record Occupation(
        String holder, String node, Resources resources, Interval interval, boolean overrun, long late) {
    /** Room that is held as expected. */
    public Occupation(String holder, String node, Resources resources, Interval interval) {
        this(holder, node, resources, interval, false);
    }

    /** Room of something that began when it was to, or that nobody planned. */
    public Occupation(String holder, String node, Resources resources, Interval interval, boolean overrun) {
        this(holder, node, resources, interval, overrun, 0);
    }

    /** The namespace of a holder; empty: it has none. */
    public static String namespace(String holder) {
        return holder.substring(0, Math.max(0, holder.indexOf('/')));
    }

    /** Whether another one takes as much of the same node at the same time. */
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
