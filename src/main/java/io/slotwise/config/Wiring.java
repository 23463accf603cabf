package io.slotwise.config;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.kubernetes.client.KubernetesConfigCustomizer;
import io.slotwise.kubernetes.bind.GangRepair;
import io.slotwise.kubernetes.manifest.Candidates;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.PriceCatalogue;
import io.slotwise.kubernetes.publish.BarrierRepair;
import io.slotwise.kubernetes.publish.EventAnnouncer;
import io.slotwise.kubernetes.publish.LeaseLeadership;
import io.slotwise.kubernetes.publish.PodGatekeeper;
import io.slotwise.kubernetes.publish.ReservationWriter;
import io.slotwise.kubernetes.watch.ClusterWatch;
import io.slotwise.kubernetes.watch.ReservationIndex;
import io.slotwise.live.Heart;
import io.slotwise.live.PlanningLoop;
import io.slotwise.live.Publication;
import io.slotwise.live.Releases;
import io.slotwise.live.Repair;
import io.slotwise.live.Settings;
import io.slotwise.observability.Meters;
import jakarta.enterprise.inject.Produces;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Puts the parts of a replica together. */
@Singleton
final class Wiring {
    private static final String POLICY = "slotwise.policy.";
    /** More writes at once only make the API server turn some away. */
    private static final int RESERVATION_WRITES = 64;

    private static final int POD_WRITES = 128;
    private static final int EVENT_WRITES = 32;
    private static final int CONNECTIONS = 512;

    @Produces
    @Singleton
    KubernetesConfigCustomizer manyCallsAtOnce() {
        return config -> {
            config.setMaxConcurrentRequests(CONNECTIONS);
            config.setMaxConcurrentRequestsPerHost(CONNECTIONS);
        };
    }

    @Produces
    @Singleton
    InstantSource clock() {
        return InstantSource.system();
    }

    /** The policy file with the properties {@code slotwise.policy.*} over it. */
    @Produces
    @Singleton
    Settings settings(@ConfigProperty(name = "slotwise.policy-file") Optional<Path> file, Config config) {
        Map<String, String> properties = new HashMap<>();
        for (String name : config.getPropertyNames()) {
            if (name.startsWith(POLICY)) {
                config.getOptionalValue(name, String.class).ifPresent(value -> properties.put(name, value));
            }
        }
        return file.map(PolicyFile::load)
                .orElseGet(PolicyFile::empty)
                .overlay(properties)
                .settings();
    }

    @Produces
    @Singleton
    PriceCatalogue prices(@ConfigProperty(name = "slotwise.prices-file") Optional<Path> file) {
        return file.map(PriceCatalogue::read).orElseGet(PriceCatalogue::bundled);
    }

    @Produces
    @Singleton
    ReservationIndex reservations() {
        return new ReservationIndex();
    }

    @Produces
    @Singleton
    ClusterWatch watch(
            KubernetesClient client,
            Settings settings,
            PriceCatalogue prices,
            ReservationIndex reservations,
            Heart heart,
            @ConfigProperty(name = "slotwise.scheduler-name") String schedulerName) {
        Intake intake = new Intake(settings, prices, new Candidates(schedulerName, false));
        return new ClusterWatch(client, intake, reservations, heart::changed);
    }

    @Produces
    @Singleton
    Heart heart(Settings settings, InstantSource clock) {
        return new Heart(settings, clock);
    }

    @Produces
    @Singleton
    LeaseLeadership leadership(KubernetesClient client, LeaseSettings lease, Heart heart, Meters meters) {
        return new LeaseLeadership(client, lease.terms(), Executors.newCachedThreadPool(), leads -> {
            meters.leads(leads);
            heart.changed();
        });
    }

    @Produces
    @Singleton
    ReservationWriter writer(KubernetesClient client, ReservationIndex reservations) {
        return new ReservationWriter(client, reservations);
    }

    @Produces
    @Singleton
    PodGatekeeper gatekeeper(
            KubernetesClient client,
            ClusterWatch watch,
            @ConfigProperty(name = "slotwise.release") PodGatekeeper.Guidance guidance) {
        return new PodGatekeeper(client, watch, guidance, atMost(POD_WRITES));
    }

    @Produces
    @Singleton
    EventAnnouncer announcer(
            KubernetesClient client,
            ClusterWatch watch,
            ReservationIndex reservations,
            InstantSource clock,
            LeaseSettings lease) {
        return new EventAnnouncer(
                client, watch, reservations, clock, lease.terms().identity(), atMost(EVENT_WRITES));
    }

    @Produces
    @Singleton
    GangRepair repair(
            InstantSource clock,
            ClusterWatch watch,
            ReservationWriter writer,
            PodGatekeeper gatekeeper,
            EventAnnouncer announcer,
            Meters meters) {
        return new BarrierRepair(new Repair(clock, watch, writer, gatekeeper, announcer, meters));
    }

    @Produces
    @Singleton
    PlanningLoop loop(
            Settings settings,
            InstantSource clock,
            LeaseLeadership leadership,
            ClusterWatch watch,
            ReservationWriter writer,
            PodGatekeeper gatekeeper,
            EventAnnouncer announcer,
            Meters meters) {
        Publication publication = new Publication(writer, announcer, gatekeeper, meters, atMost(RESERVATION_WRITES));
        return new PlanningLoop(settings, clock, leadership, watch, publication, meters);
    }

    @Produces
    @Singleton
    Releases releases(
            Settings settings,
            LeaseLeadership leadership,
            ClusterWatch watch,
            ReservationWriter writer,
            PodGatekeeper gatekeeper) {
        return new Releases(settings, leadership, watch, writer, gatekeeper, atMost(RESERVATION_WRITES));
    }

    private static Executor atMost(int tasks) {
        return new BoundedVirtualThreads(tasks);
    }
}
