package io.slotwise.kubernetes.publish;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.EnableKubernetesMockClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.BrokenPromise;
import io.slotwise.core.plan.Refusal;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.Reservations;
import io.slotwise.kubernetes.extender.ReservationBuilder;
import io.slotwise.kubernetes.watch.ClusterWatch;
import io.slotwise.kubernetes.watch.ReservationIndex;
import io.slotwise.live.port.ClusterView.Notice;
import io.slotwise.live.port.EventRecorder.Announcement;
import io.slotwise.live.port.EventRecorder.Reason;
import io.slotwise.live.record.GangRecord;
import io.slotwise.testing.PlainWatch;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

@EnableKubernetesMockClient(https = false)
@SuppressWarnings("NullAway.Init")
class EventWriterTest {
    private static final String EVENTS = "/apis/events.k8s.io/v1/namespaces/user/events";
    private static final Notice NOTICE = new Notice("Pod", "user", "g-0", "Ignored", "nobody knows why");

    KubernetesMockServer server;

    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private final Queue<Runnable> notUrgent = new ArrayDeque<>();
    private final ReservationIndex reservations = new ReservationIndex();
    private Instant now = Instant.parse("2030-01-01T00:00:00Z");

    private KubernetesClient client;

    private EventWriter eventWriter;

    @BeforeEach
    void connect() {
        client = FailFastClient.of(server.url("/"));
        ClusterWatch watch = PlainWatch.of(client, reservations);
        eventWriter = new EventWriter(
                client, watch, () -> now, "replica", new EventWriter.Writers(waiting::add, notUrgent::add));
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    @Test
    void anUnansweredEventIsRetriedAfterTheOthers() {
        server.expect().post().withPath(EVENTS).andReturn(500, "{}").once();
        server.expect().post().withPath(EVENTS).andReturn(201, "{}").times(2);

        eventWriter.notice(NOTICE);
        eventWriter.notice(NOTICE);
        runNext();
        assertThat(waiting).hasSize(2);
        runNext();
        runNext();

        assertThat(waiting).isEmpty();
        assertThat(server.getRequestCount()).isEqualTo(3);
    }

    @Test
    void afterAMinuteItIsForgotten() {
        server.expect().post().withPath(EVENTS).andReturn(500, "{}").always();

        eventWriter.notice(NOTICE);
        now = now.plusSeconds(59);
        runNext();
        assertThat(waiting).hasSize(1);
        now = now.plusSeconds(1);
        runNext();

        assertThat(waiting).isEmpty();
    }

    @Test
    void anEventThatIsRefusedOrThereAlreadyIsNotTriedAgain() {
        server.expect().post().withPath(EVENTS).andReturn(403, "{}").once();
        server.expect().post().withPath(EVENTS).andReturn(409, "{}").once();

        eventWriter.notice(NOTICE);
        eventWriter.notice(NOTICE);
        runNext();
        runNext();

        assertThat(waiting).isEmpty();
    }

    @Test
    void warningsDoNotWaitBehindTheRest() {
        Reservation reservation = new ReservationBuilder().build();
        reservations.accept(reservation);
        GangRecord record = Reservations.record(reservation);

        eventWriter.announce(record, new Announcement(Reason.WINDOW_IMPROVED, "sooner"));
        assertThat(waiting).isEmpty();
        assertThat(notUrgent).hasSize(1);

        eventWriter.announce(record, new Announcement(Reason.WINDOW_BROKEN, "outage"));
        assertThat(waiting).hasSize(1);
    }

    @Test
    void anEventNamesNoGangOfAnotherNamespace() throws InterruptedException {
        server.expect().post().withPath(EVENTS).andReturn(201, "{}").always();
        Reservation reservation = new ReservationBuilder().build();
        reservations.accept(reservation);
        GangRecord record = Reservations.record(reservation);
        GangId other = new GangId("secret", "month-end-close");

        eventWriter.announce(
                record, new Announcement(Reason.NO_WINDOW, new Refusal.BehindPromises(other, 1_893_456_000L, 0)));
        eventWriter.announce(record, new Announcement(Reason.WINDOW_BROKEN, new BrokenPromise.Displaced(other, 2, 1)));
        runNext();
        runNext();

        for (int i = 0; i < 2; i++) {
            assertThat(Objects.requireNonNull(server.takeRequest()).getBody().readUtf8())
                    .contains("a gang of another namespace")
                    .doesNotContain("secret", "month-end-close");
        }
    }

    private void runNext() {
        Objects.requireNonNull(waiting.poll()).run();
    }
}
