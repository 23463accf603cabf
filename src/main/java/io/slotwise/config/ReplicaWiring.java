package io.slotwise.config;

import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.port.MetricsRecorder;
import io.slotwise.live.settings.CurrentSettings;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The external inputs of a replica: its settings, the prices, and the time. */
@Singleton
final class ReplicaWiring {
    private static final String POLICY = "slotwise.policy.";

    @Produces
    @Singleton
    InstantSource clock() {
        return InstantSource.system();
    }

    /** Returns the policy file overlaid with the properties {@code slotwise.policy.*}. */
    @Produces
    @Singleton
    CurrentSettings settings(
            @ConfigProperty(name = "slotwise.policy-file") Optional<Path> file,
            Config config,
            MetricsRecorder recorder) {
        Map<String, String> properties = new HashMap<>();
        for (String name : config.getPropertyNames()) {
            if (name.startsWith(POLICY)) {
                config.getOptionalValue(name, String.class).ifPresent(value -> properties.put(name, value));
            }
        }
        return file.<CurrentSettings>map(path -> new ReloadingPolicy(path, properties, recorder))
                .orElseGet(() -> CurrentSettings.fixed(
                        PolicyFile.empty().overlay(properties).settings()));
    }

    @Produces
    @Singleton
    PriceCatalogue prices(@ConfigProperty(name = "slotwise.prices-file") Optional<Path> file) {
        return file.map(PriceCatalogue::read).orElseGet(PriceCatalogue::bundled);
    }
}
