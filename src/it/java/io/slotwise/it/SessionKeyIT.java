package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Secret;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Proves that helm creates the key of session cookies, that an upgrade keeps it, and that it goes with the chart. */
@RealControlPlane
class SessionKeyIT {
    @Test
    void theKeyStaysOverUpgradesAndGoesWithTheChart(ControlPlane plane) {
        Installation chart = Installation.install(plane, Map.of());
        String key = Objects.requireNonNull(secret(plane)).getData().get("key");

        chart.upgrade(Map.of("replicas", "3"));

        assertThat(key).isNotEmpty();
        assertThat(Objects.requireNonNull(secret(plane)).getData().get("key")).isEqualTo(key);

        chart.uninstall();

        assertThat(secret(plane)).isNull();
    }

    private static @Nullable Secret secret(ControlPlane plane) {
        return plane.client()
                .secrets()
                .inNamespace(Installation.RELEASE)
                .withName("slotwise-session")
                .get();
    }
}
