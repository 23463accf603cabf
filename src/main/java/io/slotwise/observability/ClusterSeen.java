package io.slotwise.observability;

import io.slotwise.live.cycle.Replica;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Readiness: the cluster has been seen and the view is up to date, so that answers to kube-scheduler are correct. */
@Singleton
@Readiness
final class ClusterSeen implements HealthCheck {
    private final Replica replica;

    ClusterSeen(Replica replica) {
        this.replica = replica;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("cluster seen")
                .status(replica.view().ready() && replica.view().isCurrent())
                .build();
    }
}
