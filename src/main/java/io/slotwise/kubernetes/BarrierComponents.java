package io.slotwise.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.runtime.ShutdownEvent;
import io.slotwise.kubernetes.bind.BarrierPorts;
import io.slotwise.kubernetes.bind.BarrierTiming;
import io.slotwise.kubernetes.bind.BindApi;
import io.slotwise.kubernetes.bind.Fabric8BindApi;
import io.slotwise.kubernetes.bind.GangBarrier;
import io.slotwise.kubernetes.bind.PodRosterPort;
import io.slotwise.kubernetes.bind.StartCalls;
import io.slotwise.kubernetes.bind.WallTimer;
import io.slotwise.kubernetes.extender.ReservationView;
import io.slotwise.kubernetes.extender.SchedulerExtender;
import io.slotwise.kubernetes.refusal.RefusedCalls;
import io.slotwise.kubernetes.watch.ReservationIndex;
import io.slotwise.live.port.StartRefusals;
import io.slotwise.live.settings.CurrentSettings;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Creates the components that answer kube-scheduler. */
@Singleton
final class BarrierComponents {
    /** Unbounded, because a call that waits for others would delay its gang. */
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();

    private final InstantSource clock;
    private final WallTimer timer;

    BarrierComponents(InstantSource clock) {
        this.clock = clock;
        timer = new WallTimer(clock, executor);
    }

    @Produces
    @Singleton
    SchedulerExtender extender(
            ReservationView reservations,
            @ConfigProperty(name = "slotwise.extender-scheduler-name") String schedulerName,
            PodRosterPort roster) {
        return new SchedulerExtender(reservations, schedulerName, clock, roster::isCurrent);
    }

    @Produces
    @Singleton
    BindApi api(KubernetesClient client, ReservationIndex reservations, StartCalls calls) {
        return new Fabric8BindApi(client, reservations::accept, calls.leadership()::outdated);
    }

    @Produces
    @Singleton
    StartRefusals refusals(ReservationIndex reservations, RefusedCalls refused) {
        return (gang, pods, tries) -> refused.startRefusal(gang, pods, reservations.written(gang) != null, tries);
    }

    @Produces
    @Singleton
    GangBarrier barrier(
            BarrierPorts ports,
            CurrentSettings settings,
            StartCalls calls,
            @ConfigProperty(name = "slotwise.scheduler-name") String directName,
            @ConfigProperty(name = "slotwise.extender-scheduler-name") String extenderName) {
        BarrierTiming timing = new BarrierTiming(
                clock,
                timer,
                executor,
                calls.starts(),
                calls.bindings(),
                () -> Duration.ofSeconds(settings.get().startTimeout()));
        return new GangBarrier(ports, timing, calls.leadership(), Set.of(directName, extenderName));
    }

    void stop(@Observes ShutdownEvent event, GangBarrier barrier) {
        barrier.close();
        timer.close();
    }
}
