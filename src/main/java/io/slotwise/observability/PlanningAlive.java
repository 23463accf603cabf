package io.slotwise.observability;

import io.slotwise.live.cycle.Replica;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;

/** Liveness: the threads that plan and start gangs are alive. */
@Singleton
@Liveness
final class PlanningAlive implements HealthCheck {
    private final Replica replica;

    PlanningAlive(Replica replica) {
        this.replica = replica;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("planning").status(replica.alive()).build();
    }
}
