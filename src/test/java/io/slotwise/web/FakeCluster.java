package io.slotwise.web;

import io.quarkus.test.junit.QuarkusTestProfile;
import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.bind.BindApi;
import io.slotwise.kubernetes.bind.BindRequest;
import io.slotwise.kubernetes.bind.FakeBindApi;
import io.slotwise.kubernetes.bind.GangRepair;
import io.slotwise.kubernetes.bind.PodRosterPort;
import io.slotwise.kubernetes.bind.WrittenRecords;
import io.slotwise.kubernetes.crd.v1alpha1.WindowSpec;
import io.slotwise.kubernetes.extender.KnownReservations;
import io.slotwise.kubernetes.extender.ReservationView;
import io.slotwise.live.port.RecordStore;
import io.slotwise.live.record.GangRecord;
import io.slotwise.testing.ClientKeys;
import io.slotwise.web.extender.ExtenderPorts;
import io.slotwise.web.extender.PodKeys;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Instance;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jspecify.annotations.Nullable;

/**
 * Replaces the API server and the plan where a test asks for {@link Profile}, and calls the extender as the pod's
 * kube-scheduler.
 */
@Alternative
@Singleton
public class FakeCluster {
    /** The property with the folder of the pod's keys. */
    private static final String POD_KEYS = "slotwise.extender.pod.tls";

    final KnownReservations reservations = new KnownReservations();
    final FakeBindApi api = new FakeBindApi();

    private final Instance<ExtenderPorts> doors;
    private final Path keys;
    private @Nullable HttpClient scheduler;

    FakeCluster(Instance<ExtenderPorts> doors, @ConfigProperty(name = POD_KEYS) Path keys) {
        this.doors = doors;
        this.keys = keys;
    }

    /** The extender's address for the pod's kube-scheduler. */
    public URI extender() {
        return URI.create("https://127.0.0.1:%d/".formatted(doors.get().ports().getFirst()));
    }

    /** The folder with the keys of the pod's kube-scheduler. */
    public Path schedulerKeys() {
        return keys.resolveSibling("kube-scheduler");
    }

    /** A client with the certificate of the pod's kube-scheduler, the same each time. */
    public synchronized HttpClient scheduler() {
        HttpClient known = scheduler;
        if (known == null) {
            known = HttpClient.newBuilder()
                    .sslContext(ClientKeys.in(schedulerKeys()))
                    .build();
            scheduler = known;
        }
        return known;
    }

    @Produces
    @Singleton
    ReservationView view() {
        return reservations;
    }

    @Produces
    @Singleton
    BindApi api() {
        return api;
    }

    @Produces
    @Singleton
    PodRosterPort roster() {
        return new PodRosterPort() {
            @Override
            public boolean isCurrent() {
                return true;
            }

            @Override
            public boolean isAsPromised(GangRecord record) {
                return true;
            }

            @Override
            public List<BindRequest> direct(GangId gang, WindowSpec window) {
                return List.of();
            }

            @Override
            public boolean isThere(String namespace, String pod, String uid) {
                return false;
            }

            @Override
            public @Nullable String version(BindRequest pod) {
                return null;
            }

            @Override
            public @Nullable String schedulerName(BindRequest pod) {
                return null;
            }
        };
    }

    @Produces
    @Singleton
    GangRepair repair() {
        return (gang, reason) -> {};
    }

    @Produces
    @Singleton
    RecordStore records() {
        return new WrittenRecords(() -> true);
    }

    /** A profile without a cluster: nothing watches, plans or leads. */
    public static final class Profile implements QuarkusTestProfile {
        @Override
        public Set<Class<?>> getEnabledAlternatives() {
            return Set.of(FakeCluster.class);
        }

        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of(
                    POD_KEYS,
                    podKeys().toString(),
                    "quarkus.arc.exclude-types",
                    "io.slotwise.config.ReplicaLifecycle",
                    "quarkus.kubernetes-client.api-server-url",
                    "http://127.0.0.1:1",
                    "quarkus.http.test-port",
                    "0");
        }

        private static Path podKeys() {
            try {
                Path folder = Files.createTempDirectory("slotwise-pod-keys-");
                PodKeys.write(folder.resolve("slotwise"), folder.resolve("kube-scheduler"));
                return folder.resolve("slotwise");
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
