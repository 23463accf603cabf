package io.slotwise.kubernetes.manifest.neighbours;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static io.slotwise.kubernetes.manifest.Samples.bound;
import static io.slotwise.kubernetes.manifest.Samples.id;
import static io.slotwise.kubernetes.manifest.Samples.member;
import static io.slotwise.kubernetes.manifest.Samples.node;
import static io.slotwise.kubernetes.manifest.Samples.objects;
import static io.slotwise.kubernetes.manifest.Samples.pod;
import static io.slotwise.kubernetes.manifest.Samples.promise;
import static io.slotwise.kubernetes.manifest.Samples.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.slotwise.core.gang.PodRule;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.plan.Planned;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.planner.Planner;
import io.slotwise.core.window.Placement;
import io.slotwise.core.work.Steps;
import io.slotwise.kubernetes.manifest.IntakeResult;
import io.slotwise.kubernetes.manifest.Samples;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.gang.KnownGang;
import io.slotwise.kubernetes.manifest.pods.Pods;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.testing.PlanChecker;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PodNeighboursTest {
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final List<Node> NODES = List.of(host("n1", "a"), host("n2", "a"), host("n3", "b"));
    private static final String APART_IN_ZONES =
            "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                    + "[{topologyKey: topology.kubernetes.io/zone, labelSelector: {matchLabels: {app: %s}}}]}}";
    private static final String NEAR =
            "affinity: {podAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: "
                    + "topology.kubernetes.io/zone, labelSelector: {matchLabels: {app: %s}}}]}}";
    private static final String SPREAD = "topologySpreadConstraints: [{maxSkew: 1, topologyKey: %s, whenUnsatisfiable: "
            + "DoNotSchedule, labelSelector: {matchLabels: {app: %s}}%s}]";

    private static final String SPREAD_APP =
            "topologySpreadConstraints: [{maxSkew: 1, topologyKey: topology.kubernetes.io/zone, whenUnsatisfiable: "
                    + "DoNotSchedule, labelSelector: {matchLabels: {app: %s}}}]";

    private static Node host(String name, String zone) {
        return node(name)
                .editMetadata()
                .addToLabels("kubernetes.io/hostname", name)
                .addToLabels(ZONE, zone)
                .endMetadata()
                .build();
    }

    private static final int MOST_PAIRS = PodNeighbours.MOST_PARTS / 2;

    @Test
    void aNamespaceHasABoundedNumberOfRulesAndOneMoreIsRefusedWithItsGangAlone() {
        List<Pod> pods = new ArrayList<>();
        for (int i = 0; i <= MOST_PAIRS; i++) {
            Pod pod = app(pod("p" + i), "a" + i, SPREAD.formatted(ZONE, "a" + i, ""));
            pods.add(new PodBuilder(pod)
                    .editMetadata()
                    .withNamespace("crowd")
                    .endMetadata()
                    .build());
        }
        pods.add(app(pod("w"), "w", SPREAD.formatted(ZONE, "w", "")));

        IntakeResult result = take(objects(NODES, pods.toArray(Pod[]::new)), Map.of());

        assertThat(result.snapshot().requests()).hasSize(MOST_PAIRS + 1);
        assertThat(result.snapshot().held())
                .singleElement()
                .satisfies(held -> assertThat(held.refusal().message())
                        .contains("the pods of its namespace that wait have more than 3000 different affinities, "
                                + "anti-affinities and spread constraints, with their labels and values, together"));
    }

    @ParameterizedTest
    @ValueSource(strings = {SPREAD_APP, NEAR, APART_IN_ZONES})
    void thePromisedGangsOfANamespaceHaveTheirRulesBeforeItsNewPods(String rule) {
        Pod[] crowd = IntStream.range(0, MOST_PAIRS)
                .mapToObj(i -> app(pod("p" + i), "a" + i, SPREAD_APP.formatted("a" + i)))
                .toArray(Pod[]::new);
        KnownGang promised = new KnownGang(promise("z", 0, false, "z-0"), OptionalLong.empty(), Set.of());

        IntakeResult result =
                take(objects(NODES, all(crowd, gang("z", 1, rule.formatted("z")))), Map.of(id("z"), promised));

        assertThat(result.snapshot().held())
                .extracting(held -> held.gang().name())
                .isNotEmpty()
                .doesNotContain("z");
    }

    @Test
    void theTermsOfAPodAreReadOnceHoweverManyThereAre() {
        String terms = IntStream.range(0, 990)
                .mapToObj(
                        "{topologyKey: topology.kubernetes.io/zone, labelSelector: {matchLabels: {app: a%d}}}"
                                ::formatted)
                .collect(Collectors.joining(", "));
        Pod[] pods = gang("w", 10, apart(terms));

        long steps = Steps.of(() -> assertThat(
                        take(objects(NODES, pods), Map.of()).snapshot().requests())
                .hasSize(1));

        assertThat(steps).isLessThan(pods.length * 10L * PodNeighbours.MOST_PARTS);
    }

    @Test
    void termsThatMaySelectAnyPodAreBoundedBeforeTheyAreComparedWithAll() {
        int allowed = PodNeighbours.MOST_PARTS / 3;
        List<Pod> pods = IntStream.range(0, 2000)
                .mapToObj(i -> app(pod("p" + i), "x", i < allowed + 500 ? apart(unlike("v" + i)) : ""))
                .toList();

        long steps = Steps.of(() -> {
            PodNeighbours neighbours = new PodNeighbours(pods, Pods::gangOf, _ -> Map.of());
            assertThat(pods)
                    .filteredOn(pod -> isRefused(() -> neighbours.rules(pod)))
                    .hasSize(500);
        });

        // Once to find the pods that a term selects, and once for each pod whose rules are read.
        assertThat(steps).isLessThan(2L * (allowed + 1) * pods.size());
    }

    /** A pod's anti-affinity rule with these terms. */
    private static String apart(String terms) {
        return "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [%s]}}".formatted(terms);
    }

    /** A term for all pods of a zone with another app. */
    private static String unlike(String app) {
        return ("{topologyKey: topology.kubernetes.io/zone, "
                        + "labelSelector: {matchExpressions: [{key: app, operator: NotIn, values: [%s]}]}}")
                .formatted(app);
    }

    private static boolean isRefused(Runnable reading) {
        try {
            reading.run();
            return false;
        } catch (IllegalArgumentException e) {
            return true;
        }
    }

    /** In some namespaces many gangs keep their own pods on separate nodes, with terms about their own pods alone. */
    @Test
    void gangsThatKeepTheirOwnPodsApartAreAsManyAsTheyLike() {
        List<Pod> pods = IntStream.range(0, PodNeighbours.MOST_PARTS)
                .mapToObj(i -> app(
                        pod("p" + i).editMetadata().addToLabels("tier", "all").endMetadata(),
                        "g" + i,
                        apart(("{topologyKey: kubernetes.io/hostname, "
                                        + "labelSelector: {matchLabels: {tier: all, app: g%d}}}")
                                .formatted(i))))
                .toList();

        PodNeighbours neighbours = new PodNeighbours(pods, Pods::gangOf, _ -> Map.of());

        assertThat(neighbours.isEmpty()).isTrue();
        assertThat(pods).noneMatch(pod -> isRefused(() -> neighbours.rules(pod)));
    }

    @Test
    void podsThatAskNothingOfOthersHaveNoRulesAndNodesNoMarks() {
        IntakeResult result = take(
                objects(
                        NODES,
                        app(pod("w"), "w", ""),
                        app(pod("v"), "v", SPREAD.formatted(ZONE, "v", "").replace("DoNotSchedule", "ScheduleAnyway"))),
                Map.of());

        assertThat(result.snapshot().requests())
                .allSatisfy(request -> assertThat(request.gang().hasRules()).isFalse());
        assertThat(result.snapshot()
                        .cluster()
                        .inventory()
                        .getFirst()
                        .allocatable()
                        .places()
                        .size())
                .isZero();
    }

    @Test
    void onePodPerNodeIsNoRuleIfItConcernsNoOtherGang() {
        String alone = "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
                + "[{topologyKey: kubernetes.io/hostname, labelSelector: {matchLabels: {app: w}}}]}}";

        IntakeResult one = take(objects(NODES, gang("w", 2, alone)), Map.of());
        IntakeResult two = take(
                objects(
                        NODES,
                        all(gang("w", 2, alone), app(member("v", "v-0", AnnotationKeys.GANG_SIZE, "1"), "w", alone))),
                Map.of());

        assertThat(one.snapshot().requests().getFirst().gang().hasRules()).isFalse();
        assertThat(one.snapshot().requests().getFirst().gang().maxPerNode()).isEqualTo(1);
        assertThat(two.snapshot().requests())
                .allSatisfy(request ->
                        assertThat(request.gang().rules()).isNotEmpty().allMatch(PodRule.Apart.class::isInstance));
        assertThat(nodes(plan(two)).sorted()).containsExactly("n1", "n2", "n3");
    }

    @Test
    void twoGangsThatExcludeEachOtherShareNoZoneAtATime() {
        Plan plan = plan(NODES, all(gang("w", 1, APART_IN_ZONES.formatted("v")), gang("v", 1, "")));

        assertThat(plan.windows())
                .hasSize(2)
                .allMatch(planned -> planned.window().start() == NOW);
        assertThat(nodes(plan).map(name -> name.equals("n3") ? "b" : "a")).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void anExcludedGangWaitsForTheOthersEndIfThereIsOneZone() {
        List<Node> one = NODES.subList(0, 2);

        Plan plan = plan(one, all(gang("w", 1, APART_IN_ZONES.formatted("v")), gang("v", 1, "")));

        assertThat(plan.windows().stream().map(planned -> planned.window().start()))
                .containsExactly(NOW, NOW + 3600);
    }

    @Test
    void podsThatOnlyAvoidOthersMayBeTogether() {
        Plan plan = plan(NODES, all(gang("w", 3, APART_IN_ZONES.formatted("v")), gang("v", 1, "")));

        assertThat(plan.windows()).hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ", minDomains: 2", ", nodeTaintsPolicy: Honor", ", nodeAffinityPolicy: Ignore"})
    void aSpreadIsEvenOverZones(String more) {
        Plan plan = plan(NODES, gang("w", 2, SPREAD.formatted(ZONE, "w", more)));

        assertThat(nodes(plan).map(name -> name.equals("n3") ? "b" : "a")).containsExactlyInAnyOrder("a", "b");
    }

    @Test
    void aSpreadOverFewerDomainsThanItAsksForTakesItsSkewInEach() {
        Plan plan = plan(NODES, gang("w", 3, SPREAD.formatted(ZONE, "w", ", minDomains: 3")));

        assertThat(refusal(plan)).isInstanceOf(Refusal.PodRules.class);
        assertThat(refusal(plan).message())
                .isEqualTo("no window that keeps its topology spread constraint (topology.kubernetes.io/zone, "
                        + "DoNotSchedule) for 3 pods: the eligible nodes have 2 values of "
                        + "topology.kubernetes.io/zone");
    }

    @Test
    void aSpreadCountsWhatRunsInItsNamespaceAndIsNotBeingDeleted() {
        Pod here = foreign("r", "w", "n1");
        Pod leaving = foreign("s", "w", "n1");
        leaving.getMetadata().setDeletionTimestamp(Samples.at(30));
        Pod elsewhere = foreign("t", "w", "n3");
        elsewhere.getMetadata().setNamespace("other");
        Pod other = foreign("u", "u", "n3");

        Plan plan = plan(NODES, all(gang("w", 1, SPREAD.formatted(ZONE, "w", "")), here, leaving, elsewhere, other));

        assertThat(nodes(plan)).containsExactly("n3");
    }

    @Test
    void theLabelKeysOfASpreadRestrictTheCountedPods() {
        Pod of = new PodBuilder(foreign("r", "w", "n1"))
                .editMetadata()
                .addToLabels("version", "1")
                .endMetadata()
                .build();
        Pod[] waiting = gang("w", 1, SPREAD.formatted(ZONE, "w", ", matchLabelKeys: [version, none]"));
        waiting[0].getMetadata().getLabels().put("version", "2");

        Plan other = plan(NODES, all(waiting, of, foreign("s", "x", "n3")));
        waiting[0].getMetadata().getLabels().put("version", "1");
        Plan same = plan(NODES, all(waiting, of, foreign("s", "x", "n3")));

        assertThat(nodes(other)).containsExactly("n1");
        assertThat(nodes(same)).containsExactly("n3");
    }

    @Test
    void affinityGoesWhereTheOtherIsAndIsRefusedByNameWhereThereIsNone() {
        Pod store = foreign("store", "store", "n3");

        assertThat(nodes(plan(NODES, all(gang("w", 2, NEAR.formatted("store")), store))))
                .containsExactly("n3", "n3");
        Refusal refusal = refusal(plan(NODES, all(gang("w", 2, NEAR.formatted("nobody")), store)));
        assertThat(refusal.key()).isEqualTo("pod-rules");
        assertThat(refusal.message())
                .isEqualTo("no window that keeps its required pod affinity (topology.kubernetes.io/zone) for 2 "
                        + "pods: the eligible nodes have 2 values of topology.kubernetes.io/zone");
    }

    @Test
    void podsWithAffinityToThemselvesStartInOneZone() {
        List<Node> small = List.of(host("n1", "a"), host("n2", "b"), host("n3", "b"));

        Plan plan = plan(small, gang("w", 6, NEAR.formatted("w")));

        assertThat(nodes(plan).distinct()).containsExactlyInAnyOrder("n2", "n3");
    }

    @Test
    void twoConstraintsOverTwoWideLabelsAreRefusedByName() {
        List<Node> racks = NODES.stream()
                .map(node -> {
                    node.getMetadata().getLabels().put("rack", "r");
                    return node;
                })
                .toList();
        String both = "topologySpreadConstraints: [{maxSkew: 1, topologyKey: rack, whenUnsatisfiable: "
                + "DoNotSchedule, labelSelector: {matchLabels: {app: w}}}, {maxSkew: 1, topologyKey: "
                + "topology.kubernetes.io/zone, whenUnsatisfiable: DoNotSchedule, labelSelector: "
                + "{matchLabels: {app: w}}}]";

        Refusal refusal = refusal(plan(racks, gang("w", 2, both)));

        assertThat(refusal).isInstanceOf(Refusal.InvalidRequest.class);
        assertThat(refusal.message()).contains("rack, topology.kubernetes.io/zone");
        assertThat(plan(racks, gang("w", 1, both)).windows()).hasSize(1);
    }

    @Test
    void aSkewThatIsNoneIsRefusedByName() {
        Refusal refusal =
                refusal(plan(NODES, gang("w", 1, SPREAD.formatted(ZONE, "w", "").replace("maxSkew: 1", "maxSkew: 0"))));

        assertThat(refusal.message()).contains("maxSkew 0");
    }

    private static Refusal refusal(Plan plan) {
        assertThat(plan.windows()).isEmpty();
        assertThat(plan.pending()).hasSize(1);
        return plan.pending().getFirst().refusal();
    }

    private static Stream<String> nodes(Plan plan) {
        return plan.windows().stream()
                .map(Planned::window)
                .flatMap(window -> window.placements().stream())
                .map(Placement::node);
    }

    private static Plan plan(List<Node> nodes, Pod... pods) {
        return plan(take(objects(nodes, pods), Map.of()));
    }

    private static Plan plan(IntakeResult result) {
        Plan plan = new Planner(LoopSettings.EXACT.policy()).plan(result.snapshot());
        assertThat(PlanChecker.faults(result.snapshot(), LoopSettings.EXACT.policy(), plan))
                .isEmpty();
        return plan;
    }

    private static Pod[] gang(String name, int size, String spec) {
        Pod[] pods = new Pod[size];
        Arrays.setAll(
                pods,
                i -> app(member(name, name + "-" + i, AnnotationKeys.GANG_SIZE, String.valueOf(size)), name, spec));
        return pods;
    }

    private static Pod[] all(Pod[] some, Pod... more) {
        return Stream.concat(Arrays.stream(some), Arrays.stream(more)).toArray(Pod[]::new);
    }

    private static Pod app(PodBuilder pod, String app, String spec) {
        PodSpec asked = Serialization.unmarshal(spec.isEmpty() ? "{}" : spec, PodSpec.class);
        return pod.editMetadata()
                .addToLabels("app", app)
                .endMetadata()
                .editSpec()
                .withAffinity(asked.getAffinity())
                .withTopologySpreadConstraints(asked.getTopologySpreadConstraints())
                .withSchedulerName("slotwise-extender")
                .endSpec()
                .build();
    }

    private static Pod foreign(String name, String app, String node) {
        return bound(
                new PodBuilder(app(pod(name), app, ""))
                        .editSpec()
                        .withSchedulerName("default-scheduler")
                        .endSpec(),
                node,
                -60);
    }
}
