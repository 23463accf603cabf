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

import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.LabelSelectorBuilder;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodAffinityTerm;
import io.fabric8.kubernetes.api.model.PodAffinityTermBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.BrokenPromise;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.planner.Planner;
import io.slotwise.kubernetes.manifest.ClusterObjects;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.IntakeCache;
import io.slotwise.kubernetes.manifest.IntakeResult;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.gang.KnownGang;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClosedNodesTest {
    private static final String HOST = "kubernetes.io/hostname";
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final List<Node> NODES = List.of(host("n1", "a"), host("n2", "a"), host("n3", "b"));
    private static final LabelSelector QUIET =
            new LabelSelectorBuilder().addToMatchLabels("kind", "quiet").build();

    private static Node host(String name, String zone) {
        return node(name)
                .editMetadata()
                .addToLabels(HOST, name)
                .addToLabels(ZONE, zone)
                .endMetadata()
                .build();
    }

    @Test
    void aResidentsTermClosesItsOwnNodeToThePodsThatItSelects() {
        Pod resident = resident("r", "n1", term(HOST, QUIET).build());

        assertThat(closed(waiting("quiet"), resident)).containsExactly("n1");
        assertThat(closed(waiting("loud"), resident)).isEmpty();
    }

    @Test
    void aTopologyOfZonesClosesTheWholeZone() {
        Pod resident = resident("r", "n1", term(ZONE, QUIET).build());

        assertThat(closed(waiting("quiet"), resident)).containsExactlyInAnyOrder("n1", "n2");
    }

    @Test
    void aNodeWithoutTheLabelAcceptsAllPods() {
        Pod resident = resident("r", "n1", term("rack", QUIET).build());

        assertThat(closed(waiting("quiet"), resident)).isEmpty();
    }

    @Test
    void residentsOfSeveralTermsAndNodesCloseThemAll() {
        LabelSelector everybody = new LabelSelector();
        LabelSelector byExpression = new LabelSelectorBuilder()
                .addNewMatchExpression()
                .withKey("kind")
                .withOperator("Exists")
                .endMatchExpression()
                .build();

        assertThat(closed(
                        waiting("quiet"),
                        resident("r1", "n1", term(HOST, byExpression).build()),
                        resident("r2", "n3", term(HOST, everybody).build())))
                .containsExactlyInAnyOrder("n1", "n3");
    }

    @Test
    void aTermWithoutASelectorSelectsNoPod() {
        Pod resident = resident(
                "r", "n1", new PodAffinityTermBuilder().withTopologyKey(HOST).build());

        assertThat(closed(waiting("quiet"), resident)).isEmpty();
    }

    @Test
    void aTermIsAboutItsOwnNamespaceUnlessItNamesOthers() {
        Pod other = new PodBuilder(resident("r", "n1", term(HOST, QUIET).build()))
                .editMetadata()
                .withNamespace("other")
                .endMetadata()
                .build();
        Pod naming = elsewhere(term(HOST, QUIET).withNamespaces("user").build());
        Pod everywhere = elsewhere(term(HOST, QUIET)
                .withNewNamespaceSelector()
                .endNamespaceSelector()
                .build());
        Pod ofATeam = elsewhere(term(HOST, QUIET)
                .withNewNamespaceSelector()
                .addToMatchLabels("team", "x")
                .endNamespaceSelector()
                .build());

        assertThat(closed(waiting("quiet"), other)).isEmpty();
        assertThat(closed(waiting("quiet"), naming)).containsExactly("n1");
        assertThat(closed(waiting("quiet"), everywhere)).containsExactly("n1");
        assertThat(closed(waiting("quiet"), ofATeam)).isEmpty();
        ClusterObjects withTeam = objects(NODES, waiting("quiet"), ofATeam)
                .withNamespaces(List.of(new NamespaceBuilder()
                        .withNewMetadata()
                        .withName("user")
                        .addToLabels("team", "x")
                        .endMetadata()
                        .build()));
        assertThat(closed(take(withTeam, Map.of()))).containsExactly("n1");
    }

    private static Pod elsewhere(PodAffinityTerm term) {
        return new PodBuilder(resident("r", "n1", term))
                .editMetadata()
                .withNamespace("other")
                .endMetadata()
                .build();
    }

    @Test
    void thePodsOwnTermClosesTheNodesOfThePodsThatItSelects() {
        Pod asking = with(waiting("quiet"), term(HOST, QUIET).build());
        Pod resident = foreign(pod("r"), "quiet", "n2");
        Pod loud = foreign(pod("s"), "loud", "n3");

        assertThat(closed(asking, resident, loud)).containsExactly("n2");
    }

    @Test
    void completedPodsCloseNoNodes() {
        Pod over = resident("r", "n1", term(HOST, QUIET).build());
        over.getStatus().setPhase("Succeeded");

        assertThat(closed(waiting("quiet"), over)).isEmpty();
    }

    @Test
    void aRememberedResidentClosesItsNodeUntilItGoes() {
        Pod resident = resident("r", "n1", term(HOST, QUIET).build());
        IntakeCache cache = new IntakeCache();
        Intake intake = new Intake(LoopSettings.EXACT, PriceCatalogue.EMPTY);

        for (int cycle = 0; cycle < 3; cycle++) {
            assertThat(closed(intake.take(
                            objects(NODES, waiting("quiet"), resident), Map.of(), NOW + cycle, NOW + cycle, cache)))
                    .containsExactly("n1");
        }
        assertThat(closed(intake.take(objects(NODES, waiting("quiet")), Map.of(), NOW + 3, NOW + 3, cache)))
                .isEmpty();
    }

    @Test
    void aResidentThatIsEvictedAtOnceClosesNothing() {
        Pod leaving = with(
                bound(member("r", "r-0", AnnotationKeys.GANG_SIZE, "1"), "n1", -60),
                term(HOST, QUIET).build());
        KnownGang takenBack = KnownGang.NOTHING.withSeen(NOW - 60).withAttempts(1);

        assertThat(closed(take(objects(NODES, waiting("quiet"), leaving), Map.of(id("r"), takenBack))))
                .isEmpty();
    }

    @Test
    void aPromiseAfterThePlannedEndOfAResidentStands() {
        Plan plan = planned(700);

        assertThat(plan.broken()).isEmpty();
        assertThat(plan.windows())
                .singleElement()
                .satisfies(planned -> assertThat(planned.window().start()).isEqualTo(NOW + 700));
    }

    @Test
    void aPromiseBeforeItIsBroken() {
        Plan plan = planned(300);

        assertThat(plan.broken()).singleElement().satisfies(broken -> {
            assertThat(broken.cause()).isEqualTo(BrokenPromise.Cause.ROOM_TAKEN);
            assertThat(broken.message()).contains("node n1 is closed by a required pod anti-affinity");
        });
    }

    /** The gang w is promised n1, where a gang of Slotwise runs that is planned to end in ten minutes. */
    private static Plan planned(long start) {
        Pod waiting = with(
                member("w", "w-0", AnnotationKeys.GANG_SIZE, "1", AnnotationKeys.RUNTIME, "10m")
                        .editMetadata()
                        .addToLabels("kind", "quiet")
                        .endMetadata()
                        .build(),
                term(HOST, QUIET).build());
        Pod resident = with(
                bound(member("r", "r-0", AnnotationKeys.GANG_SIZE, "1", AnnotationKeys.RUNTIME, "10m"), "n1", 0),
                term(HOST, QUIET).build());
        Map<GangId, KnownGang> known = Map.of(
                id("r"), new KnownGang(promise("r", 0, true, "r-0"), OptionalLong.of(NOW), Set.of()),
                id("w"), new KnownGang(promise("w", start, false, "w-0"), OptionalLong.empty(), Set.of()));
        IntakeResult result = take(objects(List.of(NODES.getFirst()), waiting, resident), known);
        return new Planner(LoopSettings.EXACT.policy()).plan(result.snapshot());
    }

    @Test
    void aTermOfAFileWithoutATopologyClosesNothing() {
        Pod resident = resident(
                "r", "n1", new PodAffinityTermBuilder().withLabelSelector(QUIET).build());

        assertThat(closed(waiting("quiet"), resident)).isEmpty();
    }

    @Test
    void theRefusalSaysWhyNoNodeIsLeft() {
        IntakeResult result = take(
                objects(
                        List.of(NODES.getFirst()),
                        waiting("quiet"),
                        resident("r", "n1", term(HOST, QUIET).build())),
                Map.of());

        var plan = new Planner(LoopSettings.EXACT.policy()).plan(result.snapshot());

        assertThat(plan.pending())
                .singleElement()
                .satisfies(pending -> assertThat(pending.refusal().message())
                        .isEqualTo("no eligible node among 1: 1 closed by a required pod anti-affinity"));
    }

    @Test
    void aNewcomerConflictsWithAResidentOfItsNodeEitherWay() {
        Node node = NODES.getFirst();
        Pod apart = with(waiting("quiet"), term(HOST, QUIET).build());
        Pod resident = foreign(pod("r"), "quiet", "n1");

        assertThat(AntiAffinity.conflict(node, List.of(resident), apart)).isSameAs(resident);
        assertThat(AntiAffinity.conflict(node, List.of(apart), resident)).isSameAs(apart);
        assertThat(AntiAffinity.conflict(node, List.of(foreign(pod("s"), "loud", "n1")), apart))
                .isNull();
    }

    private static PodAffinityTermBuilder term(String topology, LabelSelector selector) {
        return new PodAffinityTermBuilder().withTopologyKey(topology).withLabelSelector(selector);
    }

    private static Pod waiting(String kind) {
        return pod("w").editMetadata().addToLabels("kind", kind).endMetadata().build();
    }

    private static Pod resident(String name, String node, PodAffinityTerm term) {
        return with(foreign(pod(name), "resident", node), term);
    }

    private static Pod foreign(PodBuilder pod, String kind, String node) {
        return bound(
                pod.editMetadata()
                        .addToLabels("kind", kind)
                        .endMetadata()
                        .editSpec()
                        .withSchedulerName("default-scheduler")
                        .endSpec(),
                node,
                -60);
    }

    private static Pod with(Pod pod, PodAffinityTerm term) {
        return new PodBuilder(pod)
                .editSpec()
                .withNewAffinity()
                .withNewPodAntiAffinity()
                .addToRequiredDuringSchedulingIgnoredDuringExecution(term)
                .endPodAntiAffinity()
                .endAffinity()
                .endSpec()
                .build();
    }

    private static Set<String> closed(Pod... pods) {
        return closed(take(objects(NODES, pods), Map.of()));
    }

    private static Set<String> closed(IntakeResult result) {
        return result.snapshot()
                .requests()
                .getFirst()
                .gang()
                .request()
                .constraint()
                .closed()
                .keySet();
    }
}
