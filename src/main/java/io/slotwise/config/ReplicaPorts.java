package io.slotwise.config;

import io.slotwise.demo.DemoHost;
import io.slotwise.kubernetes.ClusterHost;
import io.slotwise.live.cycle.Replica;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The host of this replica: a real cluster, or a demo, which touches none. */
@Singleton
final class ReplicaPorts {
    private static final String KEY = "slotwise.host";

    @Produces
    @Singleton
    Replica host(
            @ConfigProperty(name = KEY, defaultValue = "cluster") String kind,
            Instance<ClusterHost> cluster,
            Instance<DemoHost> demo) {
        return switch (kind) {
            case "cluster" -> cluster.get();
            case "demo" -> demo.get();
            default -> throw new InvalidInput("%s (%s) is unknown; expected cluster or demo".formatted(KEY, kind));
        };
    }
}
