package io.slotwise.core.queue;

import io.slotwise.core.resource.Resources;
import io.slotwise.core.time.Interval;

/**
 * The use of a queue by a gang that runs.
 *
 * @param holder the gang as {@code namespace/name}
 * @param total the sum of its pods' requests
 * @param interval until the expected end of its last pod
 */
public record QueueUse(String holder, String queue, Resources total, Interval interval) {
    /** Returns the use that ends by a second after its start. */
    QueueUse endingBy(long second) {
        return second >= interval.end()
                ? this
                : new QueueUse(holder, queue, total, new Interval(interval.start(), second));
    }
}
