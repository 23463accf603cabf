package io.slotwise.web;

import io.quarkus.test.junit.QuarkusTestProfile;
import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.bind.BindApi;
import io.slotwise.kubernetes.bind.BindRequest;
import io.slotwise.kubernetes.bind.FakeBindApi;
import io.slotwise.kubernetes.bind.GangRepair;
import io.slotwise.kubernetes.bind.Roster;
import io.slotwise.kubernetes.crd.v1alpha1.WindowSpec;
import io.slotwise.kubernetes.extender.KnownReservations;
import io.slotwise.kubernetes.extender.ReservationView;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Stands in for the API server and the plan where a test asks for {@link Profile}. */
@Alternative
@Singleton
public class FakeCluster {
    final KnownReservations reservations = new KnownReservations();
    final FakeBindApi api = new FakeBindApi();

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
    Roster roster() {
        return new Roster() {
            @Override
            public boolean isCurrent() {
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
            public boolean isGated(BindRequest pod) {
                return false;
            }
        };
    }

    @Produces
    @Singleton
    GangRepair repair() {
        return (gang, reason) -> {};
    }

    /** No cluster: nothing watches, plans or leads. */
    public static final class Profile implements QuarkusTestProfile {
        @Override
        public Set<Class<?>> getEnabledAlternatives() {
            return Set.of(FakeCluster.class);
        }

        @Override
        public Map<String, String> getConfigOverrides() {
            return Map.of(
                    "quarkus.arc.exclude-types",
                    "io.slotwise.config.Replica",
                    "quarkus.kubernetes-client.api-server-url",
                    "http://127.0.0.1:1",
                    "quarkus.http.test-port",
                    "0");
        }
    }
}
