package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;

/**
 * Gangs with host ports, affinity, anti-affinity or spread, with the chart's kube-scheduler. Proves that each gang
 * starts whole on the nodes of its first promise, or is refused for its reason.
 */
@RealControlPlane
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PodRulesIT {
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final String HOST = "kubernetes.io/hostname";

    private final Cluster cluster;
    private final SlotwiseProcess slotwise;
    private final KubeScheduler scheduler;

    PodRulesIT(ControlPlane plane) {
        cluster = new Cluster(plane);
        Installation chart = Installation.install(plane, Map.of("policy.running.turnover", "3s"));
        chart.awaitGate();
        slotwise = chart.startSlotwise();
        scheduler = chart.startScheduler(slotwise.extender());
    }

    @AfterAll
    void stop() {
        scheduler.close();
        slotwise.close();
    }

    @StoryTest
    void podsThatExcludeEachOtherFromTheirZonesStartInThree() {
        Scenario scenario = inZones("zone-each", "a", "a", "b", "c");
        GangSpec gang = scenario.gang("g", 3, 500, 20);

        submit(gang, apart(ZONE, "g"));

        assertStartsAsPromised(scenario, gang);
        assertThat(zones(gang)).containsExactlyInAnyOrder("a", "b", "c");
    }

    @StoryTest
    void podsThatExcludeEachOtherFromTheirZonesAreRefusedWhereThereAreTwo() {
        Scenario scenario = inZones("zone-short", "a", "a", "b");
        GangSpec gang = scenario.gang("g", 3, 500, 20);

        submit(gang, apart(ZONE, "g"));

        assertIsRefused(scenario, gang, "required pod anti-affinity (topology.kubernetes.io/zone)");
    }

    @StoryTest
    void twoPodsOfAHardSpreadStartOnTwoNodes() {
        Scenario scenario = inZones("spread-two", "a", "a");
        GangSpec gang = scenario.gang("g", 2, 500, 20);

        submit(gang, spread(HOST, "g", ""));

        assertStartsAsPromised(scenario, gang);
        assertThat(nodes(gang)).doesNotHaveDuplicates();
    }

    @StoryTest
    void aSpreadOverMoreDomainsThanThereAreTakesOnePodADomain() {
        Scenario scenario = inZones("spread-min", "a", "a", "b");
        GangSpec two = scenario.gang("two", 2, 500, 20);
        GangSpec three = scenario.gang("three", 3, 500, 20);

        submit(two, spread(ZONE, "two", ", minDomains: 3"));
        submit(three, spread(ZONE, "three", ", minDomains: 3"));

        assertStartsAsPromised(scenario, two);
        assertThat(zones(two)).containsExactlyInAnyOrder("a", "b");
        assertIsRefused(scenario, three, "topology spread constraint (topology.kubernetes.io/zone, DoNotSchedule)");
    }

    @StoryTest
    void twoGangsWithOneHostPortRunOneAfterTheOther() {
        Scenario scenario = inZones("one-port", "a");
        GangSpec first = scenario.gang("first", 1, 500, 8);
        GangSpec second = scenario.gang("second", 1, 500, 8);
        String port = "containers: [{name: main, ports: [{containerPort: 8080, hostPort: 8080}]}]";

        submit(first, port);
        scenario.awaitWhole(first, 30);
        Instant promised = submitForLater(scenario, second, port);

        assertThat(promised).isAfter(Scenario.now());
        assertStartsAsPromised(scenario, second);
        // If the first gang ends early, the second one starts sooner.
        assertThat(promisedStart(second)).isBeforeOrEqualTo(promised);
        assertThat(cluster.phase(first)).isEqualTo("Completed");
        assertThat(cluster.pods(second))
                .allSatisfy(pod -> assertThat(pod.getSpec().getSchedulerName()).isEqualTo("slotwise"));
    }

    @StoryTest
    void affinityToAPodThatIsNowhereIsRefusedAndStartsWhenThePodRuns() {
        Scenario scenario = inZones("company", "a", "b");
        GangSpec gang = scenario.gang("g", 2, 500, 20);
        GangSpec store = scenario.gang("store", 1, 500, 60).on(ZONE, "company-b");

        submit(gang, together(ZONE, "store"));
        assertIsRefused(scenario, gang, "required pod affinity (topology.kubernetes.io/zone)");
        submit(store, "{}");

        assertStartsAsPromised(scenario, store);
        assertStartsAsPromised(scenario, gang);
        assertThat(zones(gang)).containsExactly("b", "b");
    }

    @StoryTest
    void aGangWaitsForTheEndOfOneThatExcludesIt() {
        Scenario scenario = inZones("excluded", "a", "a");
        GangSpec first = scenario.gang("first", 1, 500, 12);
        GangSpec second = scenario.gang("second", 2, 500, 12);

        submit(first, apart(ZONE, "second"));
        assertStartsAsPromised(scenario, first);
        submit(second, "{}");

        scenario.awaitPending(second, "NoWindow", "anti-affinity", 20);
        assertStartsAsPromised(scenario, second);
    }

    /** Creates nodes of four cores in these zones. */
    private Scenario inZones(String name, String... zones) {
        Scenario scenario = new Scenario(cluster, name);
        for (int i = 0; i < zones.length; i++) {
            // Zones belong to the whole cluster, so each story has its own.
            cluster.nodeIn(name + "-" + zones[i], scenario.node(i + 1), 4, "1." + i, name);
        }
        return scenario;
    }

    private void submit(GangSpec gang, String asked) {
        PodSpec more = Serialization.unmarshal(asked, PodSpec.class);
        cluster.submitAsPods(gang, pod -> asking(pod, more));
    }

    private Instant submitForLater(Scenario scenario, GangSpec gang, String asked) {
        submit(gang, asked);
        return scenario.awaitPromise(gang);
    }

    private static Pod asking(Pod pod, PodSpec more) {
        PodBuilder asking = new PodBuilder(pod)
                .editSpec()
                .withAffinity(more.getAffinity())
                .withTopologySpreadConstraints(more.getTopologySpreadConstraints())
                .endSpec();
        if (!more.getContainers().isEmpty()) {
            asking.editSpec()
                    .editFirstContainer()
                    .withPorts(more.getContainers().getFirst().getPorts())
                    .endContainer()
                    .endSpec();
        }
        return asking.build();
    }

    private static String apart(String topology, String gang) {
        return "affinity: {podAntiAffinity: %s}".formatted(term(topology, gang));
    }

    private static String together(String topology, String gang) {
        return "affinity: {podAffinity: %s}".formatted(term(topology, gang));
    }

    private static String term(String topology, String gang) {
        return ("{requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: %s, labelSelector: "
                        + "{matchLabels: {slotwise.io/gang: %s}}}]}")
                .formatted(topology, gang);
    }

    private static String spread(String topology, String gang, String more) {
        return ("topologySpreadConstraints: [{maxSkew: 1, topologyKey: %s, whenUnsatisfiable: "
                        + "DoNotSchedule, labelSelector: {matchLabels: {slotwise.io/gang: %s}}%s}]")
                .formatted(topology, gang, more);
    }

    /** Asserts that the gang runs whole as first promised, without a rollback. */
    private void assertStartsAsPromised(Scenario scenario, GangSpec gang) {
        scenario.awaitWhole(gang, 60);
        Map<String, String> there = new HashMap<>();
        cluster.pods(gang)
                .forEach(pod ->
                        there.put(pod.getMetadata().getName(), pod.getSpec().getNodeName()));
        assertThat(there).isEqualTo(cluster.promisedNodes(gang));
        assertThat(cluster.events(scenario.namespace(), "WindowBroken"))
                .noneMatch(event -> event.contains("/" + gang.name() + ":"));
    }

    private void assertIsRefused(Scenario scenario, GangSpec gang, String rule) {
        scenario.awaitPending(gang, "NoWindow", rule, 20);
        // kube-scheduler would refuse the pods now, but they are not released.
        Scenario.awaitClock(Scenario.now().plus(Duration.ofSeconds(2)));
        assertThat(cluster.phase(gang)).isEqualTo("Pending");
        assertThat(cluster.boundPods(gang)).isZero();
    }

    private Instant promisedStart(GangSpec gang) {
        return Instant.parse(Objects.requireNonNull(cluster.promisedStart(gang)));
    }

    private List<String> nodes(GangSpec gang) {
        return cluster.pods(gang).stream()
                .map(pod -> pod.getSpec().getNodeName())
                .toList();
    }

    /** The zones of the gang's pods, without the name of the story. */
    private List<String> zones(GangSpec gang) {
        return nodes(gang).stream()
                .map(node -> cluster.client().nodes().withName(node).get())
                .flatMap(Stream::ofNullable)
                .map(node -> node.getMetadata().getLabels().get(ZONE))
                .map(zone -> zone.substring(zone.lastIndexOf('-') + 1))
                .toList();
    }
}
