package io.slotwise.kubernetes.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.pods.Pods;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PendingWritesTest {
    private final Map<String, Pod> watched = new HashMap<>();
    private long nanos;
    private final PendingWrites writes =
            new PendingWrites(pod -> watched.get(pod.getMetadata().getName()), () -> nanos);

    @Test
    void aWriteIsUnseenUntilTheWatchShowsItOrThePodIsGone() {
        Duration echo = Duration.ofSeconds(10);
        Pod first = watch("g-0", "u0", null);
        Pod second = watch("g-1", "u1", null);
        writes.bound(first, "n1");
        nanos += Duration.ofSeconds(3).toNanos();
        writes.bound(second, "n1");

        nanos += Duration.ofSeconds(8).toNanos();
        assertThat(writes.isUnseenFor(echo)).as("the first one").isTrue();
        watch("g-0", "u0", "n1");
        assertThat(writes.isUnseenFor(echo)).isFalse();

        nanos += Duration.ofSeconds(8).toNanos();
        assertThat(writes.isUnseenFor(echo)).as("the second one").isTrue();
        watched.remove("g-1");
        assertThat(writes.isUnseenFor(echo)).isFalse();
    }

    @Test
    void aPodIsShownUngatedAndThenBound() {
        Pod seen = watch("g-0", "u0", null);

        writes.ungated(seen);
        assertThat(Pods.isGated(writes.on(seen))).isFalse();
        assertThat(writes.on(seen).getSpec().getSchedulingGates())
                .extracting(gate -> gate.getName())
                .containsExactly("example.com/other");
        assertThat(writes.boundTo("n1")).isEmpty();

        writes.bound(seen, "n1");
        assertThat(writes.on(seen).getSpec().getNodeName()).isEqualTo("n1");
        assertThat(Pods.isGated(writes.on(seen))).isFalse();
        assertThat(writes.boundTo("n1")).containsExactly(writes.on(seen));
        assertThat(Pods.isGated(seen)).isTrue();
    }

    @Test
    void aBindingIsNotForgottenForAGate() {
        Pod seen = watch("g-0", "u0", null);
        writes.bound(seen, "n1");
        writes.ungated(seen);

        assertThat(writes.on(seen).getSpec().getNodeName()).isEqualTo("n1");
    }

    @Test
    void theSameVersionIsTheSameObjectAndAnOldOneThatComesLateIsCompletedToo() {
        Pod seen = watch("g-0", "u0", null);
        writes.bound(seen, "n1");
        assertThat(writes.on(seen)).isSameAs(writes.on(seen));

        Pod late = watch("g-0", "u0", null);
        assertThat(writes.on(late)).isNotSameAs(late).isSameAs(writes.on(late));
        assertThat(writes.on(late).getSpec().getNodeName()).isEqualTo("n1");
    }

    @Test
    void objectsOfTheWatchAreShownUnchanged() {
        writes.bound(watch("g-0", "u0", null), "n1");
        Pod shown = watch("g-0", "u0", "n1");

        assertThat(writes.on(shown)).isSameAs(shown);
        assertThat(writes.boundTo("n1")).isEmpty();
    }

    @Test
    void aNewPodOfTheSameNameIsAnother() {
        writes.bound(watch("g-0", "u0", null), "n1");
        Pod next = watch("g-0", "u1", null);

        assertThat(writes.on(next)).isSameAs(next);
        assertThat(writes.boundTo("n1")).isEmpty();
    }

    @Test
    void manyAreShownInTheirOrder() {
        Pod one = watch("g-0", "u0", null);
        Pod two = watch("g-1", "u1", null);
        assertThat(writes.on(List.of(one, two))).containsExactly(one, two);

        writes.bound(two, "n1");
        assertThat(writes.on(List.of(one, two))).containsExactly(one, writes.on(two));
    }

    @Test
    void theVersionAfterAWriteIsKnownUntilTheWatchShowsAnother() {
        Pod seen = versioned(watch("g-0", "u0", null), "7");
        assertThat(writes.versionOf(seen)).isEqualTo("7");

        writes.written(seen, "8");
        assertThat(writes.versionOf(versioned(seen, "7"))).isEqualTo("8");
        assertThat(writes.on(seen)).isSameAs(seen);

        assertThat(writes.versionOf(versioned(seen, "9"))).isEqualTo("9");
        assertThat(writes.versionOf(versioned(watch("g-0", "u1", null), "7"))).isEqualTo("7");
    }

    private static Pod versioned(Pod pod, String version) {
        return new PodBuilder(pod)
                .editMetadata()
                .withResourceVersion(version)
                .endMetadata()
                .build();
    }

    private Pod watch(String name, String uid, @Nullable String node) {
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withUid(uid)
                .endMetadata()
                .withNewSpec()
                .addNewSchedulingGate("example.com/other")
                .addNewSchedulingGate(AnnotationKeys.WINDOW_GATE)
                .withNodeName(node)
                .endSpec()
                .build();
        watched.put(name, pod);
        return pod;
    }
}
