package io.slotwise.it;

import static io.slotwise.it.Racks.BLOCK;
import static io.slotwise.it.Racks.HOST;
import static io.slotwise.it.Racks.RACK;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.TestInstance;

/**
 * Gangs whose pods run near each other, on 200 nodes in three levels. They ask for it in Slotwise's words and in those
 * of other projects, and their promises move when nodes go or labels change.
 *
 * <p>Every pool has two hosts in each of some racks. Its cheapest nodes are in different racks, so that only a gang
 * that asks for a rack gets one.
 */
@RealControlPlane(featureGates = {RealControlPlane.POD_GROUPS, RealControlPlane.POD_GROUP_TOPOLOGY})
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class TopologyIT {
    private static final String JOB_SET = "alpha.jobset.sigs.k8s.io/";

    /** The seconds for a start, also next to other tests on a slow machine. */
    static final int LIMIT = 90;

    /** The seconds from the submission to the start of a gang whose promise is disturbed before that. */
    private static final int LATER = 25;

    /** The seconds for which half of each rack is taken. */
    private static final int TAKEN = 25;

    private final Cluster cluster;
    private final Racks racks;
    private final TopologyWords words;

    @AutoClose
    @SuppressWarnings("UnusedVariable") // runs until the end of the tests
    private final RunningChart chart;

    TopologyIT(ControlPlane plane) {
        cluster = new Cluster(plane);
        words = new TopologyWords(cluster, "words");
        racks = Racks.create(cluster, TopologyIT::pool);
        WorkloadController.JOB_SET.start(plane);
        WorkloadController.LEADER_WORKER_SET.start(plane);
        chart = RunningChart.install(
                plane,
                Map.of(
                        "policy.running.turnover",
                        Scenario.TURNOVER.toSeconds() + "s",
                        "policy.planner.cycle",
                        "1s",
                        "policy.gangs.topology.levels",
                        "{" + String.join(",", Racks.LEVELS) + "}"));
    }

    private static String pool(int block, int rack, int pair) {
        return switch (pair) {
            case 1 -> rack == 5 && block == 5 ? "apart" : "asked";
            case 2 -> block <= 3 ? "words" : "exclusive";
            case 3 -> "slices";
            default ->
                block == 5 && rack == 5
                        ? "told"
                        : List.of("near", "far", "patience", "lost", "labels").get(block - 1);
        };
    }

    @StoryTest
    void gangsAreWithinADomainOfTheirLevelOrSpreadOverIt() {
        Scenario asked = new Scenario(cluster, "asked");
        GangSpec free = asked.gang("free", 2, 3000, 600);
        GangSpec host = asked.gang("host", 2, 2000, 600).with("topology", HOST);
        GangSpec rack = asked.gang("rack", 4, 2000, 600).with("topology", RACK);
        GangSpec block = asked.gang("block", 6, 3000, 600).with("topology", BLOCK);
        GangSpec spread = asked.gang("spread", Racks.IN_BLOCK, 500, 600).with("topology", BLOCK);
        GangSpec apart =
                asked.gang("apart", 6, 500, 600).with("topology", BLOCK).with("max-per-node", "1");

        List.of(free, host, rack, block, apart).forEach(cluster::submitAsPods);
        cluster.submitAsPods(spread.throughKubeScheduler(), pod -> spreadOver(RACK, spread, pod));

        List.of(free, host, rack, block, spread, apart).forEach(gang -> asked.awaitWhole(gang, LIMIT));
        assertThat(domains(free, RACK)).hasSize(2);
        assertThat(domains(host, HOST)).hasSize(1);
        assertThat(domains(rack, RACK)).hasSize(1);
        assertThat(domains(rack, HOST)).hasSize(2);
        assertThat(domains(block, BLOCK)).hasSize(1);
        assertThat(domains(block, RACK)).hasSizeGreaterThan(2);
        assertThat(domains(spread, BLOCK)).hasSize(1);
        assertThat(domains(spread, RACK)).hasSize(Racks.IN_BLOCK);
        assertThat(domains(apart, BLOCK)).hasSize(1);
        assertThat(domains(apart, HOST)).hasSize(6);
        assertThat(asked.violations()).isEmpty();
    }

    private static Pod spreadOver(String key, GangSpec gang, Pod pod) {
        return new PodBuilder(pod)
                .editSpec()
                .addNewTopologySpreadConstraint()
                .withMaxSkew(1)
                .withTopologyKey(key)
                .withWhenUnsatisfiable("DoNotSchedule")
                .withNewLabelSelector()
                .addToMatchLabels("slotwise.io/gang", gang.name())
                .endLabelSelector()
                .endTopologySpreadConstraint()
                .endSpec()
                .build();
    }

    /** A pod on each cheap node leaves room for an odd number of pods there. */
    @StoryTest
    void nestedSlicesInOrderOfRankAreInOneDomainEach() {
        Scenario slices = new Scenario(cluster, "slices");
        GangSpec odd = slices.gang("odd", 25, 1000, 600)
                .on(Racks.PRICED, Racks.priced("slices", true))
                .with("max-per-node", "1");
        cluster.submitAsPods(odd);
        slices.awaitWhole(odd, LIMIT);
        GangSpec pods = slices.gang("pods", 12, 1000, 600)
                .with("topology", BLOCK)
                .with("topology-slice", "rack/4, " + HOST + "/2");
        GangSpec job = slices.gang("job", 24, 1000, 600).with("topology-slice", "block/12, rack/6, hostname/3");

        cluster.submitAsPods(pods);
        cluster.submitAsIndexedJob(job);

        slices.awaitWhole(pods, LIMIT);
        slices.awaitWhole(job, LIMIT);
        assertThat(domains(pods, BLOCK)).hasSize(1);
        assertSliced(Racks.byRank(cluster.pods(pods)), RACK, 4);
        assertSliced(Racks.byRank(cluster.pods(pods)), HOST, 2);
        assertSliced(Racks.byRank(cluster.pods(job)), BLOCK, 12);
        assertSliced(Racks.byRank(cluster.pods(job)), RACK, 6);
        assertSliced(Racks.byRank(cluster.pods(job)), HOST, 3);
        assertThat(slices.violations()).isEmpty();
    }

    /** Half of each rack is soon free. Across the racks of the block the gang would take longer than that. */
    @StoryTest
    void aGangWaitsForARackIfDistanceCostsItMoreThanTheWait() {
        Scenario near = new Scenario(cluster, "near");
        Instant free = takeHalfOfEachRack(near, TAKEN);
        GangSpec gang = near.gang("near", 2, 4000, 200)
                .runningFor(5)
                .with("criterion", "finish")
                .with("distance-cost", "rack=1, block=2");

        cluster.submitAsPods(gang);

        assertThat(near.awaitPromise(gang)).isAfterOrEqualTo(free);
        near.awaitWhole(gang, LIMIT);
        assertThat(domains(gang, RACK)).hasSize(1);
        assertThat(promisedRuntime(gang)).isEqualTo(Duration.ofSeconds(200));
        assertThat(near.violations()).isEmpty();
    }

    /** Half of each rack is taken for much longer than the gang takes across the racks of a block. */
    @StoryTest
    void aGangStartsAcrossRacksIfThatCostsItLessThanTheWait() {
        Scenario far = new Scenario(cluster, "far");
        takeHalfOfEachRack(far, 600);
        GangSpec gang = far.gang("far", 2, 4000, 20)
                .with("criterion", "finish")
                .with("distance-cost", "rack=1, block=1.15, cluster=1.6");

        cluster.submitAsPods(gang);

        far.awaitWhole(gang, LIMIT);
        assertThat(domains(gang, RACK)).hasSize(2);
        assertThat(domains(gang, BLOCK)).hasSize(1);
        assertThat(promisedRuntime(gang)).isEqualTo(Duration.ofSeconds(23));
        assertThat(far.violations()).isEmpty();
    }

    @StoryTest
    void aGangWaitsForThePreferredRackAsLongAsItsPatienceAllows() {
        Scenario patience = new Scenario(cluster, "patience");
        Instant free = takeHalfOfEachRack(patience, TAKEN);
        GangSpec hasty = patience.gang("hasty", 2, 4000, 600)
                .with("topology-preferred", RACK)
                .with("topology-patience", "1s");
        GangSpec patient = patience.gang("patient", 2, 4000, 600)
                .with("topology-preferred", RACK)
                .with("topology-patience", "20%");

        cluster.submitAsPods(hasty);
        cluster.submitAsPods(patient);

        patience.awaitWhole(hasty, LIMIT);
        assertThat(patience.awaitPromise(patient)).isAfterOrEqualTo(free);
        assertThat(domains(hasty, RACK)).hasSize(2);
        patience.awaitWhole(patient, LIMIT);
        assertThat(domains(patient, RACK)).hasSize(1);
        assertThat(patience.violations()).isEmpty();
    }

    /** Starts a gang on the cheap host of each rack, and returns the end of its window. */
    private Instant takeHalfOfEachRack(Scenario scenario, int seconds) {
        GangSpec half = scenario.gang(scenario.namespace() + "-half", Racks.IN_BLOCK, 4000, seconds)
                .on(Racks.PRICED, Racks.priced(scenario.namespace(), true));
        cluster.submitAsPods(half);
        scenario.awaitWhole(half, LIMIT);
        return window(half, "end");
    }

    /** Each gang has four pods of half a node, or two slices of four. */
    @StoryTest
    void gangsInTheWordsOfOtherProjectsAreInTheirDomains() {
        words.submit();

        assertThat(Set.copyOf(racks.domains(words.awaitBound("free", 4), RACK)))
                .as("racks without a level")
                .hasSize(2);
        for (String gang : List.of("required", "preferred", "kai", "hard", "soft", "native")) {
            assertSliced(words.awaitBound(gang, 4), RACK, 4);
        }
        assertSliced(words.awaitBound("sliced", 8), BLOCK, 8);
        assertSliced(words.awaitBound("sliced", 8), RACK, 4);
        assertSliced(words.awaitBound("layered", 8), RACK, 4);
        assertSliced(words.awaitBound("layered", 8), HOST, 2);
    }

    /** Both hosts of one rack are labelled for the Job, and the cheap hosts of the others. */
    @StoryTest
    void jobsAndGroupsWithExclusiveTopologyAreInRacksOfTheirOwn() {
        for (int rack = 1; rack <= Racks.IN_BLOCK; rack++) {
            cluster.label("b4-r%d-h3".formatted(rack), JOB_SET + "namespaced-job", "job-set_set-workers-0");
        }
        cluster.label("b4-r3-h4", JOB_SET + "namespaced-job", "job-set_set-workers-0");

        ControlledWorkload oneJob = jobSet("job-set", ", %snode-selector: \"true\"".formatted(JOB_SET), 1, 2);
        ControlledWorkload manyJobs = jobSet("job-sets", "", 3, 1);
        ControlledWorkload groups = ControlledWorkload.create(
                cluster, "groups", 0, """
                apiVersion: leaderworkerset.x-k8s.io/v1
                kind: LeaderWorkerSet
                metadata: {name: s, annotations: {leaderworkerset.sigs.k8s.io/exclusive-topology: %s}}
                spec:
                  replicas: 2
                  leaderWorkerTemplate:
                    size: 2
                    workerTemplate: %s
                """.formatted(RACK, ControlledWorkload.template("exclusive", "")));

        oneJob.awaitPods(2, Set.of());
        manyJobs.awaitPods(3, Set.of());
        groups.awaitPods(4, Set.of());
        assertThat(racks.domains(oneJob.pods(), RACK)).containsOnly("b4/r3");
        assertThat(racks.domains(manyJobs.pods(), RACK)).doesNotHaveDuplicates();
        List<String> ofGroups = new ArrayList<>();
        for (String group : List.of("0", "1")) {
            Set<String> domains =
                    Set.copyOf(racks.domains(groups.pods("leaderworkerset.sigs.k8s.io/group-index", group), RACK));
            assertThat(domains).as("racks of group %s", group).hasSize(1);
            ofGroups.addAll(domains);
        }
        assertThat(ofGroups).doesNotHaveDuplicates();
    }

    private ControlledWorkload jobSet(String namespace, String annotations, int jobs, int pods) {
        return ControlledWorkload.create(cluster, namespace, 0, """
                apiVersion: jobset.x-k8s.io/v1alpha2
                kind: JobSet
                metadata: {name: set, annotations: {%sexclusive-topology: %s%s}}
                spec:
                  replicatedJobs:
                    - name: workers
                      replicas: %d
                      template: {spec: {parallelism: %d, completions: %d, backoffLimit: 0, template: %s}}
                """.formatted(
                        JOB_SET, RACK, annotations, jobs, pods, pods, ControlledWorkload.template("exclusive", "")));
    }

    @StoryTest
    void aGangWhoseNodeGoesIsPromisedAnotherRack() {
        Scenario lost = new Scenario(cluster, "lost");
        GangSpec gang = later(lost.gang("lost", 4, 2000, 600)).with("topology", RACK);
        cluster.submitAsPods(gang);
        lost.awaitPromise(gang);
        String gone = cluster.promisedNode(gang, "lost-2");

        cluster.client().nodes().withName(gone).delete();

        awaitOtherRack(gang, gone);
        lost.awaitWhole(gang, LIMIT);
        assertThat(domains(gang, RACK)).hasSize(1);
        lost.awaitEvent("WindowBroken", event -> assertThat(event).contains("node-lost"));
        assertThat(lost.violations()).isEmpty();
    }

    @StoryTest
    void aGangWhoseRackIsTornByLabelsIsPromisedAnotherRack() {
        Scenario labels = new Scenario(cluster, "labels");
        GangSpec moved = later(labels.gang("moved", 2, 4000, 600)).with("topology", RACK);
        GangSpec bared = later(labels.gang("bared", 2, 4000, 600)).with("topology", RACK);
        cluster.submitAsPods(moved);
        cluster.submitAsPods(bared);
        labels.awaitPromise(moved);
        labels.awaitPromise(bared);
        String other = cluster.promisedNode(moved, "moved-1");
        Collection<String> bare = cluster.promisedNodes(bared).values();

        cluster.label(other, RACK, "r9");
        bare.forEach(node -> cluster.label(node, RACK, null));

        awaitOtherRack(moved, other);
        bare.forEach(node -> awaitOtherRack(bared, node));
        labels.awaitWhole(moved, LIMIT);
        labels.awaitWhole(bared, LIMIT);
        assertThat(domains(moved, RACK)).hasSize(1);
        assertThat(domains(bared, RACK)).hasSize(1).noneMatch(rack -> rack.startsWith("only"));
        assertThat(labels.violations()).isEmpty();
    }

    @StoryTest
    void aGangWhoseOnlyRackIsTornIsToldAndStartsOnceItIsWhole() {
        Scenario told = new Scenario(cluster, "told");
        GangSpec gang = later(told.gang("told", 2, 4000, 600)).with("topology", RACK);
        cluster.submitAsPods(gang);
        told.awaitPromise(gang);

        cluster.label("b5-r5-h8", RACK, "r9");

        told.awaitPending(gang, "NoWindow", "of one cloud.example/rack take 1", LIMIT);
        assertThat(cluster.boundPods(gang)).isZero();
        cluster.label("b5-r5-h8", RACK, "r5");
        told.awaitWhole(gang, LIMIT);
        assertThat(domains(gang, RACK)).hasSize(1);
        assertThat(told.violations()).isEmpty();
    }

    @StoryTest
    void aGangWhoseNodesAreFurtherApartIsPromisedALongerWindow() {
        Scenario apart = new Scenario(cluster, "apart");
        GangSpec gang = later(apart.gang("further", 2, 4000, 40)).with("distance-cost", "rack=1, block=1.5");
        cluster.submitAsPods(gang);
        apart.awaitPromise(gang);
        assertThat(promisedRuntime(gang)).isEqualTo(Duration.ofSeconds(40));

        cluster.label("b5-r5-h2", RACK, "r9");

        Scenario.within("a longer window", LIMIT)
                .untilAsserted(() -> assertThat(promisedRuntime(gang)).isEqualTo(Duration.ofSeconds(60)));
        apart.awaitWhole(gang, LIMIT);
        assertThat(domains(gang, RACK)).hasSize(2);
        assertThat(apart.violations()).isEmpty();
    }

    private static GangSpec later(GangSpec gang) {
        return gang.with("earliest-start", Scenario.in(LATER).toString());
    }

    /** Waits until all pods of a gang are promised nodes of one rack without this one. */
    private void awaitOtherRack(GangSpec gang, String without) {
        Scenario.within(gang.name() + " to be promised another rack", LIMIT).untilAsserted(() -> {
            Collection<String> nodes = cluster.promisedNodes(gang).values();
            assertThat(nodes).hasSize(gang.size()).doesNotContain(without);
            assertThat(Set.copyOf(racks.domainsOf(nodes, RACK))).hasSize(1);
        });
    }

    private Set<String> domains(GangSpec gang, String level) {
        return Set.copyOf(racks.domains(cluster.pods(gang), level));
    }

    private Instant window(GangSpec gang, String moment) {
        return Instant.parse(Objects.requireNonNull(
                Objects.requireNonNull(cluster.reservation(gang)).<String>get("spec", "window", moment)));
    }

    private Duration promisedRuntime(GangSpec gang) {
        return Duration.between(window(gang, "start"), window(gang, "end"));
    }

    /** Asserts that of pods in order of rank each {@code size} are in one domain. */
    private void assertSliced(List<Pod> pods, String level, int size) {
        List<String> domains = racks.domains(pods, level);
        for (int from = 0; from < pods.size(); from += size) {
            assertThat(domains.subList(from, from + size))
                    .as("domains of %s", pods.get(from).getMetadata().getName())
                    .containsOnly(domains.get(from));
        }
    }
}
