package io.slotwise.web;

import io.quarkus.test.junit.QuarkusTestProfile;
import io.slotwise.kubernetes.bind.BindApi;
import io.slotwise.kubernetes.bind.FakeBindApi;
import io.slotwise.kubernetes.bind.GangRepair;
import io.slotwise.kubernetes.extender.KnownReservations;
import io.slotwise.kubernetes.extender.ReservationView;
import jakarta.enterprise.inject.Alternative;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Set;

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
