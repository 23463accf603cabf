package io.slotwise.kubernetes.manifest.gang;

import static io.slotwise.kubernetes.manifest.Samples.id;
import static io.slotwise.kubernetes.manifest.Samples.member;
import static io.slotwise.kubernetes.manifest.Samples.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.Quantity;
import io.slotwise.core.resource.Resources;
import io.slotwise.core.runtime.RecurringWorkload;
import io.slotwise.kubernetes.manifest.field.QuantityAmounts;
import io.slotwise.kubernetes.manifest.pods.PodResources;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RepeatedWorkloadTest {
    @ParameterizedTest
    @CsvSource({
        "train, train",
        "train-x7k2p, train",
        "train-28394812, train",
        "nightly-train-28394812, nightly-train",
        "train-17, train",
        "train-small, train-small",
        "train-2030-01-31, train",
        "train-20300131t1200z, train",
        "web-5d4f8c7b9-x7k2p, web",
        "js-x7k2p-workers, js-workers",
        "run-0f8fad5b, run",
        "x7k2p, x7k2p",
        "17-18, 17",
        "resnet50, resnet50",
        "train-, train",
        "a-words, a-words"
    })
    void aNameLosesWhatWasGeneratedOfIt(String name, String stem) {
        assertThat(RepeatedWorkload.stem(name)).isEqualTo(stem);
    }

    private static Pod of(String kind, String owner, String image, String cpu) {
        return pod(owner + "-4s9fj")
                .editMetadata()
                .addNewOwnerReference()
                .withKind(kind)
                .withName(owner)
                .withUid("uid-" + owner)
                .withController(true)
                .endOwnerReference()
                .endMetadata()
                .editSpec()
                .editFirstContainer()
                .withImage(image)
                .editOrNewResources()
                .addToRequests("cpu", new Quantity(cpu))
                .endResources()
                .endContainer()
                .endSpec()
                .build();
    }

    private static Resources requests(Pod pod) {
        return PodResources.of(pod.getSpec(), new QuantityAmounts());
    }

    private static RecurringWorkload workload(Pod... pods) {
        return Objects.requireNonNull(RepeatedWorkload.of(id("pod-x"), List.of(pods), RepeatedWorkloadTest::requests));
    }

    @Test
    void theRunsOfOneTemplateAreOneWorkload() {
        RecurringWorkload first = workload(of("Job", "train-x7k2p", "reg:5000/train:v1", "2"));

        assertThat(workload(of("Job", "train-b4d9w", "reg:5000/train:v2", "2"))).isEqualTo(first);
        assertThat(workload(of("Job", "train-b4d9w", "reg:5000/train@sha256:abc", "2000m")))
                .isEqualTo(first);
        assertThat(first.name()).isEqualTo("Job/train");
        assertThat(first.key()).matches("1-[0-9a-f]{24}");
    }

    @Test
    void anotherOwnerImageRequestOrRoleIsAnotherWorkload() {
        RecurringWorkload first = workload(of("Job", "train-x7k2p", "train:v1", "2"));
        Pod worker = new PodBuilder(of("Job", "train-x7k2p", "train:v1", "2"))
                .editMetadata()
                .addToLabels("training.kubeflow.org/replica-type", "worker")
                .endMetadata()
                .build();

        assertThat(List.of(
                        workload(of("JobSet", "train-x7k2p", "train:v1", "2")).key(),
                        workload(of("Job", "test-x7k2p", "train:v1", "2")).key(),
                        workload(of("Job", "train-x7k2p", "evaluate:v1", "2")).key(),
                        workload(of("Job", "train-x7k2p", "train:v1", "3")).key(),
                        workload(worker).key()))
                .doesNotHaveDuplicates()
                .doesNotContain(first.key());
    }

    @Test
    void howManyPodsThereAreDoesNotCount() {
        Pod one = of("Job", "train-x7k2p", "train:v1", "2");
        Pod other = new PodBuilder(one)
                .editMetadata()
                .withName("train-x7k2p-zzzzz")
                .endMetadata()
                .build();

        assertThat(workload(one, other)).isEqualTo(workload(one));
    }

    @Test
    void podsWithoutAControllerGoByTheirGangOrTheirOwnName() {
        RecurringWorkload gang = Objects.requireNonNull(RepeatedWorkload.of(
                id("run-17"), List.of(member("run-17", "run-17-0").build()), RepeatedWorkloadTest::requests));
        RecurringWorkload single = Objects.requireNonNull(RepeatedWorkload.of(
                id("pod-solve-3"), List.of(pod("solve-3").build()), RepeatedWorkloadTest::requests));
        RecurringWorkload drawn = Objects.requireNonNull(RepeatedWorkload.of(
                id("pod-solve-abc"),
                List.of(pod("solve-abc")
                        .editMetadata()
                        .withGenerateName("solve-")
                        .endMetadata()
                        .build()),
                RepeatedWorkloadTest::requests));

        assertThat(gang.name()).isEqualTo("Gang/run");
        assertThat(single.name()).isEqualTo("Pod/solve");
        assertThat(drawn).isEqualTo(single);
    }

    @Test
    void unreadablePodsHaveNoRepeatedWorkload() {
        assertThat(RepeatedWorkload.of(
                        id("pod-x"),
                        List.of(of("Job", "train-x7k2p", "train:v1", "-2")),
                        RepeatedWorkloadTest::requests))
                .isNull();
        assertThat(RepeatedWorkload.of(id("pod-x"), List.of(), RepeatedWorkloadTest::requests))
                .isNull();
    }
}
