package io.slotwise.kubernetes.publish;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaderElectionRecord;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.net.HttpURLConnection;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A Lease that expires by this process's own clock. No other replica may take it before its duration has passed since
 * the renewal. A process that was suspended for longer knows at once that it no longer holds the Lease.
 */
final class TimedLease extends LeaseLock {
    private static final Logger LOG = Logger.getLogger(TimedLease.class);

    private final long duration;
    private final LongSupplier nanos;
    private final Reach reach;
    private final String namespace;
    private final String name;
    private volatile @Nullable Long renewed;
    private volatile long held;
    private volatile long seen;

    /**
     * @param nanos a monotonic clock, nanoseconds
     */
    TimedLease(LeaseLeadership.Terms terms, LongSupplier nanos) {
        super(terms.namespace(), terms.name(), terms.identity());
        this.namespace = terms.namespace();
        this.name = terms.name();
        this.duration = terms.duration().toNanos();
        this.nanos = nanos;
        this.reach = new Reach();
    }

    /** Tracks whether the API server keeps this Lease reachable. Each new problem is logged in one line. */
    private final class Reach {
        private volatile boolean reached;
        private volatile @Nullable Long failingSince;
        private @Nullable String loggedWords;

        void succeeded() {
            reached = true;
            failingSince = null;
            loggedWords = null;
        }

        /** Notes a failure. A conflict with another replica does not count. */
        KubernetesClientException failed(KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return e;
            }
            if (failingSince == null) {
                failingSince = nanos.getAsLong();
            }
            String words = words(e);
            if (!words.equals(loggedWords)) {
                loggedWords = words;
                LOG.warn(words);
            }
            return e;
        }

        boolean lasts(long most) {
            Long since = failingSince;
            return reached && (since == null || nanos.getAsLong() - since < most);
        }

        private String words(KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_NOT_FOUND) {
                return ("The namespace %s (slotwise.namespace) does not exist, so no replica can lead: the Lease "
                                + "%s is kept there. Maybe create it: kubectl create namespace %s.")
                        .formatted(namespace, name, namespace);
            }
            String why = e.getStatus() == null || e.getStatus().getMessage() == null
                    ? String.valueOf(e.getMessage())
                    : e.getStatus().getMessage();
            return "The Lease %s/%s cannot be acquired or renewed: %s".formatted(namespace, name, why);
        }
    }

    @Override
    public synchronized @Nullable LeaderElectionRecord get(KubernetesClient client) {
        try {
            LeaderElectionRecord record = super.get(client);
            if (record != null) {
                see(record.getHolderIdentity(), record.getLeaderTransitions());
                reach.succeeded();
            }
            return record;
        } catch (KubernetesClientException e) {
            throw reach.failed(e);
        }
    }

    @Override
    public synchronized void create(KubernetesClient client, LeaderElectionRecord record) {
        take(record, counted -> super.create(client, counted));
    }

    @Override
    public synchronized void update(KubernetesClient client, LeaderElectionRecord record) {
        take(record, counted -> super.update(client, counted));
    }

    /** The first epoch of versions that name their epoch in every binding. A policy distinguishes them from others. */
    private static final int FIRST_EPOCH = 1_000_000;

    /** Takes the Lease. Its duration counts from the moment of the request. */
    private void take(LeaderElectionRecord given, Consumer<LeaderElectionRecord> write) {
        int epoch = Math.max(FIRST_EPOCH, given.getLeaderTransitions());
        LeaderElectionRecord record = given.toBuilder().leaderTransitions(epoch).build();
        long asked = nanos.getAsLong();
        try {
            write.accept(record);
        } catch (KubernetesClientException e) {
            throw reach.failed(e);
        }
        reach.succeeded();
        seen = epoch;
        held = epoch;
        renewed = asked;
    }

    /** Notes the holder. If it is another replica, this one no longer holds the Lease, however recent its renewal. */
    private void see(@Nullable String holder, long epoch) {
        seen = epoch;
        if (!identity().equals(holder)) {
            renewed = null;
        }
    }

    /**
     * Reads the holder. Does not use {@link #get}, because a replica that tries to get the Lease depends on its own
     * last read.
     */
    void look(KubernetesClient client) {
        Lease there = client.leases().inNamespace(namespace).withName(name).get();
        if (there != null && there.getSpec() != null) {
            Integer epoch = there.getSpec().getLeaseTransitions();
            see(there.getSpec().getHolderIdentity(), epoch == null ? 0 : epoch);
        }
    }

    /** Returns the number of transitions when this replica last took the Lease. */
    long held() {
        return held;
    }

    /** Returns the number of transitions when the Lease was last seen. */
    long seen() {
        return seen;
    }

    /**
     * Returns whether a replica can hold the Lease: it was read or created, and has not been unreachable for its
     * duration.
     */
    boolean isReachable() {
        return reach.lasts(duration);
    }

    boolean isValid() {
        Long last = renewed;
        return last != null && nanos.getAsLong() - last < duration;
    }
}
