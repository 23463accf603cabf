package io.slotwise.kubernetes.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import io.fabric8.kubernetes.api.model.ListMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodList;
import io.fabric8.kubernetes.api.model.PodListBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class GateRemovalTest {
    private static final String PODS = "/api/v1/pods?fieldSelector=spec.schedulerName%3Dslotwise&limit=500";
    private static final String MASTER = "kubernetes.master";
    private static final String BINDING =
            "/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicybindings/slotwise-gate";

    private final KubernetesMockServer server = new KubernetesMockServer(false);

    @BeforeEach
    void start() {
        server.init();
    }

    @AfterEach
    void stop() {
        server.destroy();
    }

    @Test
    void removesOnlySlotwisesGateFromWaitingPods() throws InterruptedException {
        Pod ours = pod("ours", "slotwise.io/window", "example.com/quota");
        Pod foreign = pod("foreign", "example.com/quota");
        answerOnce(PODS, page("", ours, foreign));
        answerOnce(PODS, page(""));
        acceptPatch(ours);

        int removed = removal().run(null);

        assertThat(removed).isEqualTo(1);
        assertThat(requests())
                .contains("PATCH " + path("ours") + " "
                        + "{\"metadata\":{\"uid\":\"uid-ours\"},"
                        + "\"spec\":{\"schedulingGates\":[{\"name\":\"slotwise.io/window\",\"$patch\":\"delete\"}]}}")
                .noneMatch(request -> request.contains("foreign"));
    }

    @Test
    void givesUpWithinSecondsIfTheApiServerDoesNotAnswer() {
        String before = System.getProperty(MASTER);
        // No process listens on the port of tcpmux.
        System.setProperty(MASTER, "http://127.0.0.1:1");
        try {
            GateRemoval.Outcome outcome = assertTimeoutPreemptively(
                    Duration.ofSeconds(8), () -> GateRemoval.inCluster("slotwise", null, null));

            assertThat(outcome).isInstanceOf(GateRemoval.Outcome.Failed.class);
        } finally {
            if (before == null) {
                System.clearProperty(MASTER);
            } else {
                System.setProperty(MASTER, before);
            }
        }
    }

    @Test
    void letsAdvanceReservationsGo() throws InterruptedException {
        answerOnce(PODS, page(""));
        answerOnce(PODS, page(""));
        server.expect()
                .get()
                .withPath("/apis/slotwise.io/v1alpha1/reservations")
                .andReturn(200, """
                        {"kind": "ReservationList", "apiVersion": "slotwise.io/v1alpha1", "metadata": {}, "items": [
                          {"kind": "Reservation", "apiVersion": "slotwise.io/v1alpha1",
                           "metadata": {"name": "friday", "namespace": "lab", "finalizers": ["a/b", "slotwise.io/held"]},
                           "spec": {"hold": {"size": 1}}},
                          {"kind": "Reservation", "apiVersion": "slotwise.io/v1alpha1",
                           "metadata": {"name": "g", "namespace": "lab"}, "spec": {"gang": "g"}}]}
                        """)
                .always();
        server.expect()
                .patch()
                .withPath("/apis/slotwise.io/v1alpha1/namespaces/lab/reservations/friday")
                .andReturn(200, "{}")
                .once();

        assertThat(removal().run(null)).isZero();

        assertThat(requests())
                .contains("PATCH /apis/slotwise.io/v1alpha1/namespaces/lab/reservations/friday"
                        + " {\"metadata\":{\"finalizers\":[\"a/b\"]}}")
                .noneMatch(request -> request.contains("reservations/g"));
    }

    @Test
    void stopsSlotwiseBeforeItLetsRecordsGo() throws InterruptedException {
        answerOnce(PODS, page(""));
        answerOnce(PODS, page(""));
        String deployment = "/apis/apps/v1/namespaces/slotwise/deployments/slotwise";
        String known = """
                {"kind": "Deployment", "apiVersion": "apps/v1", "metadata": {"name": "slotwise", "namespace": "slotwise"},
                 "spec": {"replicas": 2, "selector": {"matchLabels": {"app": "slotwise"}}}}""";
        server.expect().get().withPath(deployment).andReturn(200, known).always();
        server.expect().patch().withPath(deployment).andReturn(200, known).once();
        String pods = "/api/v1/namespaces/slotwise/pods?labelSelector=app%3Dslotwise";
        server.expect()
                .get()
                .withPath(pods)
                .andReturn(200, page("", pod("slotwise-1"), ended("slotwise-0", "Failed")))
                .once();
        PodList over = page("", ended("slotwise-0", "Failed"), ended("slotwise-2", "Succeeded"));
        server.expect().get().withPath(pods).andReturn(200, over).once();
        server.expect()
                .get()
                .withPath(pods)
                .andReturn(500, "waits for pods that have ended")
                .always();

        assertThat(removal().stopping("slotwise/slotwise").run(null)).isZero();

        List<String> requests = requests();
        assertThat(requests).contains("PATCH " + deployment + " {\"spec\":{\"replicas\":0}}");
        assertThat(requests.getLast()).contains("reservations");
        assertThat(requests.stream().filter(request -> request.contains(pods))).hasSize(2);
    }

    @Test
    void letsRecordsGoWhereGatesStay() throws InterruptedException {
        new GateRemoval(server.createClient(), null, () -> {}).run(null);

        assertThat(requests()).singleElement().asString().startsWith("GET /apis/slotwise.io/v1alpha1/reservations");
    }

    @Test
    void looksAgainAfterAPauseUntilNoPodCameInWithAGate() throws InterruptedException {
        Pod first = pod("first", "slotwise.io/window");
        Pod late = pod("late", "slotwise.io/window");
        answerOnce(PODS, page("", first));
        answerOnce(PODS, page("", late));
        answerOnce(PODS, page(""));
        acceptPatch(first);
        acceptPatch(late);

        int removed = removal().run(null);

        assertThat(removed).isEqualTo(2);
    }

    @Test
    void deletesThePoliciesBindingBeforeItLooksAtPods() throws InterruptedException {
        server.expect().delete().withPath(BINDING).andReturn(200, "{}").once();
        server.expect().get().withPath(PODS).andReturn(200, page("")).always();

        removal().run("slotwise-gate");

        assertThat(requests().getFirst()).startsWith("DELETE " + BINDING);
    }

    @Test
    void readsEveryPageOfPods() throws InterruptedException {
        Pod second = pod("second", "slotwise.io/window");
        answerOnce(PODS, page("more"));
        answerOnce(
                "/api/v1/pods?continue=more&fieldSelector=spec.schedulerName%3Dslotwise&limit=500", page("", second));
        answerOnce(PODS, page(""));
        acceptPatch(second);

        int removed = removal().run(null);

        assertThat(removed).isEqualTo(1);
    }

    @Test
    void aPodThatIsGoneMeanwhileIsNoFailure() {
        answerOnce(PODS, page("", pod("gone", "slotwise.io/window")));
        answerOnce(PODS, page(""));
        server.expect().get().withPath(path("gone")).andReturn(404, "{}").once();

        int removed = removal().run(null);

        assertThat(removed).isZero();
    }

    @Test
    void aRefusalOfTheApiServerIsAFailure() {
        answerOnce(PODS, page("", pod("ours", "slotwise.io/window")));
        server.expect().get().withPath(path("ours")).andReturn(200, pod("ours")).once();
        server.expect().patch().withPath(path("ours")).andReturn(403, "{}").once();

        assertThatThrownBy(() -> removal().run(null)).isInstanceOf(KubernetesClientException.class);
    }

    private GateRemoval removal() {
        return new GateRemoval(server.createClient(), "slotwise", () -> {});
    }

    private void acceptPatch(Pod pod) {
        String path = path(pod.getMetadata().getName());
        server.expect().get().withPath(path).andReturn(200, pod).once();
        server.expect().patch().withPath(path).andReturn(200, pod).once();
    }

    private void answerOnce(String path, PodList list) {
        server.expect().get().withPath(path).andReturn(200, list).once();
    }

    private List<String> requests() throws InterruptedException {
        List<String> requests = new ArrayList<>();
        for (var request = server.takeRequest(0, TimeUnit.SECONDS);
                request != null;
                request = server.takeRequest(0, TimeUnit.SECONDS)) {
            requests.add(request.getMethod() + " " + request.getPath() + " "
                    + request.getBody().readUtf8());
        }
        return requests;
    }

    private static String path(String name) {
        return "/api/v1/namespaces/team/pods/" + name;
    }

    private static Pod pod(String name, String... gates) {
        var pod = new PodBuilder()
                .withNewMetadata()
                .withNamespace("team")
                .withName(name)
                .withUid("uid-" + name)
                .endMetadata()
                .withNewSpec();
        for (String gate : gates) {
            pod.addNewSchedulingGate(gate);
        }
        return pod.endSpec().build();
    }

    private static Pod ended(String name, String phase) {
        return new PodBuilder(pod(name))
                .withNewStatus()
                .withPhase(phase)
                .endStatus()
                .build();
    }

    private static PodList page(String next, Pod... pods) {
        return new PodListBuilder()
                .withMetadata(new ListMetaBuilder().withContinue(next).build())
                .withItems(pods)
                .build();
    }
}
