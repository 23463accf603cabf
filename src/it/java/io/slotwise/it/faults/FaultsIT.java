package io.slotwise.it.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ListOptions;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.scheduling.v1.PriorityClassBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.slotwise.it.ApiProxy;
import io.slotwise.it.AuditLog;
import io.slotwise.it.Cluster;
import io.slotwise.it.ControlPlane;
import io.slotwise.it.ExtenderRelay;
import io.slotwise.it.GangSpec;
import io.slotwise.it.Installation;
import io.slotwise.it.KubeScheduler;
import io.slotwise.it.RunRecord;
import io.slotwise.it.faults.FaultChecker.Account;
import io.slotwise.it.faults.FaultChecker.End;
import io.slotwise.it.faults.FaultChecker.Told;
import io.slotwise.it.faults.FaultChecker.Violation;
import io.slotwise.it.faults.FaultLoad.Fate;
import io.slotwise.it.faults.FaultPlan.Step;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Gangs of all kinds through random faults of all kinds, judged by {@link FaultChecker}. {@code
 * -Dslotwise.faults.gangs} enables the run, and with {@code -Dslotwise.faults.seed} (default 1) determines its plan,
 * which is printed.
 */
@Tag("punctual")
@EnabledIfSystemProperty(named = "slotwise.faults.gangs", matches = "\\d+")
class FaultsIT {
    private static final Duration TURNOVER = Duration.ofSeconds(2);
    /**
     * The longest time between two ends of gangs after the last fault. Some gangs wait five minutes for a node that
     * refused them.
     */
    private static final Duration PATIENCE = Duration.ofSeconds(400);
    /** The time after which a gang that can never run is deleted. */
    private static final Duration HOPE = Duration.ofSeconds(60);

    /**
     * The number of open gangs at which the run pauses. Two cores cannot carry more through such dense faults, because
     * kube-scheduler keeps retrying pods that cannot be bound.
     */
    private static final int MOST_AT_ONCE = 120;
    /** The time for the ledger, which is written a cycle after what it tells. */
    private static final Duration BOOKED = Duration.ofSeconds(15);

    private static final int INVALID = 422;
    static final String REFUSED_BY_KUBELETS = "pods refused by kubelets";
    /** Short times, so that much happens in a run. */
    private static final Map<String, String> VALUES = Map.of(
            "policy.running.turnover", TURNOVER.toSeconds() + "s",
            "policy.planner.cycle", "5s",
            "policy.records.reservation-ttl", "2m",
            "kubeScheduler.qps", "1000",
            "kubeScheduler.burst", "2000");

    private final InstantSource clock = InstantSource.system();
    private final FaultTimeline story = new FaultTimeline();

    @Test
    void throughAllFaultsGangsRunWholeAndNothingIsPromisedOrSpentTwice() throws IOException {
        FaultPlan plan =
                FaultPlan.of(Long.getLong("slotwise.faults.seed", 1), Integer.getInteger("slotwise.faults.gangs", 100));
        FaultLoad load = new FaultLoad(plan);
        System.out.println(plan);
        try (ControlPlane plane = ControlPlane.startWithoutControllers("FaultsIT")) {
            Files.writeString(plane.logs().resolve("plan.txt"), plan.toString());
            Installation chart = prepare(plane, load);
            End end = run(plane, chart, plan, load);
            RunRecord record = RunRecord.of(plane.audit(), FaultLoad.AMPLE, FaultLoad.TIGHT);
            List<Violation> violations =
                    new ArrayList<>(FaultChecker.check(record, FaultLoad.rooms(), TURNOVER, story, end));
            violations.addAll(FaultChecker.missed(plan, story));
            Files.write(
                    plane.logs().resolve("violations.txt"),
                    violations.stream().map(Violation::toString).toList());
            Files.write(
                    plane.logs().resolve("story.txt"),
                    story.happenings().stream().map(Object::toString).toList());
            String figures = FaultChecker.figures(record, story, end);
            Files.writeString(plane.logs().resolve("figures.txt"), figures);
            System.out.println(figures);
            assertThat(violations)
                    .as("seed %d, %d gangs, %s; %s", plan.seed(), plan.gangs(), FaultChecker.summary(violations), plan)
                    .isEmpty();
        }
    }

    private static Installation prepare(ControlPlane plane, FaultLoad load) {
        KubernetesClient client = plane.client();
        Map.of(FaultLoad.AMPLE, new BigDecimal("1000"), FaultLoad.TIGHT, load.tightBudget())
                .forEach((name, budget) -> client.resource(new NamespaceBuilder()
                                .withNewMetadata()
                                .withName(name)
                                .addToAnnotations("slotwise.io/budget", budget.toPlainString() + "/month")
                                .endMetadata()
                                .build())
                        .create());
        client.resource(new PriorityClassBuilder()
                        .withNewMetadata()
                        .withName(FaultLoad.URGENT)
                        .endMetadata()
                        .withValue(1000)
                        .build())
                .create();
        FaultLoad.nodes().values().forEach(node -> client.resource(node).create());
        Installation chart = Installation.install(plane, VALUES);
        chart.awaitGate();
        FaultLoad.queues().forEach((name, spec) -> Cluster.createQueue(client, name, spec));
        return chart;
    }

    private End run(ControlPlane plane, Installation chart, FaultPlan plan, FaultLoad load) {
        Path time = plane.folder().resolve("clock");
        SteppedClock stepped = new SteppedClock(time);
        List<String> agent = List.of(ClockAgent.option(plane.folder(), time));
        try (ScheduledExecutorService threads = Executors.newScheduledThreadPool(64);
                ApiProxy before = new ApiProxy(plane, plan.seed());
                ApiProxy beforeScheduler = new ApiProxy(plane, plan.seed() + 1);
                var slotwise = chart.slotwise(before.url(), Installation.SHORT_LEASE, agent);
                ExtenderRelay relay = ExtenderRelay.before(slotwise);
                GangOwner owner = new GangOwner(plane.client(), threads)) {
            slotwise.start();
            try (var scheduler = chart.startScheduler(relay.extender(), beforeScheduler.url())) {
                FaultContext context = new FaultContext(
                        plane.client(),
                        List.of(before, beforeScheduler),
                        relay,
                        slotwise,
                        scheduler,
                        owner,
                        () -> chart.slotwise(before.url(), Installation.SHORT_LEASE, agent),
                        stepped,
                        List.copyOf(FaultLoad.nodes().values()),
                        plane.running("etcd"));
                Injector injector = new Injector(plan, context, story, threads);
                var _ = threads.scheduleWithFixedDelay(() -> revive(scheduler), 1, 1, TimeUnit.SECONDS);
                try (var _ = plane.client()
                        .genericKubernetesResources(kind("Reservation"))
                        .inAnyNamespace()
                        .inform(new Steps(injector))) {
                    play(plan, load, context, injector, threads);
                    injector.await();
                    System.out.printf("The last fault is over; %s%n", progress(context));
                    settle(context);
                    awaitTelling(plane.client());
                    before.bindings().forEach((what, times) -> story.counted("bindings " + what, times));
                    answers(plane.audit());
                    return end(plane);
                }
            }
        }
    }

    private void revive(KubeScheduler scheduler) {
        Instant from = clock.instant();
        if (scheduler.revive()) {
            story.count("kube-scheduler ended by itself");
            story.happened(FaultTimeline.Sort.SCHEDULER, "ended by itself", from, clock.instant(), FaultTimeline.NONE);
        }
    }

    /**
     * Lets gangs arrive and faults begin at their times. Both pause while too many gangs are open, so that a slow
     * machine takes longer for the same run.
     */
    private void play(
            FaultPlan plan, FaultLoad load, FaultContext context, Injector injector, ScheduledExecutorService threads) {
        PriorityQueue<Event> coming = new PriorityQueue<>(Comparator.comparing(Event::at));
        load.arrivals()
                .forEach(arrival -> coming.add(new Event(arrival.at(), () -> {
                    GangSpec gang = arrival.submitted(clock.instant());
                    story.submitted(gang, arrival.fate());
                    context.owner().submit(gang, FaultLoad.isRefused(arrival.number()));
                    injector.reached(gang, Step.SEEN);
                    if (arrival.fate() == Fate.NEVER_RUNS) {
                        var _ = threads.schedule(() -> injector.giveUp(gang), HOPE.toMillis(), TimeUnit.MILLISECONDS);
                    }
                })));
        plan.episodes().forEach(episode -> coming.add(new Event(episode.at(), () -> injector.run(episode))));
        Duration passed = Duration.ZERO;
        Instant before = clock.instant();
        while (!coming.isEmpty()) {
            Instant now = clock.instant();
            if (open(context).size() < MOST_AT_ONCE) {
                passed = passed.plus(Duration.between(before, now));
            }
            before = now;
            while (!coming.isEmpty() && coming.element().at().compareTo(passed) <= 0) {
                injector.begin(coming.remove().what());
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
    }

    /** Something that begins at a time from the beginning of the run. */
    private record Event(Duration at, Runnable what) {}

    /** Tells the injector when a gang reaches a step of its life. */
    private final class Steps implements ResourceEventHandler<GenericKubernetesResource> {
        private final Injector injector;

        Steps(Injector injector) {
            this.injector = injector;
        }

        @Override
        public void onAdd(GenericKubernetesResource reservation) {
            FaultTimeline.Subject subject =
                    story.gangs().get(reservation.getMetadata().getName());
            String phase = reservation.get("status", "phase");
            if (subject == null || phase == null) {
                return;
            }
            for (Step step : Step.values()) {
                if (step.name().equals(phase.toUpperCase(Locale.ROOT))) {
                    injector.reached(subject.gang(), step);
                }
            }
        }

        @Override
        public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource after) {
            onAdd(after);
        }

        @Override
        public void onDelete(GenericKubernetesResource reservation, boolean unknown) {
            // Everything was done before.
        }
    }

    /** Waits until every gang that can run has run, or the time is up. */
    private void settle(FaultContext context) {
        Instant latest = clock.instant().plus(PATIENCE);
        Instant reported = clock.instant();
        int least = Integer.MAX_VALUE;
        while (clock.instant().isBefore(latest) && !open(context).isEmpty()) {
            int left = open(context).size();
            if (left < least) {
                least = left;
                latest = clock.instant().plus(PATIENCE);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
            if (clock.instant().isAfter(reported.plusSeconds(20))) {
                reported = clock.instant();
                System.out.println(progress(context));
            }
        }
        // The ledgers are written a cycle after the last runs.
        context.until("the last Reservation to be settled", () -> unsettled(context.client()) == 0);
        Instant booked = clock.instant().plus(BOOKED);
        while (clock.instant().isBefore(booked) && held(context.client()) > 0) {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500));
        }
    }

    private void answers(AuditLog audit) {
        Set<String> refused = new HashSet<>();
        audit.entries(entry -> entry.resource().equals("pods/status") && entry.succeeded()).stream()
                .filter(entry ->
                        entry.response().path("status").path("reason").asText().equals("OutOfcpu"))
                .forEach(entry -> refused.add(
                        entry.response().path("metadata").path("uid").asText()));
        story.counted(REFUSED_BY_KUBELETS, refused.size());
        Map<String, Integer> codes = new TreeMap<>();
        audit.entries(entry -> entry.resource().equals("pods/binding") && !entry.succeeded())
                .forEach(entry -> codes.merge("bindings answered " + entry.code(), 1, Integer::sum));
        audit.entries(entry -> entry.resource().startsWith("reservations") && entry.code() == INVALID)
                .forEach(entry -> codes.merge("records refused by a policy", 1, Integer::sum));
        codes.forEach(story::counted);
    }

    private static long held(KubernetesClient client) {
        return account(client, FaultLoad.AMPLE).held()
                + account(client, FaultLoad.TIGHT).held();
    }

    private static long unsettled(KubernetesClient client) {
        return client.genericKubernetesResources(kind("Reservation")).inAnyNamespace().list().getItems().stream()
                .filter(reservation -> List.of("Starting", "Running")
                        .contains(Objects.requireNonNullElse(reservation.<String>get("status", "phase"), "Pending")))
                .count();
    }

    private List<String> open(FaultContext context) {
        return story.gangs().values().stream()
                .filter(subject -> !subject.givenUp())
                .filter(subject -> subject.fate() == Fate.RUNS
                        || (subject.fate() == Fate.RUNS_BY_A_DEADLINE
                                && Objects.requireNonNull(subject.deadline()).isAfter(clock.instant())))
                .map(subject -> subject.gang().name())
                .filter(name -> !context.owner().isDone(name))
                .toList();
    }

    private String progress(FaultContext context) {
        List<String> open = open(context);
        return "%d gangs have still to run: %s"
                .formatted(open.size(), open.stream().limit(10).toList());
    }

    /** Waits for the events, which come one by one, and late if the API server was in trouble. */
    private static void awaitTelling(KubernetesClient client) {
        long[] seen = {-1};
        Awaitility.await("the events to be written")
                .pollInterval(Duration.ofSeconds(5))
                .atMost(Duration.ofMinutes(10))
                .until(() -> {
                    long now = events(client, FaultLoad.AMPLE) + events(client, FaultLoad.TIGHT);
                    boolean same = now == seen[0];
                    seen[0] = now;
                    return same;
                });
    }

    private static long events(KubernetesClient client, String namespace) {
        var one = client.events()
                .v1()
                .events()
                .inNamespace(namespace)
                .list(new ListOptionsBuilder().withLimit(1L).build());
        Long more = one.getMetadata().getRemainingItemCount();
        return one.getItems().size() + (more == null ? 0 : more);
    }

    private static List<Told> told(ControlPlane plane) {
        ListOptions broken = new ListOptionsBuilder()
                .withFieldSelector("reason=WindowBroken")
                .build();
        return ToldCauses.of(
                Stream.of(FaultLoad.AMPLE, FaultLoad.TIGHT)
                        .flatMap(
                                namespace -> plane
                                        .client()
                                        .events()
                                        .v1()
                                        .events()
                                        .inNamespace(namespace)
                                        .list(broken)
                                        .getItems()
                                        .stream())
                        .toList(),
                plane.audit());
    }

    private End end(ControlPlane plane) {
        KubernetesClient client = plane.client();
        Map<String, Account> accounts = new HashMap<>();
        Map<String, String> reasons = new HashMap<>();
        for (String namespace : List.of(FaultLoad.AMPLE, FaultLoad.TIGHT)) {
            accounts.put(namespace, account(client, namespace));
            client.genericKubernetesResources(kind("Reservation")).inNamespace(namespace).list().getItems().stream()
                    .forEach(reservation -> reasons.put(
                            reservation.getMetadata().getName(), String.valueOf(reservation.<Object>get("status"))));
        }
        return new End(clock.instant(), accounts, told(plane), reasons);
    }

    private static Account account(KubernetesClient client, String namespace) {
        GenericKubernetesResource ledger = Objects.requireNonNull(client.genericKubernetesResources(kind("Ledger"))
                .inNamespace(namespace)
                .withName("slotwise")
                .get());
        List<Map<String, Object>> periods = Objects.requireNonNull(ledger.get("spec", "periods"));
        Map<String, Object> period = periods.getFirst();
        return new Account(
                new BigDecimal(String.valueOf(period.get("budget"))),
                exact(period, "exactSpent") - exact(period, "exactOverrun"),
                exact(period, "exactHeld"));
    }

    private static long exact(Map<String, Object> row, String name) {
        return ((Number) Objects.requireNonNull(row.get(name), name)).longValue();
    }

    private static ResourceDefinitionContext kind(String kind) {
        return new ResourceDefinitionContext.Builder()
                .withGroup("slotwise.io")
                .withVersion("v1alpha1")
                .withKind(kind)
                .withPlural(kind.toLowerCase(Locale.ROOT) + "s")
                .withNamespaced(true)
                .build();
    }
}
