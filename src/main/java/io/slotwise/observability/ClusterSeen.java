package io.slotwise.observability;

import io.slotwise.live.ClusterView;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.health.HealthCheck;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.eclipse.microprofile.health.Readiness;

/** Ready: the cluster has been seen, so that kube-scheduler is answered truly. */
@Singleton
@Readiness
final class ClusterSeen implements HealthCheck {
    private final ClusterView view;

    ClusterSeen(ClusterView view) {
        this.view = view;
    }

    @Override
    public HealthCheckResponse call() {
        return HealthCheckResponse.named("cluster seen").status(view.ready()).build();
    }
}
