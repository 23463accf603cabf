package io.slotwise.kubernetes.manifest.pods;

import static io.slotwise.kubernetes.manifest.Samples.member;
import static io.slotwise.kubernetes.manifest.Samples.node;
import static io.slotwise.kubernetes.manifest.Samples.objects;
import static io.slotwise.kubernetes.manifest.Samples.take;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.slotwise.core.gang.GangId;
import io.slotwise.kubernetes.manifest.IntakeResult;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GangBoundsTest {
    private static GangMembers gang(String namespace, String name, int size, String created) {
        GangMembers gang = new GangMembers(new GangId(namespace, name));
        for (int i = 0; i < size; i++) {
            gang.add(member(name, name + "-" + i)
                    .editMetadata()
                    .withNamespace(namespace)
                    .withCreationTimestamp(created)
                    .endMetadata()
                    .build());
        }
        return gang;
    }

    @Test
    void theOldestGangsOfANamespaceAndAllPromisedOnesArePlanned() {
        List<GangMembers> gangs = List.of(
                gang("crowd", "new", 3, "2029-01-03T00:00:00Z"),
                gang("crowd", "old", 3, "2029-01-01T00:00:00Z"),
                gang("crowd", "promised", 3, "2029-01-04T00:00:00Z"),
                gang("crowd", "small", 1, "2029-01-03T00:00:01Z"),
                gang("other", "new", 3, "2029-01-05T00:00:00Z"));

        assertThat(GangBounds.problems(gangs, 4, gang -> gang.id().name().equals("promised")))
                .containsOnlyKeys(new GangId("crowd", "new"))
                .containsValue("namespace crowd has more than 4 pods that wait without a window: the gang is planned "
                        + "once there are fewer");
    }

    @Test
    void aNamespaceWithMorePodsThanThatIsPlannedInPartAndOthersAreWhole() {
        Pod like = member("g", "g", AnnotationKeys.GANG_SIZE, "1").build();
        List<Pod> pods = new ArrayList<>(IntStream.range(0, GangBounds.MOST_PODS + 2)
                .mapToObj(i -> new PodBuilder(like)
                        .withNewMetadataLike(like.getMetadata())
                        .withName("p" + i)
                        .withNamespace("crowd")
                        .withLabels(Map.of("slotwise.io/gang", "g" + i))
                        .endMetadata()
                        .build())
                .toList());
        pods.add(member("g", "g-0", AnnotationKeys.GANG_SIZE, "1").build());

        IntakeResult result = take(objects(List.of(node("n1").build()), pods.toArray(Pod[]::new)), Map.of());

        assertThat(result.snapshot().requests()).hasSize(GangBounds.MOST_PODS + 1);
        assertThat(result.snapshot().held())
                .hasSize(2)
                .allMatch(pending -> pending.gang().namespace().equals("crowd"));
    }
}
