package io.slotwise.kubernetes.watch;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.extender.ReservationBuilder;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class StreamedWatchesTest {
    private final KubernetesSerialization usual = new KubernetesSerialization();
    private KubernetesSerialization streamed = usual;

    @BeforeEach
    void customize() {
        ObjectMapper mapper = new ObjectMapper();
        new StreamedWatches().customize(mapper);
        streamed = new KubernetesSerialization(mapper, true);
        streamed.registerKubernetesResource(Reservation.class);
        usual.registerKubernetesResource(Reservation.class);
    }

    static Stream<HasMetadata> objects() {
        return Stream.of(
                pod(),
                new NodeBuilder()
                        .withNewMetadata()
                        .withName("n")
                        .addToLabels("zone", "a")
                        .endMetadata()
                        .withNewSpec()
                        .withUnschedulable(true)
                        .endSpec()
                        .withNewStatus()
                        .addToAllocatable("cpu", new Quantity("32"))
                        .endStatus()
                        .build(),
                new ReservationBuilder().build());
    }

    @ParameterizedTest
    @MethodSource("objects")
    void readsWhatTheClientReads(HasMetadata object) {
        String event = event(usual.asJson(object));

        assertThat(read(streamed, event)).isEqualTo(read(usual, event)).hasSameClassAs(object);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Fields in another order, a kind that is no text, a kind that is never watched like this, and only a
                // kind.
                """
            {"metadata": {"name": "p", "labels": {"a": "b"}}, "apiVersion": "v1", "kind": "Pod", "spec": {"nodeName": "n"}}""",
                """
            {"apiVersion": "v1", "metadata": {"name": "p"}, "kind": "Pod"}""",
                """
            {"kind": "Job", "apiVersion": "batch/v1", "metadata": {"name": "j"}, "spec": {"parallelism": 4}}""",
                """
            {"kind": "Gang", "apiVersion": "example.com/v1", "metadata": {"name": "j"}, "spec": {"members": [1, {"a": 2}]}}""",
                """
            {"apiVersion": "v1", "kind": "Pod"}""",
                """
            {"kind": [], "apiVersion": "v1", "metadata": {"name": "p"}}""",
                """
            {"kind": "Status", "apiVersion": "v1", "metadata": {}, "status": "Failure", "reason": "Expired", "code": 410}"""
            })
    void readsTheRestAsTheClientDoes(String object) {
        assertThat(read(streamed, event(object))).isEqualTo(read(usual, event(object)));
    }

    @Test
    void knowsAStatusAndAnUnknownKind() {
        assertThat(read(streamed, event("{\"kind\": \"Status\", \"apiVersion\": \"v1\", \"code\": 410}")))
                .isInstanceOf(Status.class);
        assertThat(read(streamed, event("{\"kind\": \"Gang\", \"apiVersion\": \"example.com/v1\", \"spec\": {}}")))
                .isInstanceOf(GenericKubernetesResource.class);
    }

    @Test
    void skipsManagedFields() {
        Pod managed = new PodBuilder(pod())
                .editMetadata()
                .addNewManagedField()
                .withManager("kubelet")
                .endManagedField()
                .endMetadata()
                .build();

        assertThat(read(streamed, event(usual.asJson(managed)))).isEqualTo(pod());
    }

    @Test
    void skipsFieldsWithoutEffectAndWritesThemUnchanged() {
        Pod whole = new PodBuilder(pod())
                .editSpec()
                .withServiceAccountName("default")
                .editFirstContainer()
                .withCommand("sleep", "60")
                .addNewEnv()
                .withName("A")
                .withValue("b")
                .endEnv()
                .withNewLivenessProbe()
                .withPeriodSeconds(5)
                .endLivenessProbe()
                .endContainer()
                .endSpec()
                .editStatus()
                .withHostIP("10.0.0.1")
                .endStatus()
                .build();

        assertThat(read(streamed, event(usual.asJson(whole)))).isEqualTo(pod());
        assertThat(usual.unmarshal(streamed.asJson(whole), Pod.class)).isEqualTo(whole);
    }

    private static Pod pod() {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("user")
                .withName("p")
                .withUid("u")
                .withResourceVersion("7")
                .addToLabels("a", "b")
                .endMetadata()
                .withNewSpec()
                .withSchedulerName("slotwise")
                .addNewContainer()
                .withName("main")
                .withNewResources()
                .addToRequests("cpu", new Quantity("2"))
                .endResources()
                .endContainer()
                .endSpec()
                .withNewStatus()
                .withPhase("Pending")
                .endStatus()
                .build();
    }

    private static String event(String object) {
        return "{\"type\": \"MODIFIED\", \"object\": " + object + "}";
    }

    private static Object read(KubernetesSerialization serialization, String event) {
        return serialization.unmarshal(event, WatchEvent.class).getObject();
    }
}
