package io.slotwise.kubernetes.kubectl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.APIResourceBuilder;
import io.fabric8.kubernetes.api.model.APIResourceListBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.PodListBuilder;
import io.fabric8.kubernetes.api.model.batch.v1.JobBuilder;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.slotwise.kubernetes.publish.FailFastClient;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PodControllersTest {
    private final KubernetesMockServer server = new KubernetesMockServer(false);

    @BeforeEach
    void start() {
        server.init();
        server.expect()
                .get()
                .withPath("/apis/batch/v1")
                .andReturn(
                        200,
                        new APIResourceListBuilder()
                                .withGroupVersion("batch/v1")
                                .withResources(new APIResourceBuilder()
                                        .withKind("Job")
                                        .withName("jobs")
                                        .withSingularName("job")
                                        .withNamespaced(true)
                                        .build())
                                .build())
                .always();
        server.expect()
                .get()
                .withPath("/apis/batch/v1/namespaces/user/jobs/train")
                .andReturn(
                        200,
                        new JobBuilder()
                                .withNewMetadata()
                                .withNamespace("user")
                                .withName("train")
                                .withUid("j")
                                .endMetadata()
                                .build())
                .always();
    }

    @AfterEach
    void stop() {
        server.destroy();
    }

    @Test
    void theJobThatMadeAGangIsWhatHasToGo() {
        pods(made("a", "g"), made("b", "g"), bare("c", "other"));

        assertThat(access().makersOf("user", "g"))
                .extracting(PodController::toString)
                .containsExactly("Job user/train");
    }

    @Test
    void podsWithoutAControllerAreDeletedThemselves() {
        pods(bare("a", "g"), bare("b", "g"), bare("c", "other"));

        assertThat(access().makersOf("user", "g"))
                .extracting(PodController::toString)
                .containsExactly("Pod user/a", "Pod user/b");
    }

    @Test
    void aControllerOfSeveralGangsIsNotTouched() {
        pods(made("a", "g"), made("b", "other"));

        assertThatThrownBy(() -> access().makersOf("user", "g"))
                .hasMessage("Job user/train also made pods of user/other, such as b: expected one that made pods of "
                        + "user/g only. Maybe delete it with kubectl");
    }

    @Test
    void aGangThatIsNotThereHasNoMaker() {
        pods(bare("a", "g"));

        assertThat(access().makersOf("user", "h")).isEmpty();
    }

    /** Without its JobSet the wave would count as coming again, and other gangs would be evicted with it. */
    @Test
    void aLaterWavesJobSetIsNamed() {
        server.expect()
                .get()
                .withPath("/apis/jobset.x-k8s.io/v1alpha2/namespaces/user/jobsets/set")
                .andReturn(200, """
                        {"apiVersion": "jobset.x-k8s.io/v1alpha2", "kind": "JobSet",
                         "metadata": {"name": "set", "namespace": "user", "uid": "s"},
                         "spec": {"replicatedJobs": [{"name": "load"},
                          {"name": "train", "dependsOn": [{"name": "load", "status": "Complete"}]}]}}
                        """)
                .always();
        Pod there = new PodBuilder(made("set-load-0-0", "g"))
                .editMetadata()
                .withLabels(Map.of(
                        "jobset.sigs.k8s.io/jobset-name", "set", "jobset.sigs.k8s.io/replicatedjob-name", "load"))
                .endMetadata()
                .build();
        pods(there);

        assertThatThrownBy(() -> access().makersOf("user", "jobset-set.train"))
                .hasMessage("JobSet user/set makes pods of user/jobset-set.train and of other gangs: expected one that "
                        + "makes pods of user/jobset-set.train only. Maybe delete it with kubectl");
        assertThat(access().makersOf("user", "jobset-set.other")).isEmpty();
    }

    private ClusterAccess access() {
        return new ClusterAccess(FailFastClient.of(server.url("/")), () -> {}, null);
    }

    private void pods(Pod... pods) {
        server.expect()
                .get()
                .withPath("/api/v1/namespaces/user/pods")
                .andReturn(200, new PodListBuilder().withItems(pods).build())
                .always();
    }

    private static Pod made(String name, String gang) {
        return new PodBuilder(bare(name, gang))
                .editMetadata()
                .addNewOwnerReference()
                .withApiVersion("batch/v1")
                .withKind("Job")
                .withName("train")
                .withUid("j")
                .withController(true)
                .endOwnerReference()
                .endMetadata()
                .build();
    }

    private static Pod bare(String name, String gang) {
        return new PodBuilder()
                .withNewMetadata()
                .withNamespace("user")
                .withName(name)
                .withUid("u-" + name)
                .addToLabels("slotwise.io/gang", gang)
                .endMetadata()
                .withNewSpec()
                .endSpec()
                .build();
    }
}
