package io.slotwise.kubernetes.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.money.Cost;
import io.slotwise.core.window.Placement;
import io.slotwise.core.window.Window;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.kubernetes.publish.PodUngater.Guidance;
import io.slotwise.kubernetes.watch.ClusterWatch;
import io.slotwise.kubernetes.watch.ReservationIndex;
import io.slotwise.kubernetes.watch.WatchTiming;
import io.slotwise.live.record.Member;
import io.slotwise.live.settings.LoopSettings;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(https = false)
@SuppressWarnings("NullAway.Init")
class PodUngaterTest {
    private static final long NOON = 1_893_499_200L;
    private static final GangId GANG = new GangId("user", "g");
    private static final Member BOUND = new Member("g-0", "u0", Member.State.BOUND, false, "a", "");
    private static final String POD = "/api/v1/namespaces/user/pods/g-0";

    KubernetesMockServer server;

    private KubernetesClient client;

    @BeforeEach
    void connect() {
        client = FailFastClient.of(server.url("/"));
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    @Test
    void aGatedPodIsNominatedThenUngated() throws InterruptedException {
        server.expect()
                .patch()
                .withPath(POD + "/status?fieldManager=slotwise")
                .andReturn(200, pod())
                .once();
        server.expect()
                .patch()
                .withPath(POD + "?fieldManager=slotwise")
                .andReturn(200, pod())
                .once();

        List<String> failures = ungater(Guidance.NOMINATE).release(window(), List.of(member(true)));

        assertThat(failures).isEmpty();
        assertThat(body(next())).contains("\"nominatedNodeName\":\"a\"");
        assertThat(body(next())).contains("\"$patch\":\"delete\"").contains("\"uid\":\"u0\"");
    }

    @Test
    void aPodWithoutSlotwisesGateIsOnlyNominated() throws InterruptedException {
        server.expect()
                .patch()
                .withPath(POD + "/status?fieldManager=slotwise")
                .andReturn(200, pod())
                .once();

        List<String> failures = ungater(Guidance.NOMINATE).release(window(), List.of(member(false)));

        assertThat(failures).isEmpty();
        assertThat(body(next())).contains("slotwise.io/Released");
        assertThat(server.takeRequest(0, TimeUnit.MILLISECONDS)).isNull();
    }

    @Test
    void aPinnedPodLosesItsGateInTheSamePatch() throws InterruptedException {
        server.expect()
                .patch()
                .withPath(POD + "?fieldManager=slotwise")
                .andReturn(200, pod())
                .once();

        ungater(Guidance.PIN).release(window(), List.of(member(true)));

        assertThat(body(next())).contains("metadata.name").contains("\"a\"").contains("schedulingGates");
        assertThat(server.takeRequest(0, TimeUnit.MILLISECONDS)).isNull();
    }

    @Test
    void aPodWithoutAControllerIsNotPinned() throws InterruptedException {
        server.expect()
                .patch()
                .withPath(POD + "?fieldManager=slotwise")
                .andReturn(200, pod())
                .once();

        ungater(Guidance.AUTO).release(window(), List.of(member(true)));

        assertThat(body(next())).contains("schedulingGates").doesNotContain("metadata.name");
        assertThat(server.takeRequest(0, TimeUnit.MILLISECONDS)).isNull();
    }

    @Test
    void callsThatCannotBeSentAreNamed() {
        server.expect()
                .patch()
                .withPath(POD + "/status?fieldManager=slotwise")
                .andReturn(409, "{}")
                .once();

        List<String> failures = ungater(Guidance.NOMINATE).release(window(), List.of(member(true)));

        assertThat(failures).singleElement().asString().startsWith("g-0: ");
    }

    @Test
    void aBoundMemberIsEvictedOrElseDeleted() throws InterruptedException {
        isThere(bound("7", "Running"));
        server.expect().post().withPath(POD + "/eviction").andReturn(429, "{}").once();
        isToldAndDeleted();

        ungater(Guidance.NOMINATE).evict(GANG, List.of(BOUND));

        assertThat(next().getMethod()).isEqualTo("GET");
        RecordedRequest eviction = next();
        assertThat(eviction.getMethod()).isEqualTo("POST");
        assertThat(body(eviction)).contains("\"preconditions\":{\"resourceVersion\":\"7\",\"uid\":\"u0\"}");
        assertThat(body(next()))
                .contains(
                        "\"uid\":\"u0\"",
                        "\"type\":\"DisruptionTarget\"",
                        "\"lastTransitionTime\":\"2030-01-01T12:00:00Z\"");
        RecordedRequest deletion = next();
        assertThat(deletion.getMethod()).isEqualTo("DELETE");
        assertThat(body(deletion)).contains("\"resourceVersion\":\"8\"");
    }

    @Test
    void aRefusingDisruptionBudgetIsAskedOnce() throws InterruptedException {
        isThere(bound("7", "Running"));
        server.expect()
                .post()
                .withPath(POD + "/eviction")
                .andReply(429, request -> "{}")
                .withHeader("Retry-After", "10")
                .always();
        isToldAndDeleted();
        try (KubernetesClient patient = new KubernetesClientBuilder()
                .withConfig(new ConfigBuilder()
                        .withMasterUrl(server.url("/"))
                        .withRequestRetryBackoffLimit(2)
                        .withRequestRetryBackoffInterval(100)
                        .build())
                .build()) {
            ungater(patient, Guidance.NOMINATE).evict(GANG, List.of(BOUND));
        }

        assertThat(List.of(next().getMethod(), next().getMethod(), next().getMethod(), next().getMethod()))
                .containsExactly("GET", "POST", "PATCH", "DELETE");
    }

    @Test
    void aMemberThatHasDoneItsWorkSinceItWasSeenStays() throws InterruptedException {
        isThere(bound("7", "Running"));
        server.expect().post().withPath(POD + "/eviction").andReturn(409, "{}").once();
        isThere(bound("8", "Succeeded"));

        ungater(Guidance.NOMINATE).evict(GANG, List.of(BOUND));

        isLookedAtAgain();
        assertThat(server.takeRequest(0, TimeUnit.MILLISECONDS)).isNull();
    }

    @Test
    void aMemberThatHasChangedAndStillRunsIsEvictedAsItIsNow() throws InterruptedException {
        isThere(bound("7", "Pending"));
        server.expect().post().withPath(POD + "/eviction").andReturn(409, "{}").once();
        isThere(bound("8", "Running"));
        server.expect().post().withPath(POD + "/eviction").andReturn(201, "{}").once();

        ungater(Guidance.NOMINATE).evict(GANG, List.of(BOUND));

        isLookedAtAgain();
        assertThat(body(next())).contains("\"resourceVersion\":\"8\"");
        assertThat(server.takeRequest(0, TimeUnit.MILLISECONDS)).isNull();
    }

    @Test
    void aMemberThatADisruptionBudgetKeepsIsNotDeletedInstead() throws InterruptedException {
        isThere(bound("7", "Running"));
        server.expect().post().withPath(POD + "/eviction").andReturn(429, "{}").once();
        isThere(bound("7", "Running"));

        SortedMap<String, String> refused = ungater(Guidance.NOMINATE).evictIfAllowed(GANG, List.of(BOUND));

        assertThat(refused).containsOnly(Map.entry(BOUND.pod(), "a PodDisruptionBudget does not allow it"));
        isLookedAtAgain();
        assertThat(server.takeRequest(0, TimeUnit.MILLISECONDS)).isNull();
    }

    @Test
    void aGangWithOneProtectedMemberStaysAsAWhole() throws InterruptedException {
        isThere(bound("7", "Running"));
        server.expect().post().withPath(POD + "/eviction").andReturn(429, "{}").once();
        isThere(bound("7", "Running"));

        SortedMap<String, String> kept = ungater(Guidance.NOMINATE).evictTogether(GANG, List.of(BOUND));

        assertThat(kept).containsOnly(Map.entry(BOUND.pod(), "a PodDisruptionBudget does not allow it"));
        assertThat(next().getMethod()).isEqualTo("GET");
        assertThat(body(next())).contains("\"dryRun\":[\"All\"]");
        assertThat(next().getMethod()).isEqualTo("GET");
        assertThat(server.takeRequest(0, TimeUnit.MILLISECONDS)).isNull();
    }

    @Test
    void aGangWithoutProtectedMembersIsCheckedAndEvicted() throws InterruptedException {
        isThere(bound("7", "Running"));
        server.expect().post().withPath(POD + "/eviction").andReturn(201, "{}").times(2);
        isThere(bound("7", "Running"));

        assertThat(ungater(Guidance.NOMINATE).evictTogether(GANG, List.of(BOUND)))
                .isEmpty();

        assertThat(next().getMethod()).isEqualTo("GET");
        assertThat(body(next())).contains("\"dryRun\":[\"All\"]");
        assertThat(next().getMethod()).isEqualTo("GET");
        RecordedRequest eviction = next();
        assertThat(eviction.getMethod()).isEqualTo("POST");
        assertThat(body(eviction)).doesNotContain("dryRun");
        assertThat(server.takeRequest(0, TimeUnit.MILLISECONDS)).isNull();
    }

    @Test
    void aMemberThatNothingKeepsIsEvictedAndOneThatIsOverIsLeft() throws InterruptedException {
        isThere(bound("7", "Running"));
        server.expect().post().withPath(POD + "/eviction").andReturn(201, "{}").once();
        assertThat(ungater(Guidance.NOMINATE).evictIfAllowed(GANG, List.of(BOUND)))
                .isEmpty();
        assertThat(next().getMethod()).isEqualTo("GET");
        assertThat(next().getMethod()).isEqualTo("POST");

        isThere(bound("8", "Succeeded"));
        assertThat(ungater(Guidance.NOMINATE).evictIfAllowed(GANG, List.of(BOUND)))
                .isEmpty();
        assertThat(next().getMethod()).isEqualTo("GET");
        assertThat(server.takeRequest(0, TimeUnit.MILLISECONDS)).isNull();
    }

    private void isThere(Pod pod) {
        server.expect().get().withPath(POD).andReturn(200, pod).once();
    }

    /** Expects a condition on a pod that is not evicted, and its deletion. */
    private void isToldAndDeleted() {
        server.expect()
                .patch()
                .withPath(POD + "/status?fieldManager=slotwise")
                .andReturn(200, bound("8", "Running"))
                .once();
        server.expect()
                .delete()
                .withPath(POD)
                .andReturn(200, bound("9", "Running"))
                .once();
    }

    private void isLookedAtAgain() throws InterruptedException {
        assertThat(List.of(next().getMethod(), next().getMethod(), next().getMethod()))
                .containsExactly("GET", "POST", "GET");
    }

    private PodUngater ungater(Guidance guidance) {
        return ungater(client, guidance);
    }

    private static PodUngater ungater(KubernetesClient client, Guidance guidance) {
        ClusterWatch watch = new ClusterWatch(
                client,
                new Intake(LoopSettings.EXACT, PriceCatalogue.EMPTY),
                new ReservationIndex(),
                () -> {},
                WatchTiming.DEFAULT);
        return new PodUngater(client, watch, guidance, InstantSource.fixed(Instant.ofEpochSecond(NOON)), Runnable::run);
    }

    private RecordedRequest next() throws InterruptedException {
        return Objects.requireNonNull(server.takeRequest(5, TimeUnit.SECONDS), "a request must have been made");
    }

    private static String body(RecordedRequest request) {
        return request.getBody().readUtf8();
    }

    private static Window window() {
        return Window.of(GANG, NOON, List.of(new Placement("g-0", "a", NOON, NOON + 60, Cost.ZERO)));
    }

    private static Member member(boolean gated) {
        return new Member("g-0", "u0", Member.State.WAITING, gated, "", "");
    }

    private static Pod pod() {
        return new PodBuilder()
                .withNewMetadata()
                .withName("g-0")
                .withNamespace("user")
                .endMetadata()
                .build();
    }

    private static Pod bound(String version, String phase) {
        return new PodBuilder(pod())
                .editMetadata()
                .withUid("u0")
                .withResourceVersion(version)
                .endMetadata()
                .withNewSpec()
                .withNodeName("a")
                .endSpec()
                .withNewStatus()
                .withPhase(phase)
                .endStatus()
                .build();
    }
}
