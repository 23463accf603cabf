package io.slotwise.kubernetes.manifest.pods;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static io.slotwise.kubernetes.manifest.Samples.bound;
import static io.slotwise.kubernetes.manifest.Samples.member;
import static io.slotwise.kubernetes.manifest.Samples.node;
import static io.slotwise.kubernetes.manifest.Samples.objects;
import static io.slotwise.kubernetes.manifest.Samples.pod;
import static io.slotwise.kubernetes.manifest.Samples.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.slotwise.core.plan.Plan;
import io.slotwise.core.planner.Planner;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.IntakeCache;
import io.slotwise.kubernetes.manifest.IntakeResult;
import io.slotwise.kubernetes.manifest.Samples;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.nodes.NodeRoom;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.testing.PlanChecker;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HostPortsTest {
    private static final List<Node> ONE = List.of(node("n1").build());

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{hostPort: 80} | {hostPort: 80} | false",
                "{hostPort: 80} | {hostPort: 81} | true",
                "{hostPort: 80, protocol: TCP} | {hostPort: 80} | false",
                "{hostPort: 80, protocol: UDP} | {hostPort: 80} | true",
                "{hostPort: 80, hostIP: 10.0.0.1} | {hostPort: 80} | false",
                "{hostPort: 80, hostIP: 10.0.0.1} | {hostPort: 80, hostIP: 0.0.0.0} | false",
                "{hostPort: 80, hostIP: 10.0.0.1} | {hostPort: 80, hostIP: 10.0.0.1} | false",
                "{hostPort: 80, hostIP: 10.0.0.1} | {hostPort: 80, hostIP: 10.0.0.2} | true",
                "{hostPort: 80, hostIP: 10.0.0.1} | {hostPort: 80, hostIP: '::'} | true",
                "{containerPort: 80} | {containerPort: 80} | true",
                "{hostPort: 0} | {hostPort: 0} | true"
            })
    void twoPodsShareANodeUnlessTheyNameTheSamePortOfTheSameAddress(String one, String other, boolean together) {
        Plan plan = plan(ONE, with("a", one), with("b", other));

        assertThat(plan.windows()).hasSize(2);
        assertThat(plan.windows().stream().allMatch(planned -> planned.window().start() == NOW))
                .isEqualTo(together);
        assertThat(NodeRoom.shortage(ONE.getFirst(), List.of(with("a", one), with("b", other))) == null)
                .as("the last look before the bindings")
                .isEqualTo(together);
    }

    @Test
    void aPodThatRunsHasItsPortUntilItEnds() {
        Pod running =
                bound(member("r", "r-0", AnnotationKeys.GANG_SIZE, "1", AnnotationKeys.RUNTIME, "10m"), "n1", -60);
        running.getSpec().setContainers(with("r", "{hostPort: 80}").getSpec().getContainers());

        Plan plan = plan(ONE, running, with("a", "{hostPort: 80}"));

        assertThat(plan.windows())
                .singleElement()
                .satisfies(planned -> assertThat(planned.window().start()).isEqualTo(NOW + 540));
    }

    @Test
    void aForeignPodKeepsItsPortForever() {
        Pod foreign =
                bound(pod("f").editSpec().withSchedulerName("default-scheduler").endSpec(), "n1", -60);
        foreign.getSpec().setContainers(with("f", "{hostPort: 80}").getSpec().getContainers());

        assertThat(plan(ONE, foreign, with("a", "{hostPort: 80}")).windows()).isEmpty();
        assertThat(plan(ONE, foreign, with("a", "{hostPort: 81}")).windows()).hasSize(1);
    }

    @Test
    void theSidecarsPortsCountAndThoseOfOtherInitContainersDoNot() {
        Pod sidecar = moved(with("a", "{hostPort: 80}"), "Always");
        Pod init = moved(with("a", "{hostPort: 80}"), null);

        assertThat(starts(plan(ONE, sidecar, with("b", "{hostPort: 80}")))).containsExactly(NOW, NOW + 3600);
        assertThat(starts(plan(ONE, init, with("b", "{hostPort: 80}")))).containsExactly(NOW, NOW);
    }

    private static Pod moved(Pod pod, @Nullable String restartPolicy) {
        Container container = pod.getSpec().getContainers().getFirst();
        container.setRestartPolicy(restartPolicy);
        pod.getSpec().setInitContainers(List.of(container));
        pod.getSpec().setContainers(Samples.pod("x").build().getSpec().getContainers());
        return pod;
    }

    @Test
    void inTheNetworkOfTheHostAPortIsThatOfTheHost() {
        Pod pod = with("a", "{containerPort: 80}");
        pod.getSpec().setHostNetwork(true);

        assertThat(starts(plan(ONE, pod, with("b", "{hostPort: 80}")))).containsExactly(NOW, NOW + 3600);
    }

    @Test
    void theMembersOfAGangEachHaveANode() {
        Pod first = gang("g-0");
        Pod second = gang("g-1");

        assertThat(plan(ONE, first, second).windows()).isEmpty();
        assertThat(plan(List.of(node("n1").build(), node("n2").build()), first, second)
                        .windows())
                .singleElement()
                .satisfies(planned -> assertThat(planned.window().placements().stream()
                                .map(placement -> placement.node())
                                .toList())
                        .containsExactly("n1", "n2"));
    }

    private static Pod gang(String name) {
        Pod pod = member("g", name, AnnotationKeys.GANG_SIZE, "2").build();
        pod.getSpec().setContainers(with(name, "{hostPort: 80}").getSpec().getContainers());
        return pod;
    }

    @Test
    void noGangPaysForAPort() {
        Plan with = plan(ONE, with("a", "{hostPort: 80}"));
        Plan without = plan(ONE, with("a", "{containerPort: 80}"));

        assertThat(with.windows().getFirst().window().cost())
                .isEqualTo(without.windows().getFirst().window().cost());
    }

    @Test
    void nodesAreUnchangedWhileNoPodRequestsAPort() {
        IntakeCache cache = new IntakeCache();
        Intake intake = new Intake(LoopSettings.EXACT, PriceCatalogue.EMPTY);

        IntakeResult before = intake.take(objects(ONE, with("a", "{containerPort: 80}")), Map.of(), NOW, NOW, cache);
        IntakeResult asked = intake.take(objects(ONE, with("a", "{hostPort: 80}")), Map.of(), NOW, NOW, cache);
        IntakeResult again = intake.take(objects(ONE, with("b", "{hostPort: 80}")), Map.of(), NOW, NOW, cache);
        IntakeResult after = intake.take(objects(ONE, with("a", "{containerPort: 80}")), Map.of(), NOW, NOW, cache);

        assertThat(asked.snapshot()
                        .cluster()
                        .inventory()
                        .getFirst()
                        .allocatable()
                        .get("host port 80/TCP"))
                .isPositive();
        assertThat(again.snapshot().cluster().inventory())
                .isSameAs(asked.snapshot().cluster().inventory());
        assertThat(after.snapshot().cluster().inventory())
                .isEqualTo(before.snapshot().cluster().inventory());
    }

    private static List<Long> starts(Plan plan) {
        return plan.windows().stream().map(planned -> planned.window().start()).toList();
    }

    private static Plan plan(List<Node> nodes, Pod... pods) {
        IntakeResult result = take(objects(nodes, pods), Map.of());
        Plan plan = new Planner(LoopSettings.EXACT.policy()).plan(result.snapshot());
        assertThat(PlanChecker.faults(result.snapshot(), LoopSettings.EXACT.policy(), plan))
                .isEmpty();
        return plan;
    }

    private static Pod with(String name, String port) {
        Container ports = Serialization.unmarshal("name: c\nports: [%s]".formatted(port), Container.class);
        List<Container> containers = new ArrayList<>(pod(name).build().getSpec().getContainers());
        containers.getFirst().setPorts(ports.getPorts());
        return new PodBuilder(pod(name).build())
                .editSpec()
                .withContainers(containers)
                .endSpec()
                .build();
    }
}
