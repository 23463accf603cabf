package io.slotwise.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.slotwise.kubernetes.manifest.PodsByWay;
import io.slotwise.kubernetes.manifest.pods.KubeSchedulerNeeds;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Proves that the chart's admission policy sends pods the same way as the code: to Slotwise or kube-scheduler. */
@RealControlPlane
class AdmissionIT {
    private static final String DIRECT = "slotwise";
    private static final String EXTENDER = "slotwise-extender";
    private static final String GATE = "slotwise.io/window";

    @BeforeAll
    static void install(ControlPlane plane) {
        Installation.install(plane, Map.of()).awaitGate();
    }

    static List<PodsByWay.Variant> pods() {
        return PodsByWay.all();
    }

    @ParameterizedTest
    @MethodSource("pods")
    void thePolicySendsAPodTheWayThatTheCodeExpects(PodsByWay.Variant variant, ControlPlane plane) {
        Pod made = made(plane, variant.pod("default", DIRECT));

        assertThat(made.getSpec().getSchedulerName()).isEqualTo(variant.needsKubeScheduler() ? EXTENDER : DIRECT);
        assertThat(gates(made)).isEqualTo(variant.needsKubeScheduler() ? List.of(GATE) : List.of());
        assertThat(KubeSchedulerNeeds.of(made).isPresent())
                .as("what the code reads of the pod that the API server made")
                .isEqualTo(variant.needsKubeScheduler());
    }

    @Test
    void aPodThatNamesTheExtendersSchedulerGetsTheGateAlone(ControlPlane plane) {
        Pod made = made(plane, pod(EXTENDER));

        assertThat(made.getSpec().getSchedulerName()).isEqualTo(EXTENDER);
        assertThat(gates(made)).containsExactly(GATE);
    }

    @Test
    void foreignGatesStayOnEitherWay(ControlPlane plane) {
        Pod direct = new PodBuilder(pod(DIRECT))
                .editSpec()
                .addNewSchedulingGate("example.com/quota")
                .endSpec()
                .build();
        Pod needy = new PodBuilder(direct)
                .editSpec()
                .addNewVolume()
                .withName("v")
                .withNewPersistentVolumeClaim("c", false)
                .endVolume()
                .endSpec()
                .build();

        assertThat(gates(made(plane, direct))).containsExactly("example.com/quota");
        assertThat(gates(made(plane, needy))).containsExactlyInAnyOrder("example.com/quota", GATE);
    }

    @Test
    void podsOfOthersAndPodsThatArePlacedStayAsTheyAre(ControlPlane plane) {
        PodsByWay.Variant claim = PodsByWay.all().stream()
                .filter(PodsByWay.Variant::needsKubeScheduler)
                .findFirst()
                .orElseThrow();
        Pod placed = new PodBuilder(claim.pod("default", DIRECT))
                .editSpec()
                .withNodeName("n1")
                .endSpec()
                .build();

        assertThat(made(plane, claim.pod("default", "other")).getSpec().getSchedulerName())
                .isEqualTo("other");
        assertThat(made(plane, placed).getSpec().getSchedulerName()).isEqualTo(DIRECT);
        assertThat(gates(made(plane, placed))).isEmpty();
    }

    /** A copy of a started pod may be created, because what it says of the start counts for nothing. */
    @ParameterizedTest
    @ValueSource(strings = {DIRECT, "default-scheduler"})
    void usersChangeNothingThatPodsSayOfTheirStart(String schedulerName, ControlPlane plane) {
        Pod copy = pod(schedulerName);
        copy.getMetadata().setName("copied-for-" + schedulerName);
        copy.getMetadata()
                .setAnnotations(Map.of("slotwise.io/run", "7/2030-01-01T00:00:00Z/g", "slotwise.io/record", "H4sI"));
        Pod created = plane.client().resource(copy).create();

        for (String change : List.of("\"7/2030-01-01T00:00:00Z/h\"", "null")) {
            String patch = """
                    {"metadata": {"annotations": {"slotwise.io/run": %s}}}""".formatted(change);
            assertThatThrownBy(() -> plane.client().resource(created).patch(patch))
                    .hasMessageContaining("say how its gang has started");
            assertThatThrownBy(() -> plane.client()
                            .resource(created)
                            .subresource("status")
                            .patch(patch))
                    .hasMessageContaining("say how its gang has started");
        }
    }

    private static Pod pod(String schedulerName) {
        return Workload.pod("default", "p", schedulerName, 100, 64);
    }

    private static Pod made(ControlPlane plane, Pod pod) {
        return plane.client().resource(pod).dryRun().create();
    }

    private static List<String> gates(Pod pod) {
        return pod.getSpec().getSchedulingGates().stream()
                .map(gate -> gate.getName())
                .toList();
    }
}
