package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.slotwise.it.ApiProxy.Turn;
import io.slotwise.it.RunChecker.Disturbance;
import io.slotwise.it.faults.Ballast;
import io.slotwise.it.faults.ClockAgent;
import io.slotwise.it.faults.SteppedClock;
import io.slotwise.testing.ClientKeys;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.IntStream;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/**
 * Faults that are too large or too slow for an episode of {@code FaultsIT}: a clock step of an hour, a full heap, 2,000
 * foreign pods, a refusing disruption budget, definitions of another version. The keys of the pod's kube-scheduler live
 * for only six seconds meanwhile. Continuous integration runs this class with {@code -Dslotwise.hard-times=true}. A
 * {@link Seed} selects order and victims.
 */
@EnabledIfSystemProperty(named = "slotwise.hard-times", matches = "true")
@RealControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class HardTimesIT {
    private static final String URGENT = "it-hard-urgent";
    private static final int FOREIGN = 2000;
    /** The number of flooded nodes, of 24. */
    private static final int FLOODED = 18;

    private static final int LEFT_MIB = 24;

    private static final String OLDER_POLICY = """
            turnover: 3s
            cycle: 2s
            min-run: 5s
            """;

    private final ControlPlane plane;
    private final Cluster cluster;
    private final Installation chart;
    private final ApiProxy proxy;
    private final SteppedClock clock;
    private final Ballast ballast;
    private final SlotwiseProcess slotwise;
    private final KubeScheduler scheduler;
    private final SSLContext firstKeys;

    HardTimesIT(ControlPlane plane) {
        this.plane = plane;
        cluster = new Cluster(plane);
        chart = Installation.install(
                plane,
                Map.of("policy.running.turnover", "3s", "policy.planner.cycle", "2s", "policy.running.min-run", "5s"));
        chart.awaitGate();
        cluster.priorityClass(URGENT, 1000);
        proxy = new ApiProxy(plane, 1);
        Path time = plane.folder().resolve("hard-clock");
        Path heap = plane.folder().resolve("hard-heap");
        clock = new SteppedClock(time);
        ballast = new Ballast(heap);
        slotwise = chart.slotwise(
                proxy.url(),
                Map.of("SLOTWISE_EXTENDER_POD_KEY_LIFETIME", "6s"),
                List.of(
                        ClockAgent.option(plane.folder(), time),
                        Ballast.option(plane.folder(), heap),
                        "-XX:+ExitOnOutOfMemoryError"));
        slotwise.writeKeys();
        firstKeys = ClientKeys.in(keys());
        slotwise.start();
        scheduler = chart.startScheduler(slotwise.extender());
    }

    @AfterAll
    void stop() {
        scheduler.close();
        slotwise.close();
        proxy.close();
    }

    private Path keys() {
        return Objects.requireNonNull(slotwise.extender().keys());
    }

    private void startsSoon(Scenario scenario, GangSpec gang) {
        cluster.submitAsPods(gang);
        scenario.awaitWhole(gang, 40);
    }

    @Test
    @Order(1)
    void gangsStartThroughKubeSchedulerWhileItsKeyIsRenewed() throws Exception {
        Scenario scenario = new Scenario(cluster, "renewed").withNodes(4);
        String first = Files.readString(keys().resolve("tls.crt"));

        Seed seed = new Seed("renewed");
        for (int i = 0; i < 6; i++) {
            startsSoon(scenario, scenario.gang("g" + i, seed.from(1, 4), 500, 5).throughKubeScheduler());
        }
        Scenario.within("another key", 20)
                .until(() -> !Files.readString(keys().resolve("tls.crt")).equals(first));
        startsSoon(scenario, scenario.gang("last", 3, 500, 5).throughKubeScheduler());

        assertThat(scenario.violations()).isEmpty();
        Scenario.within("the first key to be nobody's", 20)
                .untilAsserted(
                        () -> assertThatThrownBy(this::askWithTheFirstKey).isInstanceOf(IOException.class));
    }

    private void askWithTheFirstKey() throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newBuilder().sslContext(firstKeys).build()) {
            var _ = client.send(
                    HttpRequest.newBuilder(URI.create(slotwise.extender().url() + "/scheduler/v1/filter"))
                            .POST(BodyPublishers.ofString("{}"))
                            .build(),
                    BodyHandlers.ofString());
        }
    }

    @Test
    @Order(2)
    void aDisruptionBudgetThatRefusesKeepsTheWholeGangForAWhile() {
        Scenario scenario = new Scenario(cluster, "refusing").withNodes(3);
        Seed seed = new Seed("refusing");
        int size = seed.from(2, 3);
        GangSpec low = scenario.gang("low", size, 4000, 600).stoppingIn(1);
        GangSpec filling = scenario.gang("filling", 3 - size, 4000, 600).ofClass(URGENT);
        if (filling.size() > 0) {
            cluster.submitAsPods(filling);
            scenario.awaitWhole(filling, 60);
        }
        cluster.submitAsIndexedJob(low);
        scenario.awaitWhole(low, 60);
        int runs = seed.from(6, 9);
        Scenario.within("the gang to have run for a while", 20)
                .until(() -> Scenario.now().isAfter(startOf(low).plusSeconds(runs)));

        proxy.treat((_, path) -> path.endsWith("/eviction") ? Turn.PUT_OFF : Turn.PASSES);
        GangSpec high = scenario.gang("high", seed.from(1, size), 4000, 20)
                .runningFor(8)
                .stoppingIn(1)
                .ofClass(URGENT);
        cluster.submitAsJob(high);
        Scenario.within("the refusal to be told", 40)
                .untilAsserted(() -> assertThat(cluster.events("refusing", "EvictionRefused"))
                        .anySatisfy(note -> assertThat(note)
                                .contains("has to make room and cannot be evicted now")
                                .contains("the whole gang keeps running")));
        assertThat(running(low)).as("pods of the gang that is kept").isEqualTo(size);
        assertThat(cluster.boundPods(high)).isZero();
        proxy.release();

        scenario.awaitWhole(high, 90);
    }

    /** The start of the gang's last pod, or {@code Instant#MAX} if a pod does not run yet. */
    private Instant startOf(GangSpec gang) {
        return cluster.pods(gang).stream()
                .map(pod -> pod.getStatus().getStartTime())
                .map(start -> start == null ? Instant.MAX : Instant.parse(start))
                .max(Instant::compareTo)
                .orElseThrow();
    }

    private long running(GangSpec gang) {
        return cluster.pods(gang).stream()
                .filter(pod -> pod.getSpec().getNodeName() != null
                        && pod.getMetadata().getDeletionTimestamp() == null
                        && "Running".equals(pod.getStatus().getPhase()))
                .count();
    }

    @Test
    @Order(3)
    void anHoursStepOfTheClockStopsNothing() {
        Scenario scenario = new Scenario(cluster, "hours").withNodes(6);
        GangSpec runner = scenario.gang("runner", 2, 1000, 3000);
        startsSoon(scenario, runner);

        Seed seed = new Seed("hours");
        for (int hours : seed.shuffled(List.of(1, -1))) {
            String name = hours > 0 ? "ahead" : "behind";
            clock.step(Duration.ofHours(hours).plusSeconds(seed.from(-900, 900)));
            startsSoon(scenario, scenario.gang(name, 2, 1000, 5));
            startsSoon(scenario, scenario.gang(name + "-asked", 2, 1000, 5).throughKubeScheduler());
            clock.step(Duration.ZERO);
            startsSoon(scenario, scenario.gang(name + "-back", 2, 1000, 5));
            assertThat(running(runner)).as("pods of the gang that runs").isEqualTo(2);
            Scenario.within("the replica to be ready and to lead", 60)
                    .until(() -> slotwise.isReady() && slotwise.metric("slotwise_leader") == 1);
        }
        assertThat(cluster.events("hours", "WindowBroken")).isEmpty();
    }

    @Test
    @Order(4)
    void aHeapThatIsFullCostsNoGangItsStart() {
        Scenario scenario = new Scenario(cluster, "full").withNodes(10);
        List<GangSpec> gangs = new ArrayList<>();
        Instant from = Scenario.now();

        Seed seed = new Seed("full");
        ballast.leave(seed.from(LEFT_MIB - 6, LEFT_MIB + 6) << 20);
        for (int i = 0; i < 20; i++) {
            GangSpec gang = scenario.gang("g%02d".formatted(i), seed.from(1, 4), 1000, 5);
            gangs.add(gang);
            cluster.submitAsPods(gang);
        }
        Scenario.within("the heap to be full, and the program to go on or to end", 30)
                .until(() -> !slotwise.isReady() || slotwise.metric("slotwise_leader") == 1);
        ballast.leave(0);
        if (!slotwise.isReady()) {
            // Restarts Slotwise as the kubelet does.
            slotwise.kill();
            slotwise.start();
        }

        gangs.forEach(gang -> scenario.awaitWhole(gang, 90, slotwise::revive));
        assertThat(scenario.violations(new Disturbance(from, Scenario.now()))).isEmpty();
    }

    /**
     * Two replicas lead in turns while gangs come. Under the older definitions the API server drops from stored objects
     * and answers every field that the older version does not know. The leader of that time thus reads and writes what
     * the older version would, and the next leader finds it. If an older jar is given, the second replica runs it.
     */
    @Test
    @Order(5)
    void definitionsOfAnotherVersionLoseNoGangWhileReplicasLeadInTurns() throws IOException {
        Scenario scenario = new Scenario(cluster, "versions").withNodes(10);
        CustomResourceDefinition newer = plane.client()
                .apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName("reservations.slotwise.io")
                .get();
        CustomResourceDefinition older;
        try (InputStream in = Objects.requireNonNull(getClass().getResourceAsStream("older-reservations.yaml"))) {
            older = plane.client().getKubernetesSerialization().unmarshal(in, CustomResourceDefinition.class);
        }
        List<GangSpec> gangs = new ArrayList<>();
        Instant from = Scenario.now();

        Seed seed = new Seed("versions");
        int olderCome = seed.from(1, 5);
        int newerCome = seed.from(8, 11);
        int firstLeads = seed.from(5, 8);
        int secondLeads = seed.from(15, 20);
        try (SlotwiseProcess other = otherReplica()) {
            for (int i = 0; i < 24; i++) {
                if (i % 12 == olderCome || i % 12 == newerCome) {
                    define(i % 12 == olderCome ? older : newer);
                }
                GangSpec gang = scenario.gang("g%02d".formatted(i), seed.from(1, 4), 1000, 6);
                gangs.add(seed.from(0, 2) == 0 ? gang.throughKubeScheduler() : gang);
                cluster.submitAsPods(gangs.getLast());
                if (i == firstLeads) {
                    slotwise.kill();
                    awaitLeading(other);
                    slotwise.start();
                } else if (i == secondLeads) {
                    other.kill();
                    awaitLeading(slotwise);
                }
                Instant next = Scenario.now().plusSeconds(1);
                Scenario.awaitClock(next);
            }
            define(newer);
            gangs.forEach(gang -> scenario.awaitWhole(gang, 60));
        }
        assertThat(scenario.violations(new Disturbance(from, Scenario.now()))).isEmpty();
    }

    /** A replica of an older version if {@code -Dslotwise.older.jar} names its {@code quarkus-run.jar}. */
    private SlotwiseProcess otherReplica() {
        SlotwiseProcess other = chart.slotwise(plane.url(), Map.of(), List.of());
        String older = System.getProperty("slotwise.older.jar", "");
        if (!older.isEmpty()) {
            // The older chart's policy: a program stops at a key that it does not know.
            other.from(Path.of(older)).under(plane.write("older-policy.yaml", OLDER_POLICY));
        }
        other.start();
        return other;
    }

    private static void awaitLeading(SlotwiseProcess replica) {
        Scenario.within("the replica to lead", 40).until(() -> replica.metric("slotwise_leader") == 1);
    }

    private void define(CustomResourceDefinition definition) {
        plane.client()
                .apiextensions()
                .v1()
                .customResourceDefinitions()
                .withName("reservations.slotwise.io")
                .edit(known -> {
                    known.setSpec(definition.getSpec());
                    return known;
                });
    }

    @Test
    @Order(6)
    void thousandsOfForeignPodsInPromisedRoomMoveOnlyThePromise() {
        Scenario scenario = new Scenario(cluster, "crowded").withNodes(24);
        Instant earliest = Scenario.in(60);
        Seed seed = new Seed("crowded");
        GangSpec promised =
                scenario.gang("promised", seed.from(2, 5), 3000, 20).with("earliest-start", earliest.toString());
        cluster.submitAsPods(promised);
        scenario.awaitPromise(promised);
        List<String> rooms = List.copyOf(cluster.promisedNodes(promised).values());
        // The foreign pods take more than a kubelet would accept, and take almost all other nodes.
        List<String> flooded = new ArrayList<>(rooms);
        seed.shuffled(IntStream.rangeClosed(1, 24).mapToObj(scenario::node).toList()).stream()
                .filter(node -> !rooms.contains(node))
                .limit(FLOODED - rooms.size())
                .forEach(flooded::add);

        IntStream.range(0, FOREIGN)
                .parallel()
                .forEach(i -> plane.client()
                        .resource(foreign("f%04d".formatted(i), flooded.get(i % flooded.size())))
                        .create());
        GangSpec honest = scenario.gang("honest", 2, 2000, 10);
        startsSoon(scenario, honest);

        scenario.awaitWhole(promised, 150);
        assertThat(cluster.pods(promised).stream().map(pod -> pod.getSpec().getNodeName()))
                .doesNotContainAnyElementsOf(flooded);
        assertThat(cluster.events("crowded", "WindowBroken"))
                .anySatisfy(note -> assertThat(note).contains("room-taken"));
        assertThat(slotwise.metric("slotwise_cycle_failures_total")).isZero();
    }

    private static Pod foreign(String name, String node) {
        return new PodBuilder(Workload.pod("crowded", name, "somebody", 40, 8))
                .editSpec()
                .withNodeName(node)
                .endSpec()
                .build();
    }
}
