package io.slotwise.observability;

import io.slotwise.live.Host;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Liveness;

/** Alive: the threads that plan and release run. */
@Singleton
@Liveness
final class PlanningAlive implements HealthCheck {
    private final Host host;

    PlanningAlive(Host host) {
        this.host = host;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("planning").status(host.alive()).build();
    }
}
