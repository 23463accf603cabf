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
 * A Lease that runs out by this process's own clock: no other replica may take it sooner after a renewal than it lasts.
 * A process that was stopped for longer knows at once that it holds it no longer, before any other process tells it.
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
     * A Lease that no replica holds.
     *
     * @param nanos a clock that is never set, nanoseconds
     */
    TimedLease(LeaseLeadership.Terms terms, LongSupplier nanos) {
        super(terms.namespace(), terms.name(), terms.identity());
        this.namespace = terms.namespace();
        this.name = terms.name();
        this.duration = terms.duration().toNanos();
        this.nanos = nanos;
        this.reach = new Reach();
    }

    /** Whether the API server keeps this Lease for us; each new trouble is logged in one line. */
    private final class Reach {
        private volatile boolean reached;
        private volatile @Nullable Long failingSince;
        private @Nullable String said;

        void succeeded() {
            reached = true;
            failingSince = null;
            said = null;
        }

        /** That another replica was quicker is no trouble. */
        KubernetesClientException failed(KubernetesClientException e) {
            if (e.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return e;
            }
            if (failingSince == null) {
                failingSince = nanos.getAsLong();
            }
            String words = words(e);
            if (!words.equals(said)) {
                said = words;
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

    /** The epochs of versions that say theirs in every binding, which a policy tells from those that do not. */
    private static final int FIRST_EPOCH = 1_000_000;

    private static LeaderElectionRecord counted(LeaderElectionRecord record) {
        int transitions = Math.max(FIRST_EPOCH, record.getLeaderTransitions());
        return record.toBuilder().leaderTransitions(transitions).build();
    }

    /** It is this replica's for as long as it lasts from the moment of asking for it. */
    private void take(LeaderElectionRecord given, Consumer<LeaderElectionRecord> write) {
        LeaderElectionRecord record = counted(given);
        long asked = nanos.getAsLong();
        try {
            write.accept(record);
        } catch (KubernetesClientException e) {
            throw reach.failed(e);
        }
        reach.succeeded();
        seen = record.getLeaderTransitions();
        held = seen;
        renewed = asked;
    }

    /** What another replica holds is not this replica's any more, however short the time since it was renewed. */
    private void see(@Nullable String holder, long epoch) {
        seen = epoch;
        if (!identity().equals(holder)) {
            renewed = null;
        }
    }

    /** Looks who holds it. Not by {@link #get}: a replica that tries for it goes by what it has read itself. */
    void look(KubernetesClient client) {
        Lease there = client.leases().inNamespace(namespace).withName(name).get();
        if (there != null && there.getSpec() != null) {
            Integer epoch = there.getSpec().getLeaseTransitions();
            see(there.getSpec().getHolderIdentity(), epoch == null ? 0 : epoch);
        }
    }

    /** How often it had changed hands when this replica took it last. */
    long held() {
        return held;
    }

    /** How often it had changed hands when it was seen last. */
    long seen() {
        return seen;
    }

    /**
     * Whether it was there, or was made, and has not been out of reach for as long as it lasts: else no replica can
     * hold it.
     */
    boolean isReachable() {
        return reach.lasts(duration);
    }

    /** Whether it has not run out since it was renewed last. */
    boolean isValid() {
        Long last = renewed;
        return last != null && nanos.getAsLong() - last < duration;
    }
}
