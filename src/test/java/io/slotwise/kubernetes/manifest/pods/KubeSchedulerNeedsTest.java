package io.slotwise.kubernetes.manifest.pods;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static io.slotwise.kubernetes.manifest.Samples.node;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.plan.Refusal;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.IntakeResult;
import io.slotwise.kubernetes.manifest.PodsByWay;
import io.slotwise.kubernetes.manifest.Samples;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class KubeSchedulerNeedsTest {
    private static final PodsByWay.Variant CLAIM = PodsByWay.all().stream()
            .filter(variant -> variant.what().equals("a claim"))
            .findFirst()
            .orElseThrow();

    static List<PodsByWay.Variant> pods() {
        return PodsByWay.all();
    }

    @ParameterizedTest
    @MethodSource("pods")
    void aPodNeedsKubeSchedulerForWhatThePlannerDoesNotModel(PodsByWay.Variant variant) {
        assertThat(KubeSchedulerNeeds.of(variant.pod("user", "slotwise")).isPresent())
                .isEqualTo(variant.needsKubeScheduler());
    }

    @Test
    void aNeedIsSaidInWords() {
        assertThat(KubeSchedulerNeeds.of(CLAIM.pod("user", "slotwise")))
                .hasValue("the persistent volume claim `c` (volume v)");
    }

    @Test
    void inAClusterADirectPodWithANeedIsRefusedWithTheNameToWrite() {
        IntakeResult result = taken(PodFilter.CLUSTER, CLAIM.pod("user", "slotwise"));

        assertThat(result.snapshot().requests()).isEmpty();
        assertThat(result.snapshot().held())
                .singleElement()
                .satisfies(held -> assertThat(held.refusal())
                        .isEqualTo(new Refusal.InvalidRequest(
                                "pod user/p has the persistent volume claim `c` (volume v), which Slotwise does not "
                                        + "plan: expected schedulerName slotwise-extender instead of slotwise (create "
                                        + "the pod "
                                        + "again with it)")));
    }

    @Test
    void throughKubeSchedulerItIsPlanned() {
        IntakeResult result = taken(PodFilter.CLUSTER, CLAIM.pod("user", "slotwise-extender"));

        assertThat(result.snapshot().requests()).hasSize(1);
    }

    @Test
    void inFilesItIsPlannedSinceTheAdmissionPolicyWritesTheName() {
        IntakeResult result = taken(PodFilter.FILES, CLAIM.pod("user", "slotwise"));

        assertThat(result.snapshot().requests()).hasSize(1);
    }

    @Test
    void withoutKubeSchedulerNeitherNameHelps() {
        PodFilter alone = PodFilter.CLUSTER.withoutKubeScheduler();

        assertThat(refusal(alone, CLAIM.pod("user", "slotwise"))).contains("this installation runs none");
        assertThat(refusal(alone, CLAIM.pod("user", "slotwise-extender"))).contains("runs no kube-scheduler");
    }

    @Test
    void theTwoWaysHaveTwoNames() {
        assertThatThrownBy(() -> new PodFilter("one", "one", false)).hasMessageContaining("expected two names");
    }

    private static String refusal(PodFilter candidates, Pod pod) {
        return taken(candidates, pod).snapshot().held().getFirst().refusal().message();
    }

    private static IntakeResult taken(PodFilter candidates, Pod pod) {
        return new Intake(LoopSettings.EXACT, PriceCatalogue.EMPTY, candidates)
                .take(Samples.objects(List.of(node("n1").build()), pod), Map.of(), NOW);
    }
}
