package io.slotwise.kubernetes.publish;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A Lease that runs out by this process's own clock: nobody else may take it sooner after a renewal than it lasts. A process that was
 * stopped for longer knows at once that it holds it no longer, before anybody tells it.
 */
final class TimedLease extends LeaseLock {
    private final long duration;
    private final LongSupplier nanos;
    private volatile @Nullable Long renewed;

    /**
     * A Lease that nobody holds.
     *
     * @param nanos a clock that is never set, nanoseconds
     */
    TimedLease(LeaseLeadership.Terms terms, LongSupplier nanos) {
        super(terms.namespace(), terms.name(), terms.identity());
        this.duration = terms.duration().toNanos();
        this.nanos = nanos;
    }

    @Override
    public synchronized void create(KubernetesClient client, LeaderElectionRecord record) {
        long asked = nanos.getAsLong();
        super.create(client, record);
        renewed = asked;
    }

    @Override
    public synchronized void update(KubernetesClient client, LeaderElectionRecord record) {
        long asked = nanos.getAsLong();
        super.update(client, record);
        renewed = asked;
    }

    /** Whether it has not run out since it was renewed last. */
    boolean isValid() {
        Long last = renewed;
        return last != null && nanos.getAsLong() - last < duration;
    }
}
