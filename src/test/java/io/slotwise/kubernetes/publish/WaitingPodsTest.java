package io.slotwise.kubernetes.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.text.ReasonStatement;
import io.slotwise.live.port.WaitExplainer.Waiting;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(https = false)
@SuppressWarnings("NullAway.Init")
class WaitingPodsTest {
    private static final Instant BORN = Instant.parse("2030-01-01T12:00:00Z");
    private static final GangId GANG = new GangId("user", "g");
    private static final Waiting FOR_WINDOW =
            Waiting.forWindow(GANG, Instant.parse("2030-01-01T13:00:00Z").getEpochSecond());
    private static final String STATUS = "/api/v1/namespaces/user/pods/%s/status?fieldManager=slotwise";

    KubernetesMockServer server;

    private final NavigableMap<String, Pod> pods = new TreeMap<>();
    private final List<String> versions = new ArrayList<>();
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private boolean direct = true;
    private Instant now = BORN.plusSeconds(31);

    private KubernetesClient client;

    private WaitingPods waiting;

    @BeforeEach
    void connect() {
        client = FailFastClient.of(server.url("/"));
        waiting = new WaitingPods(client, new Seen(), () -> now, tasks::add);
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    @Test
    void aPodSaysForWhatItWaitsOnceAndItsNewVersionIsKnown() throws InterruptedException {
        see(pod("g-0", "7"));
        answers("g-0", "8");

        waiting.explain(List.of(FOR_WINDOW));
        run();

        assertThat(body(next()))
                .contains("\"uid\":\"uid-of-g-0\"", "\"resourceVersion\":\"7\"", "\"type\":\"PodScheduled\"")
                .contains("\"status\":\"False\"", "\"reason\":\"WaitingForWindow\"")
                .contains("\"message\":\"waits for its window at 2030-01-01T13:00:00Z\"")
                .contains("\"lastTransitionTime\":\"2030-01-01T12:00:31Z\"");
        assertThat(versions).containsExactly("7 to 8");

        see(saying("g-0", "8", Waiting.FOR_WINDOW, FOR_WINDOW.message()));
        waiting.explain(List.of(FOR_WINDOW));
        run();

        assertThat(server.getRequestCount()).isEqualTo(1);
    }

    @Test
    void figuresOfAReasonAreNotSaidAgain() throws InterruptedException {
        see(pod("g-0", "7"));
        answers("g-0", "8");
        waiting.explain(List.of(notBefore("2030-01-01T13:00:00Z")));
        run();
        assertThat(body(next())).contains("13:00:00Z");
        see(saying("g-0", "8", "NoWindow", notBefore("2030-01-01T13:00:00Z").message()));

        waiting.explain(List.of(notBefore("2030-01-01T15:00:00Z")));
        run();
        assertThat(server.getRequestCount()).isEqualTo(1);

        answers("g-0", "9");
        waiting.explain(List.of(new Waiting(GANG, "NoWindow", new Refusal.NotBackfilled())));
        run();
        assertThat(body(next())).contains("backfill").doesNotContain("lastTransitionTime");
    }

    @Test
    void aConditionOfAnotherReplicaIsReplacedUnread() throws InterruptedException {
        see(saying("g-0", "8", Waiting.FOR_WINDOW, "in words that nobody reads"));
        answers("g-0", "8");

        waiting.explain(List.of(FOR_WINDOW));
        run();
        assertThat(body(next())).contains("waits for its window at 2030-01-01T13:00:00Z");
        waiting.explain(List.of(FOR_WINDOW));
        run();
        assertThat(server.getRequestCount()).isEqualTo(1);

        answers("g-0", "9");
        waiting.explain(List.of(notBefore("2030-01-01T13:00:00Z")));
        run();
        assertThat(body(next())).contains("\"reason\":\"NoWindow\"");
    }

    @Test
    void aForeignConditionOfAPodIsReplaced() throws InterruptedException {
        see(pod("g-0", "7"));
        answers("g-0", "8");
        waiting.explain(List.of(FOR_WINDOW));
        run();
        next();
        see(saying("g-0", "9", "Unschedulable", "no nodes"));
        answers("g-0", "10");

        waiting.explain(List.of(FOR_WINDOW));
        run();

        assertThat(body(next())).contains("\"reason\":\"WaitingForWindow\"");
    }

    private static Waiting notBefore(String instant) {
        return new Waiting(
                GANG, "NoWindow", new Refusal.NotBefore(Instant.parse(instant).getEpochSecond()));
    }

    @Test
    void onlyLongWaitingDirectPodsGetACondition() {
        now = BORN.plusSeconds(30);
        see(pod("g-0", "7"));
        waiting.explain(List.of(FOR_WINDOW));
        now = BORN.plusSeconds(31);
        see(bound("g-0"));
        waiting.explain(List.of(FOR_WINDOW));
        direct = false;
        see(pod("g-0", "7"));
        waiting.explain(List.of(FOR_WINDOW));
        run();

        assertThat(server.getRequestCount()).isZero();
    }

    @Test
    void aPodThatIsBoundBeforeItsTurnIsPassedOver() {
        see(pod("g-0", "7"));
        see(pod("g-1", "7"));
        waiting.explain(List.of(FOR_WINDOW));
        see(bound("g-0"));
        pods.remove("g-1");

        run();

        assertThat(server.getRequestCount()).isZero();
    }

    @Test
    void theLatestConditionCountsAndStartedPodsGetNone() throws InterruptedException {
        see(pod("g-0", "7"));
        answers("g-0", "8");
        waiting.explain(List.of(new Waiting(GANG, "NoWindow", ReasonStatement.of("no room"))));
        waiting.explain(List.of(FOR_WINDOW));
        run();
        assertThat(body(next())).contains("WaitingForWindow");

        waiting.explain(List.of(new Waiting(GANG, "NoWindow", ReasonStatement.of("no room"))));
        waiting.explain(List.of());
        run();
        assertThat(server.getRequestCount()).isEqualTo(1);
    }

    @Test
    void aPodThatHasChangedIsLeftToTheNextCycle() {
        see(pod("g-0", "7"));
        see(pod("g-1", "7"));
        server.expect()
                .patch()
                .withPath(STATUS.formatted("g-0"))
                .andReturn(409, "{}")
                .once();
        answers("g-1", "9");

        waiting.explain(List.of(FOR_WINDOW));
        run();

        assertThat(server.getRequestCount()).isEqualTo(2);
        assertThat(versions).containsExactly("7 to 9");
    }

    private final class Seen implements WaitingPods.View {
        @Override
        public List<Pod> podsOf(GangId gang) {
            return List.copyOf(pods.values());
        }

        @Override
        public @Nullable Pod pod(String namespace, String name) {
            return pods.get(name);
        }

        @Override
        public boolean goesDirect(Pod pod) {
            return direct;
        }

        @Override
        public void written(Pod over, String version) {
            versions.add(over.getMetadata().getResourceVersion() + " to " + version);
        }
    }

    private void answers(String pod, String version) {
        server.expect()
                .patch()
                .withPath(STATUS.formatted(pod))
                .andReturn(200, pod(pod, version))
                .once();
    }

    private void run() {
        while (!tasks.isEmpty()) {
            tasks.remove().run();
        }
    }

    private RecordedRequest next() throws InterruptedException {
        return Objects.requireNonNull(server.takeRequest(5, TimeUnit.SECONDS), "a request must have been made");
    }

    private static String body(RecordedRequest request) {
        return request.getBody().readUtf8();
    }

    private void see(Pod pod) {
        pods.put(pod.getMetadata().getName(), pod);
    }

    private static Pod bound(String name) {
        return new PodBuilder(pod(name, "9"))
                .editSpec()
                .withNodeName("n1")
                .endSpec()
                .build();
    }

    private static Pod saying(String name, String version, String reason, String message) {
        return new PodBuilder(pod(name, version))
                .withNewStatus()
                .addNewCondition()
                .withType("PodScheduled")
                .withStatus("False")
                .withReason(reason)
                .withMessage(message)
                .endCondition()
                .endStatus()
                .build();
    }

    private static Pod pod(String name, String version) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("user")
                .withName(name)
                .withUid("uid-of-" + name)
                .withResourceVersion(version)
                .withCreationTimestamp(BORN.toString())
                .endMetadata()
                .withNewSpec()
                .endSpec()
                .build();
    }
}
