package io.slotwise.web.access;

import io.quarkus.test.common.QuarkusTestResourceLifecycleManager;
import io.quarkus.test.junit.QuarkusTestProfile;
import io.slotwise.testing.FakeReviews;
import io.slotwise.web.FakeCluster;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A profile without a cluster, but with an API server that reviews callers. */
public final class GuardedCluster implements QuarkusTestProfile {
    private final FakeCluster.Profile fake = new FakeCluster.Profile();

    @Override
    public Set<Class<?>> getEnabledAlternatives() {
        return fake.getEnabledAlternatives();
    }

    @Override
    public Map<String, String> getConfigOverrides() {
        Map<String, String> properties = new HashMap<>(fake.getConfigOverrides());
        properties.remove("quarkus.kubernetes-client.api-server-url");
        properties.put("slotwise.auth", "kubernetes");
        return properties;
    }

    @Override
    public List<TestResourceEntry> testResources() {
        return List.of(new TestResourceEntry(Reviews.class));
    }

    /** The API server. */
    public static final class Reviews implements QuarkusTestResourceLifecycleManager {
        private final FakeReviews server = new FakeReviews();

        @Override
        public Map<String, String> start() {
            return Map.of("quarkus.kubernetes-client.api-server-url", server.url());
        }

        @Override
        public void stop() {
            server.close();
        }
    }
}
