package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/**
 * A Slotwise whose policy file changes while it serves. Proves an effect on the plan for each policy.
 *
 * <p>All gangs have one pod that takes three quarters of a node of four cores for ten minutes, and start at T, two
 * hours from now, or later. A pool has up to three nodes:
 * <pre>
 *  node    price per hour  free from     cost of a gang
 *  dear    2.00            T             0.75 x 2.00 x 600/3600 = 0.25
 *  middle  1.50            T + 5 min     0.1875
 *  cheap   1.00            T + 10 min    0.125
 * </pre>
 *
 * <p>The earliest window is thus {@code dear} at T, the cheapest is {@code cheap} at T + 10 min, and the most expensive
 * within 0.2 is {@code middle} at T + 5 min. Gangs first wait under a policy whose horizon ends before T. Then the file
 * alone changes. Their promises are therefore the effect of the new policy, and all gangs are planned in the same
 * cycle.
 */
@RealControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PolicyReloadIT {
    private static final String ALWAYS =
            "preset: paper\nplanner.cycle: 1s\nplanner.collect: 1s\nrunning.turnover: 0s\n";
    private static final String CLOSED = ALWAYS + "planner.horizon: 1h\n";
    private static final int TEN_MINUTES = 600;

    private final ControlPlane plane;
    private final Cluster cluster;
    private final SlotwiseProcess slotwise;
    private final KubeScheduler scheduler;
    private final Instant t = Scenario.in(7200).truncatedTo(ChronoUnit.MINUTES);
    private final List<Scenario> scenarios = new ArrayList<>();

    PolicyReloadIT(ControlPlane plane) {
        this.plane = plane;
        this.cluster = new Cluster(plane);
        Installation chart = Installation.install(plane, Map.of("policy.running.turnover", "3s"));
        slotwise = chart.startSlotwise();
        scheduler = chart.startScheduler(slotwise.extender());
    }

    @BeforeAll
    void bringTheShortPaceAbout() {
        write(CLOSED);
        Scenario.within("the first new policy to be in force", 20)
                .until(() -> slotwise.metric("slotwise_policy_reloads_total") == 1);
    }

    @BeforeEach
    void close() {
        write(CLOSED);
    }

    /** Deletes all gangs. Limits count promises, too, so none may be left for the next test. */
    @AfterEach
    void clear() {
        for (Scenario scenario : scenarios) {
            cluster.client()
                    .pods()
                    .inNamespace(scenario.namespace())
                    .withGracePeriod(0)
                    .delete();
            Scenario.within("the Reservations to go", 30)
                    .untilAsserted(() -> assertThat(cluster.reservations(scenario.namespace()))
                            .isEmpty());
        }
        scenarios.clear();
    }

    @AfterAll
    void stop() {
        scheduler.close();
        slotwise.close();
    }

    @Test
    void theCriterionIsThatOfGangsThatStateNoneAndPromisesStand() {
        double broken = slotwise.metric("slotwise_promises_broken_total");
        Scenario pool = pool("criterion");
        GangSpec early = submit(pool, "early");
        write(ALWAYS);
        assertPromised(early, "dear", t, "cyclic", "start");

        close();
        GangSpec usual = submit(pool, "usual");
        GangSpec stated = submit(pool, "stated", "criterion", "start");
        write(ALWAYS + "gangs.criterion: cost\n");

        assertPromised(usual, "cheap", t.plusSeconds(600), "cyclic", "cost");
        assertPromised(stated, "middle", t.plusSeconds(300), "cyclic", "start");
        assertPromised(early, "dear", t, "cyclic", "start");
        assertThat(slotwise.metric("slotwise_promises_broken_total")).isEqualTo(broken);
    }

    @Test
    void theObjectiveGoesBeforeTheGangsOwnCriterion() {
        Scenario pool = pool("objective");
        GangSpec gang = submit(pool, "g");

        write(ALWAYS + "batch.objective: min-cost\n");

        assertPromised(gang, "cheap", t.plusSeconds(600), "cyclic", "start");
    }

    @Test
    void theLimitBoundsTheObjective() {
        Scenario pool = pool("limit");
        GangSpec gang = submit(pool, "g");

        write(ALWAYS + "batch.objective: max-income\nbatch.limit: {cost: 0.2}\n");

        assertPromised(gang, "middle", t.plusSeconds(300), "cyclic", "start");
    }

    /**
     * With the nodes {@code dear} at T and {@code cheap} at T + 5 min. Together, the gangs' earliest alternatives
     * alternate: the first gets {@code dear} at T, T + 10 min, ..., the second {@code cheap} at T + 5 min, T + 15 min,
     * ..., and each takes its cheapest. Alone, the first finds those of both nodes and takes {@code cheap} at T + 5
     * min. The second finds the rest and takes {@code cheap} when the first one ends.
     */
    @Test
    void subBatchesArePlannedOneAfterTheOther() {
        Scenario together = new Scenario(cluster, "one-batch");
        Scenario apart = new Scenario(cluster, "two-batches");
        for (Scenario pool : List.of(together, apart)) {
            scenarios.add(pool);
            node(pool, "dear", "2.00", t);
            node(pool, "cheap", "1.00", t.plusSeconds(300));
        }
        String cheapest = ALWAYS + "batch.objective: min-cost\n";

        GangSpec first = submit(together, "first");
        GangSpec second = submit(together, "second");
        write(cheapest);

        assertPromised(first, "dear", t, "cyclic", "start");
        assertPromised(second, "cheap", t.plusSeconds(300), "cyclic", "start");

        clear();
        close();
        first = submit(apart, "first");
        second = submit(apart, "second");
        write(cheapest + "study.sub-batches: 2\n");

        assertPromised(first, "cheap", t.plusSeconds(300), "cyclic", "start");
        assertPromised(second, "cheap", t.plusSeconds(900), "cyclic", "start");
    }

    @Test
    void withoutACyclicPartGangsAreBackfilledToTheEarliestStart() {
        Scenario pool = pool("cyclic-fraction");
        GangSpec gang = submit(pool, "g");

        write(ALWAYS + "gangs.criterion: cost\nstudy.cyclic-fraction: 0\n");

        assertPromised(gang, "dear", t, "backfill", "cost");
    }

    /**
     * Alone, each gang's best window is {@code dear} at T for 0.25. The first gang gets it. The second gang gets the
     * window of the most similar cost: {@code dear} when the first one ends, although {@code middle} would be free five
     * minutes before.
     */
    @Test
    void anticipationGivesTheWindowNearestToTheGangsBestAlone() {
        Scenario pool = pool("anticipation");
        GangSpec first = submit(pool, "first");
        GangSpec second = submit(pool, "second");

        write(ALWAYS + "study.anticipation: linear\nstudy.anticipation-criteria: [cost]\n");

        assertPromised(first, "dear", t, "cyclic", "start");
        assertPromised(second, "dear", t.plusSeconds(600), "cyclic", "start");
    }

    @Test
    void theModePlacesGangsOnlineByThePolicysWeights() {
        Scenario pool = pool("mode");
        GangSpec gang = submit(pool, "g");

        write(ALWAYS
                + "study.mode: emct\nrunning.migration.domain-key: kubernetes.io/hostname\n"
                + "study.weights: {time: 0, cost: 1, fragmentation: 0}\n");

        assertPromised(gang, "cheap", t.plusSeconds(600), "online", "start");

        close();
        GangSpec next = submit(pool, "next");
        write(ALWAYS
                + "study.mode: emct\nrunning.migration.domain-key: kubernetes.io/hostname\n"
                + "study.weights: {time: 1, cost: 0, fragmentation: 0}\n");

        assertPromised(next, "dear", t, "online", "start");
    }

    @Test
    void anInvalidFileLeavesThePolicyBeforeItInForce() {
        Scenario pool = pool("invalid");
        write(ALWAYS + "gangs.criterion: cost\n");
        GangSpec before = submitUnderAnyPolicy(pool, "before");
        assertPromised(before, "cheap", t.plusSeconds(600), "cyclic", "cost");
        double reloads = slotwise.metric("slotwise_policy_reloads_total");

        write(ALWAYS + "gangs.criterion: cheapest\nbatch.objective: max-income\n");
        Scenario.within("the metric to tell of the file", 10)
                .until(() -> slotwise.metric("slotwise_policy_invalid") == 1);
        GangSpec meanwhile = submitUnderAnyPolicy(pool, "meanwhile");

        assertPromised(meanwhile, "cheap", t.plusSeconds(1200), "cyclic", "cost");
        assertThat(slotwise.isReady()).isTrue();
        assertThat(slotwise.metric("slotwise_policy_reloads_total")).isEqualTo(reloads);
        assertThat(logged("policy.yaml, line 5: `gangs.criterion` (cheapest) is not valid: "
                        + "expected one of start, finish"))
                .hasSize(1);

        write(ALWAYS + "gangs.criterion: start\n");
        Scenario.within("the metric to tell that it is mended", 10)
                .until(() -> slotwise.metric("slotwise_policy_invalid") == 0);
        GangSpec after = submitUnderAnyPolicy(pool, "after");

        assertPromised(after, "dear", t, "cyclic", "start");
        assertThat(logged("is active: gangs.criterion: cost -> start")).hasSize(1);
    }

    /** The stock kube-scheduler starts what a later policy has placed. */
    @Test
    void aGangOfANewPolicyStarts() {
        Scenario pool = new Scenario(cluster, "starts").withNodes(2);
        scenarios.add(pool);
        write(ALWAYS + "study.mode: emct\n");

        GangSpec gang = pool.gang("g", 2, 3000, 20).runningFor(5);
        cluster.submitAsPods(gang);

        pool.awaitWhole(gang, 40);
        assertThat(via(gang)).isEqualTo("online");
    }

    private Scenario pool(String name) {
        Scenario pool = new Scenario(cluster, name);
        scenarios.add(pool);
        node(pool, "dear", "2.00", t);
        node(pool, "middle", "1.50", t.plusSeconds(300));
        node(pool, "cheap", "1.00", t.plusSeconds(600));
        return pool;
    }

    private void node(Scenario pool, String name, String price, Instant freeFrom) {
        Instant longAgo = t.minus(1, ChronoUnit.DAYS);
        cluster.node(
                pool.namespace() + "-" + name,
                4,
                price,
                pool.namespace(),
                Map.of("slotwise.io/unavailable", longAgo + "/" + freeFrom));
    }

    /** Submits a gang and waits until the present policy has refused it, since its horizon ends before T. */
    private GangSpec submit(Scenario pool, String name, String... annotation) {
        GangSpec gang = submitUnderAnyPolicy(pool, name, annotation);
        pool.awaitPending(gang, "NoWindow", 15);
        return gang;
    }

    private GangSpec submitUnderAnyPolicy(Scenario pool, String name, String... annotation) {
        GangSpec gang = pool.gang(name, 1, 3000, TEN_MINUTES).with("earliest-start", t.toString());
        gang = annotation.length == 0 ? gang : gang.with(annotation[0], annotation[1]);
        cluster.submitAsPods(gang);
        return gang;
    }

    private void write(String policy) {
        plane.write("policy.yaml", policy);
    }

    private void assertPromised(GangSpec gang, String node, Instant start, String via, String criterion) {
        Scenario.within("gang " + gang.name() + " to be promised " + node, 15).untilAsserted(() -> {
            assertThat(cluster.phase(gang))
                    .as(cluster.condition(gang, "Planned"))
                    .isEqualTo("Promised");
            assertThat(cluster.promisedNode(gang, gang.name() + "-0")).isEqualTo(gang.namespace() + "-" + node);
            assertThat(cluster.promisedStart(gang)).isEqualTo(start.toString());
            assertThat(via(gang)).isEqualTo(via);
            assertThat(reservation(gang).<String>get("spec", "criterion")).isEqualTo(criterion);
        });
    }

    private String via(GangSpec gang) {
        return Objects.requireNonNull(reservation(gang).get("spec", "via"));
    }

    private GenericKubernetesResource reservation(GangSpec gang) {
        return Objects.requireNonNull(cluster.reservation(gang), gang.name());
    }

    private List<String> logged(String words) {
        try (var lines = Files.lines(plane.logs().resolve("slotwise-1.log"))) {
            return lines.filter(line -> line.contains(words)).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
