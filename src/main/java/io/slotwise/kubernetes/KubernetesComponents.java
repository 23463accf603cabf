package io.slotwise.kubernetes;

import io.fabric8.kubernetes.client.KubernetesClient;
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
import io.slotwise.kubernetes.publish.EventWriter;
import io.slotwise.kubernetes.publish.LeaseLeadership;
import io.slotwise.kubernetes.publish.NamespaceWriter;
import io.slotwise.kubernetes.publish.NodeBuyer;
import io.slotwise.kubernetes.publish.PodUngater;
import io.slotwise.kubernetes.publish.ReservationWriter;
import io.slotwise.kubernetes.publish.WaitingPods;
import io.slotwise.kubernetes.watch.ClusterWatch;
import io.slotwise.kubernetes.watch.ReservationIndex;
import io.slotwise.kubernetes.watch.WatchObserver;
import io.slotwise.kubernetes.watch.WatchTiming;
import io.slotwise.kubernetes.watch.WatchedCapacity;
import io.slotwise.kubernetes.watch.WatchedRoster;
import io.slotwise.live.cycle.GangDiary;
import io.slotwise.live.cycle.GangRollback;
import io.slotwise.live.cycle.LoopRunner;
import io.slotwise.live.cycle.PlanPublisher;
import io.slotwise.live.cycle.PlanningLoop;
import io.slotwise.live.port.MetricsRecorder;
import io.slotwise.live.port.NodeSupplier;
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

/** Creates the components of a replica that watch the cluster and write to it. */
@Singleton
final class KubernetesComponents {
    /** Events never take more than half of the places of calls, so that a binding finds one at once. */
    private static final ThrottledExecutor.Bounds EVENTS = new ThrottledExecutor.Bounds(2_000, 16, 20_000);

    private static final ThrottledExecutor.Bounds CONDITIONS = new ThrottledExecutor.Bounds(20, 1, 10);
    /** The wait before a record is written for a gang: most gangs without a window lack a pod that is about to come. */
    private static final Duration UNRECORDED = Duration.ofSeconds(1);

    private final CurrentSettings settings;
    private final InstantSource clock;
    private final MetricsRecorder recorder;

    KubernetesComponents(CurrentSettings settings, InstantSource clock, MetricsRecorder recorder) {
        this.settings = settings;
        this.clock = clock;
        this.recorder = recorder;
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
    LoopRunner loop() {
        return new LoopRunner(settings, clock, recorder);
    }

    /** More calls at once only make the API server reject some. */
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
    Intake intake(
            PriceCatalogue prices,
            @ConfigProperty(name = "slotwise.scheduler-name") String schedulerName,
            @ConfigProperty(name = "slotwise.extender-scheduler-name") String extenderSchedulerName,
            @ConfigProperty(name = "slotwise.kube-scheduler") boolean throughKubeScheduler) {
        PodFilter filter = new PodFilter(schedulerName, extenderSchedulerName, false);
        return new Intake(settings.get(), prices, throughKubeScheduler ? filter : filter.withoutKubeScheduler());
    }

    @Produces
    @Singleton
    ClusterWatch watch(
            KubernetesClient client,
            Intake intake,
            ReservationIndex reservations,
            LoopRunner loop,
            WatchObserver observer) {
        ClusterWatch watch = new ClusterWatch(client, intake, reservations, loop::changed, WatchTiming.DEFAULT);
        watch.whenAsPlanned(loop::wentAsPlanned);
        watch.showTo(observer);
        return watch;
    }

    @Produces
    @Singleton
    NodeSupplier supplier(
            KubernetesClient client,
            ClusterWatch watch,
            LeaseSettings lease,
            @ConfigProperty(name = "slotwise.offers-file") Optional<Path> offers) {
        LeaseLeadership.Terms terms = lease.terms();
        return offers.<NodeSupplier>map(file -> new NodeBuyer(
                        client,
                        watch.buying(ManifestFile.read(file).nodes(), terms.namespace()),
                        terms.namespace(),
                        terms.name() + "-purchases"))
                .orElse(NodeSupplier.NONE);
    }

    @Produces
    @Singleton
    LeaseLeadership leadership(
            KubernetesClient client,
            LeaseSettings lease,
            LoopRunner loop,
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
    PodUngater ungater(
            KubernetesClient client,
            ClusterWatch watch,
            @ConfigProperty(name = "slotwise.release") PodUngater.Guidance guidance,
            @ConfigProperty(name = "slotwise.calls-in-flight") int atOnce) {
        // Not in the queue: a call that releases or evicts a gang's pods holds a place until all are done.
        return new PodUngater(client, watch, guidance, clock, new BoundedVirtualThreads(atOnce));
    }

    @Produces
    @Singleton
    EventWriter eventWriter(KubernetesClient client, ClusterWatch watch, LeaseSettings lease, CallQueue calls) {
        ThrottledExecutor executor = new ThrottledExecutor("slotwise-events", EVENTS, calls.of(Rank.EVENT));
        return new EventWriter(
                client,
                watch,
                clock,
                lease.terms().identity(),
                new EventWriter.Writers(executor.first(), executor.others()));
    }

    @Produces
    @Singleton
    @Typed(GangDiary.class)
    GangDiary diary(EventWriter eventWriter) {
        return new GangDiary(eventWriter, clock);
    }

    @Produces
    @Singleton
    WaitExplainer explainer(KubernetesClient client, ClusterWatch watch, CallQueue calls) {
        ThrottledExecutor executor = new ThrottledExecutor("slotwise-conditions", CONDITIONS, calls.of(Rank.EVENT));
        return new WaitingPods(client, watch, clock, executor.others());
    }

    @Produces
    @Singleton
    NodeCapacityPort capacity(ClusterWatch watch) {
        return new WatchedCapacity(watch);
    }

    @Produces
    @Singleton
    PodRosterPort roster(ClusterWatch watch) {
        return new WatchedRoster(watch);
    }

    @Produces
    @Singleton
    GangRepair repair(ClusterWatch watch, ReservationWriter writer, PodUngater ungater, GangDiary diary) {
        return new GangRollback(clock, watch, writer, ungater, diary, recorder, GangRollback::sleep)::takeBack;
    }

    @Produces
    @Singleton
    PlanningLoop loop(
            LeaseLeadership leadership,
            ClusterWatch watch,
            PlanPublisher publisher,
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
    NamespaceWriter namespaces(KubernetesClient client, ClusterWatch watch) {
        return new NamespaceWriter(client, watch.ledgers(), watch.runs());
    }

    @Produces
    @Singleton
    PlanPublisher.Ports publishing(
            ReservationWriter writer,
            NamespaceWriter namespaces,
            PodUngater ungater,
            GangDiary diary,
            WaitExplainer explainer) {
        return new PlanPublisher.Ports(writer, namespaces, diary, ungater, recorder, explainer, namespaces);
    }

    @Produces
    @Singleton
    PlanPublisher publication(PlanPublisher.Ports ports, GangStarter starter, CallQueue calls, LoopRunner loop) {
        return new PlanPublisher(
                ports,
                starter,
                new PlanPublisher.Writers(calls.of(Rank.AWAITED), calls.of(Rank.RECORD)),
                loop::changed);
    }

    @Produces
    @Singleton
    GangStarter.Ports starting(ClusterWatch watch, ReservationWriter writer, PodUngater ungater, GangBarrier barrier) {
        return new GangStarter.Ports(watch, writer, ungater, barrier);
    }

    @Produces
    @Singleton
    GangStarter starter(LeaseLeadership leadership, GangStarter.Ports ports, CallQueue calls) {
        return new GangStarter(settings, leadership, ports, clock, calls.of(Rank.RELEASE));
    }
}
