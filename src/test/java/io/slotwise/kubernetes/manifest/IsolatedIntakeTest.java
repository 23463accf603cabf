package io.slotwise.kubernetes.manifest;

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
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Toleration;
import io.slotwise.core.cluster.Occupation;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.work.InternalFailure;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.gang.KnownGang;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Unforeseen objects with a null in a list. Proves that each fails alone and is named. */
class IsolatedIntakeTest {
    private static Pod broken(Pod pod) {
        pod.getSpec().setTolerations(Arrays.asList((Toleration) null));
        return pod;
    }

    @Test
    void aGangThatCannotBeReadIsRefusedByItsNameAndTheOthersArePlanned() {
        IntakeResult result = take(
                broken(member("bad", "bad-0", AnnotationKeys.GANG_SIZE, "1").build()),
                pod("good").build());

        assertThat(result.snapshot().requests())
                .singleElement()
                .satisfies(request -> assertThat(request.gang().id()).isEqualTo(id("pod-good")));
        assertThat(result.snapshot().held()).singleElement().satisfies(held -> {
            assertThat(held.gang()).isEqualTo(id("bad"));
            assertThat(held.refusal()).isInstanceOf(Refusal.Failed.class);
            assertThat(held.refusal().message()).doesNotContain("Exception");
            assertThat(((Refusal.Failed) held.refusal()).error().words()).startsWith("NullPointerException in ");
        });
    }

    @Test
    void aFailingGangKeepsItsPromiseAndItsRoom() {
        IntakeResult promised = take(
                objects(
                        List.of(node("n1").build()),
                        broken(member("bad", "bad-0", AnnotationKeys.GANG_SIZE, "1")
                                .build())),
                Map.of(id("bad"), new KnownGang(promise("bad", 60, false, "bad-0"), OptionalLong.empty(), Set.of())));
        Pod running = bound(member("bad", "bad-0", AnnotationKeys.GANG_SIZE, "1"), "n1", -60);
        running.getMetadata().setCreationTimestamp("yesterday");
        IntakeResult runs = take(
                objects(List.of(node("n1").build()), running),
                Map.of(
                        id("bad"),
                        new KnownGang(promise("bad", -60, true, "bad-0"), OptionalLong.of(NOW - 60), Set.of())));

        assertThat(promised.snapshot().held()).extracting(Pending::gang).containsExactly(id("bad"));
        assertThat(promised.snapshot().cluster().occupations())
                .extracting(Occupation::holder)
                .containsExactly("user/bad-0");
        assertThat(runs.snapshot().held()).as("it runs").isEmpty();
        assertThat(runs.snapshot().cluster().occupations()).singleElement().satisfies(room -> {
            assertThat(room.node()).isEqualTo("n1");
            assertThat(room.resources().get(Resources.CPU)).isEqualTo(1000);
        });
        assertThat(runs.warnings())
                .singleElement()
                .satisfies(warning -> assertThat(warning.message()).startsWith("gang user/bad is not planned"));
    }

    @Test
    void nothingIsPlannedOnANodeThatCannotBeReadAndTheOthersAreUsed() {
        Node bad = node("bad").build();
        bad.getStatus().setConditions(Arrays.asList((NodeCondition) null));

        IntakeResult result = take(objects(List.of(bad, node("good").build()), pod("p").build()), Map.of());

        assertThat(result.snapshot().cluster().inventory())
                .filteredOn(node -> node.schedulable())
                .extracting(node -> node.name())
                .containsExactly("good");
        assertThat(result.warnings()).singleElement().satisfies(warning -> {
            assertThat(warning.reason()).isEqualTo(IntakeWarning.Reason.INTERNAL_ERROR);
            InternalFailure failure = Objects.requireNonNull(warning.failure());
            assertThat(warning.message())
                    .isEqualTo(("node bad cannot be read because of internal error %s; nothing is planned on this node "
                                    + "until then")
                            .formatted(failure.id()));
            assertThat(failure.words()).startsWith("NullPointerException in ");
        });
    }
}
