package io.slotwise.kubernetes.publish;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfig;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElector;
import io.slotwise.live.port.Leadership;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jboss.logging.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Leadership by a Lease: the replica that holds the Lease plans. A replica that loses the Lease tries to get it again.
 * It tries at once if it has led, because it may only have been suspended, with no other replica to take the Lease.
 */
public final class LeaseLeadership implements Leadership, AutoCloseable {
    private static final Logger LOG = Logger.getLogger(LeaseLeadership.class);

    /** Creates an elector for each attempt, because an elector works only once. */
    private final Supplier<LeaderElector> electors;

    private final TimedLease lease;

    private final KubernetesClient client;

    private final Duration retry;
    private final Executor executor;
    private volatile boolean leading;
    /** True if this replica has led since its last attempt began. */
    private volatile boolean led;

    private volatile boolean open = true;
    private volatile @Nullable CompletableFuture<?> election;

    /**
     * The terms of the Lease.
     *
     * @param duration time after which others may take a Lease that is not renewed
     * @param renewDeadline time after which this replica gives up renewing, shorter than {@code duration}
     * @param retryPeriod time between two tries, shorter than {@code renewDeadline}
     */
    public record Terms(
            String namespace,
            String name,
            String identity,
            Duration duration,
            Duration renewDeadline,
            Duration retryPeriod) {}

    /**
     * Creates a leadership that begins with {@link #start}.
     *
     * @param onChange called when this replica begins (true) or ceases (false) to lead
     */
    public LeaseLeadership(KubernetesClient client, Terms terms, Executor executor, Consumer<Boolean> onChange) {
        this.client = client;
        this.retry = terms.retryPeriod();
        this.executor = executor;
        this.lease = new TimedLease(terms, System::nanoTime);
        electors = () -> new LeaderElector(client, config(terms, onChange), executor);
    }

    private LeaderElectionConfig config(Terms terms, Consumer<Boolean> onChange) {
        return new LeaderElectionConfigBuilder()
                .withName("slotwise")
                .withLock(lease)
                .withLeaseDuration(terms.duration())
                .withRenewDeadline(terms.renewDeadline())
                .withRetryPeriod(terms.retryPeriod())
                .withReleaseOnCancel(true)
                .withLeaderCallbacks(new LeaderCallbacks(
                        () -> become(true, onChange),
                        () -> become(false, onChange),
                        leader -> LOG.infof("the leader is %s", leader)))
                .build();
    }

    public void start() {
        led = false;
        CompletableFuture<?> running = electors.get().start();
        election = running;
        var _ = running.whenComplete((result, problem) -> {
            leading = false;
            if (open) {
                CompletableFuture.delayedExecutor(led ? 0 : retry.toMillis(), TimeUnit.MILLISECONDS, executor)
                        .execute(this::start);
            }
        });
    }

    @Override
    public boolean getAsBoolean() {
        return leading && lease.isValid();
    }

    /** Returns whether any replica can lead, because the Lease is reachable. */
    public boolean isReachable() {
        return lease.isReachable();
    }

    /**
     * {@inheritDoc} A former leader uses its own epoch until it notices that it no longer leads, because it may have
     * been suspended for long.
     */
    @Override
    public long epoch() {
        return leading ? lease.held() : lease.seen();
    }

    @Override
    public void outdated() {
        try {
            lease.look(client);
        } catch (KubernetesClientException e) {
            LOG.debugf("the Lease cannot be read: %s", e.getMessage());
        }
    }

    @Override
    public void close() {
        open = false;
        CompletableFuture<?> running = election;
        if (running != null) {
            running.cancel(true);
        }
    }

    private void become(boolean leader, Consumer<Boolean> onChange) {
        leading = leader;
        if (leader) {
            led = true;
        }
        LOG.infof(leader ? "this replica is the leader" : "this replica is no longer the leader");
        onChange.accept(leader);
    }
}
