package io.slotwise.observability;

import io.slotwise.live.cycle.Replica;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/**
 * Readiness: some replica can lead, and one that leads finishes its cycles. Not part of liveness, because a new process
 * would meet the same object that fails the cycle.
 */
@Singleton
@Readiness
final class PlanningProceeds implements HealthCheck {
    private final Replica replica;

    PlanningProceeds(Replica replica) {
        this.replica = replica;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("planning proceeds")
                .status(replica.proceeds())
                .build();
    }
}
