package io.slotwise.kubernetes.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.crd.v1alpha1.Reservations;
import io.slotwise.kubernetes.extender.ReservationBuilder;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.kubernetes.watch.ClusterWatch;
import io.slotwise.kubernetes.watch.ReservationIndex;
import io.slotwise.kubernetes.watch.WatchTiming;
import io.slotwise.live.port.ClusterView.Notice;
import io.slotwise.live.port.EventRecorder.Announcement;
import io.slotwise.live.port.EventRecorder.Reason;
import io.slotwise.live.settings.LoopSettings;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * The objects of an announcement's events, for a gang with the pods {@code g-0}, which Slotwise binds, and {@code g-1},
 * which needs kube-scheduler.
 */
class PodEventsTest {
    private final KubernetesMockServer server = new KubernetesMockServer(
            new Context(), new MockWebServer(), new HashMap<>(), new KubernetesCrudDispatcher(), false);
    private final ReservationIndex reservations = new ReservationIndex();
    private final Reservation record = new ReservationBuilder().build();

    @SuppressWarnings("NullAway.Init")
    private KubernetesClient client;

    @SuppressWarnings("NullAway.Init")
    private ClusterWatch watch;

    @BeforeEach
    void start() {
        server.init();
        client = server.createClient();
        client.resource(pod("g-0", "slotwise")).create();
        client.resource(pod("g-1", "slotwise-extender")).create();
        watch = new ClusterWatch(
                client,
                new Intake(
                        LoopSettings.EXACT,
                        PriceCatalogue.EMPTY,
                        new PodFilter("slotwise", "slotwise-extender", false)),
                reservations,
                () -> {},
                WatchTiming.DEFAULT);
        watch.start();
        await().until(watch::ready);
        reservations.accept(record);
    }

    @AfterEach
    void stop() {
        watch.close();
        client.close();
        server.destroy();
    }

    @Test
    void theStartIsToldToPodsThatSlotwiseBindsAndKubeSchedulerTellsTheOthers() {
        assertThat(told(ReservationBuilder.START, Reason.GANG_STARTED))
                .containsExactlyInAnyOrder("GangStarted Reservation/g", "Scheduled Pod/g-0");
    }

    @Test
    void aPromiseForSoonIsToldOnTheRecordAlone() {
        assertThat(told(ReservationBuilder.START.minusSeconds(30), Reason.WINDOW_PROMISED))
                .containsExactly("WindowPromised Reservation/g");
    }

    @Test
    void aPromiseForLaterIsToldToPodsThatHaveNoConditionOfTheirOwn() {
        assertThat(told(ReservationBuilder.START.minusSeconds(31), Reason.WINDOW_PROMISED))
                .containsExactlyInAnyOrder("WindowPromised Reservation/g", "WindowPromised Pod/g-1");
    }

    @Test
    void aBrokenPromiseIsToldToPodsThatHaveNoConditionOfTheirOwn() {
        assertThat(told(ReservationBuilder.START, Reason.WINDOW_BROKEN))
                .containsExactlyInAnyOrder("WindowBroken Reservation/g", "WindowBroken Pod/g-1");
    }

    @Test
    void whyAGangWaitsIsOneEventOnItsFirstPod() {
        assertThat(told(ReservationBuilder.START, Reason.OVER_BUDGET)).containsExactly("OverBudget Pod/g-0");
    }

    @Test
    void thatLateSeatsAreGivenUpIsOneEventOnTheFirstPod() {
        assertThat(told(ReservationBuilder.START, Reason.LATE_PODS_GIVEN_UP))
                .containsExactly("LateSeatsGivenUp Pod/g-0");
    }

    @Test
    void aNoticeNamesItsPodByUid() {
        eventWriter(ReservationBuilder.START).notice(new Notice("Pod", "user", "g-0", "InvalidValue", "so it is"));

        assertThat(client.events().v1().events().inNamespace("user").list().getItems())
                .extracting(event -> event.getRegarding().getUid())
                .containsExactly(client.pods()
                        .inNamespace("user")
                        .withName("g-0")
                        .get()
                        .getMetadata()
                        .getUid());
    }

    @Test
    void eventsAboutPodsAreWrittenForEachPod() {
        assertThat(told(ReservationBuilder.START, Reason.OVERRUN_EVICTED))
                .containsExactlyInAnyOrder(
                        "OverrunEvicted Reservation/g", "OverrunEvicted Pod/g-0", "OverrunEvicted Pod/g-1");
    }

    @Test
    void withoutARecordThePodsGetTheEvents() {
        reservations.remove(record);

        assertThat(told(ReservationBuilder.START, Reason.WINDOW_PROMISED))
                .containsExactlyInAnyOrder("WindowPromised Pod/g-0", "WindowPromised Pod/g-1");
    }

    private EventWriter eventWriter(Instant now) {
        return new EventWriter(
                client, watch, () -> now, "replica", new EventWriter.Writers(Runnable::run, Runnable::run));
    }

    private List<String> told(Instant now, Reason reason) {
        eventWriter(now).announce(Reservations.record(record), new Announcement(reason, "so it is"));
        return client.events().v1().events().inNamespace("user").list().getItems().stream()
                .map(event -> "%s %s/%s"
                        .formatted(
                                event.getReason(),
                                event.getRegarding().getKind(),
                                event.getRegarding().getName()))
                .toList();
    }

    private static Pod pod(String name, String scheduler) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("user")
                .withName(name)
                .withUid("uid-of-" + name)
                .addToLabels("slotwise.io/gang", "g")
                .endMetadata()
                .withNewSpec()
                .withSchedulerName(scheduler)
                .endSpec()
                .withNewStatus()
                .endStatus()
                .build();
    }
}
