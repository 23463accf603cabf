package io.slotwise.kubernetes.bind;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.http.RecordedRequest;
import io.slotwise.kubernetes.bind.BindApi.BindAnswer;
import io.slotwise.kubernetes.bind.BindApi.PodAnswer;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.extender.ReservationBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(https = false)
@SuppressWarnings("NullAway.Init")
class Fabric8BindApiTest {
    private static final BindRequest REQUEST = new BindRequest("user", "g-0", "uid-1", "n07", "5");

    private static final String BINDING = "/api/v1/namespaces/user/pods/g-0/binding";

    private KubernetesMockServer server;
    private KubernetesClient client;
    private final List<Reservation> written = new ArrayList<>();
    private BindApi api;
    private int outdated;

    @BeforeEach
    void connect() {
        api = new Fabric8BindApi(client, written::add, () -> outdated++);
    }

    @Test
    void bindsByPostingABindingWithTheUidAndTheNode() throws InterruptedException {
        server.expect().post().withPath(BINDING).andReturn(201, new Status()).once();

        BindAnswer answer = api.bind(REQUEST, Map.of("slotwise.io/run", "3/2030-01-01T00:00:00Z/g"));

        assertThat(answer).isEqualTo(new BindAnswer.Bound());
        RecordedRequest request = server.getLastRequest();
        assertThat(request.getHeader("Content-Type")).startsWith("application/json");
        assertThat(request.getBody().readUtf8())
                .contains("\"kind\":\"Binding\"", "\"uid\":\"uid-1\"", "\"name\":\"g-0\"", "\"resourceVersion\":\"5\"")
                .contains("\"annotations\":{\"slotwise.io/run\":\"3/2030-01-01T00:00:00Z/g\"}")
                .contains("\"target\":{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"name\":\"n07\"}");
    }

    @Test
    void tellsRefusalsFromConflictsAndFromSilence() {
        assertThat(bindingAnswered(409)).isEqualTo(new BindAnswer.Conflict("said 409"));
        assertThat(bindingAnswered(404)).isEqualTo(new BindAnswer.Conflict("said 404"));
        assertThat(bindingAnswered(403)).isEqualTo(new BindApi.Refused("said 403"));
        assertThat(bindingAnswered(422)).isEqualTo(new BindApi.Refused("said 422"));
        assertThat(bindingAnswered(429)).isEqualTo(new BindApi.TooMany(Duration.ofSeconds(1), "said 429"));
        assertThat(bindingAnswered(503)).isEqualTo(new BindApi.Unanswered("said 503"));
    }

    @Test
    void callsOnceAndLeavesTheNextTryToTheBarrier() {
        int before = server.getRequestCount();

        bindingAnswered(503);

        assertThat(server.getRequestCount() - before).isEqualTo(1);
    }

    @Test
    void doesNotTakeAServerThatIsAwayForARefusal() {
        server.shutdown();

        assertThat(api.bind(REQUEST, Map.of("slotwise.io/run", "3/2030-01-01T00:00:00Z/g")))
                .isInstanceOf(BindApi.Unanswered.class);
        assertThat(api.readPod("user", "g-0")).isInstanceOf(BindApi.Unanswered.class);
        assertThat(api.read(new ReservationBuilder().build())).isInstanceOf(BindApi.Unanswered.class);
    }

    @Test
    void readsWhatTheBarrierNeedsOfAPod() {
        server.expect()
                .get()
                .withPath("/api/v1/namespaces/user/pods/g-0")
                .andReturn(
                        200,
                        new PodBuilder()
                                .withNewMetadata()
                                .withName("g-0")
                                .withUid("uid-1")
                                .withDeletionTimestamp("2030-01-01T00:00:00Z")
                                .addToAnnotations("slotwise.io/run", "3/2030-01-01T00:00:00Z/g")
                                .endMetadata()
                                .withNewSpec()
                                .withNodeName("n07")
                                .withSchedulerName("slotwise")
                                .addNewSchedulingGate("example.com/gate")
                                .endSpec()
                                .build())
                .once();

        assertThat(api.readPod("user", "g-0"))
                .isEqualTo(new PodAnswer.Found("uid-1", "n07", "slotwise", true, true, "3/2030-01-01T00:00:00Z/g"));
        assertThat(api.readPod("user", "g-1")).isEqualTo(new PodAnswer.Absent());
    }

    @Test
    void aBindingInAnOldEpochHasThisReplicaLookWhoLeads() {
        Status refusal = new StatusBuilder()
                .withCode(403)
                .withMessage("ValidatingAdmissionPolicy 'slotwise-epoch' denied request: epoch 3, the Lease's is 4:"
                        + " in any words [slotwise.io/epoch]")
                .build();
        server.expect().post().withPath(BINDING).andReturn(403, refusal).once();

        assertThat(api.bind(REQUEST, Map.of())).isInstanceOf(BindApi.Outdated.class);
        assertThat(outdated).isEqualTo(1);
        assertThat(bindingAnswered(403)).isEqualTo(new BindApi.Refused("said 403"));
        assertThat(outdated).isEqualTo(1);
    }

    private BindAnswer bindingAnswered(int code) {
        server.expect().post().withPath(BINDING).andReturn(code, status(code)).once();
        return api.bind(REQUEST, Map.of("slotwise.io/run", "3/2030-01-01T00:00:00Z/g"));
    }

    private static Status status(int code) {
        return new StatusBuilder().withCode(code).withMessage("said " + code).build();
    }
}
