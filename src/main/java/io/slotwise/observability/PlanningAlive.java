package io.slotwise.observability;

import io.slotwise.live.cycle.Replica;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;

/** Alive: the threads that plan and release run. */
@Singleton
@Liveness
final class PlanningAlive implements HealthCheck {
    private final Replica host;

    PlanningAlive(Replica host) {
        this.host = host;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("planning").status(host.alive()).build();
    }
}
