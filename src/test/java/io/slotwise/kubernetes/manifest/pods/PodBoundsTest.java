package io.slotwise.kubernetes.manifest.pods;

import static io.slotwise.kubernetes.manifest.Samples.member;
import static io.slotwise.kubernetes.manifest.Samples.node;
import static io.slotwise.kubernetes.manifest.Samples.objects;
import static io.slotwise.kubernetes.manifest.Samples.take;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Refusal;
import io.slotwise.kubernetes.manifest.IntakeResult;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PodBoundsTest {
    private static Pod withNodes(String gang, int names) {
        return member(gang, gang + "-0", AnnotationKeys.GANG_SIZE, "1")
                .editSpec()
                .editOrNewAffinity()
                .withNewNodeAffinity()
                .withNewRequiredDuringSchedulingIgnoredDuringExecution()
                .addNewNodeSelectorTerm()
                .addNewMatchExpression()
                .withKey("kubernetes.io/hostname")
                .withOperator("NotIn")
                .withValues(IntStream.range(0, names).mapToObj(i -> "m" + i).toList())
                .endMatchExpression()
                .endNodeSelectorTerm()
                .endRequiredDuringSchedulingIgnoredDuringExecution()
                .endNodeAffinity()
                .endAffinity()
                .endSpec()
                .build();
    }

    /** The parts besides the names: a term, a requirement, a container and its requests. */
    private static int others() {
        return PodBounds.MOST_PARTS
                - IntStream.rangeClosed(0, PodBounds.MOST_PARTS)
                        .filter(names -> PodBounds.problem(withNodes("g", names)) == null)
                        .max()
                        .orElseThrow();
    }

    @Test
    void aPodThatComparesTooMuchIsRefusedAndOthersAreNot() {
        int most = PodBounds.MOST_PARTS - others();

        IntakeResult result = take(
                objects(List.of(node("n1").build()), withNodes("fits", most), withNodes("over", most + 1)), Map.of());

        assertThat(result.snapshot().requests())
                .extracting(request -> request.gang().id())
                .containsExactly(new GangId("user", "fits"));
        assertThat(result.snapshot().held())
                .extracting(Pending::gang, Pending::refusal)
                .containsExactly(tuple(
                        new GangId("user", "over"),
                        new Refusal.InvalidRequest("pod user/over-0 has 2001 requirements and values of affinity, "
                                + "tolerations, spread constraints, volumes, claims and ports together: expected at "
                                + "most 2000")));
    }
}
