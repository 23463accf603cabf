package io.slotwise.kubernetes.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueObject;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueSpec;
import io.slotwise.live.port.ClusterView.Notice;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class QueueConditionsTest {
    private static final Notice REFUSED =
            new Notice("Queue", "", "physics", "InvalidValue", "queue physics: its parent science does not exist");

    private final KubernetesMockServer server = new KubernetesMockServer(
            new Context(), new MockWebServer(), new HashMap<>(), new KubernetesCrudDispatcher(), false);
    private Instant now = Instant.parse("2030-01-01T00:00:00Z");

    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @SuppressWarnings("NullAway.Init")
    private QueueConditions conditions;

    @BeforeEach
    void start() {
        server.init();
        client = server.createClient();
        conditions = new QueueConditions(client, () -> now, Runnable::run);
    }

    @AfterEach
    void stop() {
        client.close();
        server.destroy();
    }

    private void create(String name, @Nullable String parent, boolean suspended) {
        QueueObject queue = new QueueObject();
        queue.getMetadata().setName(name);
        queue.setSpec(new QueueSpec(
                parent, null, Map.of(), Map.of(), null, null, List.of(), List.of(), null, suspended ? true : null));
        client.resource(queue).create();
    }

    private List<QueueObject> queues() {
        return client.resources(QueueObject.class).list().getItems();
    }

    /** Shows the notices of a cycle, and returns each queue's condition. */
    private List<String> shown(Notice... notices) {
        conditions.show(queues(), List.of(notices));
        return queues().stream()
                .flatMap(queue -> queue.getStatus().conditions().stream()
                        .map(condition -> "%s %s %s %s: %s"
                                .formatted(
                                        queue.getMetadata().getName(),
                                        condition.getType(),
                                        condition.getStatus(),
                                        condition.getReason(),
                                        condition.getLastTransitionTime())))
                .toList();
    }

    @Test
    void aRefusedQueueSaysWhyUntilItIsCorrect() {
        create("physics", "science", false);

        assertThat(shown(REFUSED)).containsExactly("physics Active False InvalidValue: 2030-01-01T00:00:00Z");
        assertThat(queues().getFirst().getStatus().conditions().getFirst().getMessage())
                .isEqualTo("queue physics: its parent science does not exist");
        now = now.plusSeconds(60);
        assertThat(shown()).containsExactly("physics Active True Ready: 2030-01-01T00:01:00Z");
    }

    @Test
    void aQueueBelowASuspendedOneIsNotActive() {
        create("physics", "science", false);
        create("science", null, false);
        create("root", null, true);

        assertThat(shown())
                .containsExactlyInAnyOrder(
                        "root Active False Suspended: 2030-01-01T00:00:00Z",
                        "physics Active False Suspended: 2030-01-01T00:00:00Z",
                        "science Active False Suspended: 2030-01-01T00:00:00Z");
    }

    @Test
    void aQueueThatLacksANamespaceIsActiveAndSaysSo() {
        create("physics", null, false);

        assertThat(shown(new Notice("Queue", "", "physics", "Ignored", "namespace team is already in queue vision")))
                .containsExactly("physics Active True Ignored: 2030-01-01T00:00:00Z");
    }

    @Test
    void aConditionThatHoldsIsWrittenOnce() {
        create("physics", null, false);
        shown();
        String version = queues().getFirst().getMetadata().getResourceVersion();
        List<QueueObject> outdated = queues();
        shown();
        shown(REFUSED);
        conditions.show(outdated, List.of(REFUSED));

        assertThat(Long.parseLong(queues().getFirst().getMetadata().getResourceVersion()))
                .isEqualTo(Long.parseLong(version) + 1);
    }
}
