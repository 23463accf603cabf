package io.slotwise.kubernetes;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.quarkus.kubernetes.client.KubernetesClientObjectMapper;
import io.quarkus.kubernetes.client.KubernetesConfigCustomizer;
import io.quarkus.kubernetes.client.KubernetesResources;
import io.slotwise.kubernetes.CallQueue.Rank;
import io.slotwise.kubernetes.access.CallerReview;
import io.slotwise.kubernetes.access.OidcSettings;
import io.slotwise.kubernetes.bind.GangBarrier;
import io.slotwise.kubernetes.bind.GangRepair;
import io.slotwise.kubernetes.bind.NodeCapacityPort;
import io.slotwise.kubernetes.bind.PodRosterPort;
import io.slotwise.kubernetes.bind.StartCalls;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.kubernetes.publish.BarrierRepair;
import io.slotwise.kubernetes.publish.EventAnnouncer;
import io.slotwise.kubernetes.publish.LeaseLeadership;
import io.slotwise.kubernetes.publish.NamespaceWriter;
import io.slotwise.kubernetes.publish.NodeBuyer;
import io.slotwise.kubernetes.publish.PodGatekeeper;
import io.slotwise.kubernetes.publish.ReservationWriter;
import io.slotwise.kubernetes.publish.WaitingPods;
import io.slotwise.kubernetes.refusal.RefusalObserver;
import io.slotwise.kubernetes.refusal.RefusedCalls;
import io.slotwise.kubernetes.watch.ClusterWatch;
import io.slotwise.kubernetes.watch.LedgerIndex;
import io.slotwise.kubernetes.watch.PurchaseWatch;
import io.slotwise.kubernetes.watch.ReservationIndex;
import io.slotwise.kubernetes.watch.RunHistoryIndex;
import io.slotwise.kubernetes.watch.WatchObserver;
import io.slotwise.kubernetes.watch.WatchSerialization;
import io.slotwise.kubernetes.watch.WatchedCapacity;
import io.slotwise.kubernetes.watch.WatchedRoster;
import io.slotwise.live.cycle.GangDiary;
import io.slotwise.live.cycle.GangRollback;
import io.slotwise.live.cycle.LoopRunner;
import io.slotwise.live.cycle.PlanPublisher;
import io.slotwise.live.cycle.PlanningLoop;
import io.slotwise.live.port.LedgerStore;
import io.slotwise.live.port.MetricsRecorder;
import io.slotwise.live.port.NodeSupplier;
import io.slotwise.live.port.RunHistoryStore;
import io.slotwise.live.port.WaitExplainer;
import io.slotwise.live.settings.CurrentSettings;
import io.slotwise.live.start.GangStarter;
import jakarta.enterprise.inject.Produces;
import jakarta.enterprise.inject.Typed;
import jakarta.inject.Singleton;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import org.eclipse.microprofile.config.Config;
import org.eclipse.microprofile.config.inject.ConfigProperty;

/** Puts the parts of a replica together that see the cluster and write to it. */
@Singleton
final class KubernetesComponents {
    private static final int CONNECTIONS = 512;
    /** What people are told never takes more than half of the places of calls: a binding finds one free at once. */
    private static final ThrottledExecutor.Bounds EVENTS = new ThrottledExecutor.Bounds(2_000, 16, 20_000);

    private static final ThrottledExecutor.Bounds CONDITIONS = new ThrottledExecutor.Bounds(20, 1, 10);
    /**
     * How long a gang waits before a record says so: most of those without one lack a pod that comes in the next
     * moment.
     */
    private static final Duration UNRECORDED = Duration.ofSeconds(1);

    @Produces
    @Singleton
    KubernetesConfigCustomizer manyCallsAtOnce() {
        return config -> {
            config.setMaxConcurrentRequests(CONNECTIONS);
            config.setMaxConcurrentRequestsPerHost(CONNECTIONS);
        };
    }

    /** In place of Quarkus's own, which hands the kinds on as raw classes. */
    @Produces
    @Singleton
    @SuppressWarnings({"rawtypes", "unchecked"})
    KubernetesSerialization serialization(
            @KubernetesClientObjectMapper ObjectMapper mapper, @KubernetesResources Class[] kinds) {
        KubernetesSerialization serialization = new WatchSerialization(mapper);
        for (Class kind : kinds) {
            serialization.registerKubernetesResource(kind);
        }
        return serialization;
    }

    @Produces
    @Singleton
    RefusedCalls refused(InstantSource clock, RefusalObserver observer, LeaseSettings lease) {
        LeaseLeadership.Terms terms = lease.terms();
        return new RefusedCalls(clock, observer, terms.renewDeadline().minus(terms.retryPeriod()));
    }

    @Produces
    @Singleton
    ReservationIndex reservations(LoopRunner loop) {
        ReservationIndex index = new ReservationIndex();
        index.onChange(gang -> loop.recordChanged());
        return index;
    }

    @Produces
    @Singleton
    LoopRunner loop(CurrentSettings settings, InstantSource clock, MetricsRecorder recorder) {
        return new LoopRunner(settings, clock, recorder);
    }

    /** More calls at once only make the API server turn some away. */
    @Produces
    @Singleton
    CallQueue calls(@ConfigProperty(name = "slotwise.calls-in-flight") int atOnce) {
        return new CallQueue(atOnce);
    }

    @Produces
    @Singleton
    StartCalls startCalls(CallQueue calls, LeaseLeadership leadership) {
        return new StartCalls(calls::start, calls.of(Rank.BINDING), leadership);
    }

    @Produces
    @Singleton
    ClusterWatch watch(
            KubernetesClient client,
            CurrentSettings settings,
            PriceCatalogue prices,
            ReservationIndex reservations,
            LedgerIndex ledgers,
            RunHistoryIndex runs,
            LoopRunner loop,
            WatchObserver observer,
            @ConfigProperty(name = "slotwise.scheduler-name") String schedulerName,
            @ConfigProperty(name = "slotwise.extender-scheduler-name") String extenderSchedulerName,
            @ConfigProperty(name = "slotwise.kube-scheduler") boolean throughKubeScheduler,
            @ConfigProperty(name = "slotwise.offers-file") Optional<Path> offers,
            LeaseSettings lease) {
        PodFilter bothFilter = new PodFilter(schedulerName, extenderSchedulerName, false);
        PodFilter candidatesFilter = throughKubeScheduler ? bothFilter : bothFilter.withoutKubeScheduler();
        Intake intake = new Intake(settings.get(), prices, candidatesFilter);
        ClusterWatch watch = new ClusterWatch(client, intake, reservations, ledgers, runs, loop::changed);
        watch.whenAsPlanned(loop::wentAsPlanned);
        watch.showTo(observer);
        offers.ifPresent(file ->
                watch.buying(ManifestFile.read(file).nodes(), lease.terms().namespace()));
        return watch;
    }

    @Produces
    @Singleton
    NodeSupplier supplier(KubernetesClient client, ClusterWatch watch, LeaseSettings lease) {
        PurchaseWatch purchases = watch.purchases();
        return purchases == null
                ? NodeSupplier.NONE
                : new NodeBuyer(
                        client,
                        purchases,
                        lease.terms().namespace(),
                        lease.terms().name() + "-purchases");
    }

    @Produces
    @Singleton
    LeaseLeadership leadership(
            KubernetesClient client,
            LeaseSettings lease,
            LoopRunner loop,
            MetricsRecorder recorder,
            @ConfigProperty(name = "slotwise.calls-in-flight") int atOnce) {
        OpenConnections connections = new OpenConnections(client, atOnce, Thread::startVirtualThread);
        return new LeaseLeadership(client, lease.terms(), Executors.newCachedThreadPool(), leads -> {
            recorder.leads(leads);
            loop.changed();
            if (leads) {
                connections.open();
            }
        });
    }

    @Produces
    @Singleton
    CallerReview access(
            KubernetesClient client,
            @ConfigProperty(name = "slotwise.auth.audiences") Optional<List<String>> audiences,
            Config properties) {
        return new CallerReview(
                client,
                audiences.orElse(List.of()),
                OidcSettings.of(name -> properties.getOptionalValue(name, String.class)));
    }

    @Produces
    @Singleton
    ReservationWriter writer(KubernetesClient client, ReservationIndex reservations, LeaseLeadership leadership) {
        return new ReservationWriter(client, reservations, leadership);
    }

    @Produces
    @Singleton
    LedgerIndex ledgers() {
        return new LedgerIndex();
    }

    @Produces
    @Singleton
    LedgerStore ledgerStore(KubernetesClient client, LedgerIndex ledgers) {
        return NamespaceWriter.ledgers(client, ledgers);
    }

    @Produces
    @Singleton
    RunHistoryIndex runHistories() {
        return new RunHistoryIndex();
    }

    @Produces
    @Singleton
    RunHistoryStore runHistoryStore(KubernetesClient client, RunHistoryIndex runs) {
        return NamespaceWriter.runs(client, runs);
    }

    @Produces
    @Singleton
    PodGatekeeper gatekeeper(
            KubernetesClient client,
            ClusterWatch watch,
            InstantSource clock,
            @ConfigProperty(name = "slotwise.release") PodGatekeeper.Guidance guidance,
            @ConfigProperty(name = "slotwise.calls-in-flight") int atOnce) {
        // Not the queue's places: who sends a gang's pods or ends them holds one of those until all are done.
        return new PodGatekeeper(client, watch, guidance, clock, new BoundedVirtualThreads(atOnce));
    }

    @Produces
    @Singleton
    EventAnnouncer announcer(
            KubernetesClient client,
            ClusterWatch watch,
            ReservationIndex reservations,
            InstantSource clock,
            LeaseSettings lease,
            CallQueue calls) {
        ThrottledExecutor executor = new ThrottledExecutor("slotwise-events", EVENTS, calls.of(Rank.EVENT));
        return new EventAnnouncer(
                client, watch, reservations, clock, lease.terms().identity(), executor.first(), executor.others());
    }

    @Produces
    @Singleton
    @Typed(GangDiary.class)
    GangDiary diary(EventAnnouncer announcer, InstantSource clock) {
        return new GangDiary(announcer, clock);
    }

    @Produces
    @Singleton
    WaitExplainer explainer(KubernetesClient client, ClusterWatch watch, InstantSource clock, CallQueue calls) {
        ThrottledExecutor executor = new ThrottledExecutor("slotwise-conditions", CONDITIONS, calls.of(Rank.EVENT));
        return new WaitingPods(client, watch, clock, executor.others());
    }

    @Produces
    @Singleton
    NodeCapacityPort rooms(ClusterWatch watch) {
        return new WatchedCapacity(watch);
    }

    @Produces
    @Singleton
    PodRosterPort roster(ClusterWatch watch) {
        return new WatchedRoster(watch);
    }

    @Produces
    @Singleton
    GangRepair repair(
            InstantSource clock,
            ClusterWatch watch,
            ReservationWriter writer,
            PodGatekeeper gatekeeper,
            GangDiary diary,
            MetricsRecorder recorder) {
        return new BarrierRepair(new GangRollback(clock, watch, writer, gatekeeper, diary, recorder), writer);
    }

    @Produces
    @Singleton
    PlanningLoop loop(
            CurrentSettings settings,
            InstantSource clock,
            LeaseLeadership leadership,
            ClusterWatch watch,
            PlanPublisher publisher,
            MetricsRecorder recorder,
            GangStarter starter,
            NodeSupplier supplier) {
        return new PlanningLoop(
                settings,
                clock,
                new PlanningLoop.Ports(leadership, watch, publisher, recorder, supplier),
                starter,
                UNRECORDED);
    }

    @Produces
    @Singleton
    PlanPublisher publication(
            ReservationWriter writer,
            LedgerStore ledgers,
            PodGatekeeper gatekeeper,
            GangDiary diary,
            MetricsRecorder recorder,
            WaitExplainer explainer,
            RunHistoryStore runs,
            GangStarter starter,
            CallQueue calls,
            LoopRunner loop) {
        return new PlanPublisher(
                new PlanPublisher.Ports(writer, ledgers, diary, gatekeeper, recorder, explainer, runs),
                starter,
                new PlanPublisher.Writers(calls.of(Rank.AWAITED), calls.of(Rank.RECORD)),
                loop::changed);
    }

    @Produces
    @Singleton
    GangStarter starter(
            CurrentSettings settings,
            LeaseLeadership leadership,
            ClusterWatch watch,
            ReservationWriter writer,
            PodGatekeeper gatekeeper,
            GangBarrier barrier,
            InstantSource clock,
            CallQueue calls) {
        return new GangStarter(
                settings,
                leadership,
                new GangStarter.Ports(watch, writer, gatekeeper, barrier),
                clock,
                calls.of(Rank.RELEASE));
    }
}
