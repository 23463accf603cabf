package io.slotwise.kubernetes.manifest.pods;

import static io.slotwise.kubernetes.manifest.Samples.pod;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.slotwise.core.migration.EvictionTiming;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The time until evicted pods are made again. */
class PodRecreationTest {
    private static PodBuilder owned(String apiVersion, String kind) {
        return owned(apiVersion, kind, "u");
    }

    private static PodBuilder owned(String apiVersion, String kind, String uid) {
        return pod("p").editMetadata()
                .addNewOwnerReference()
                .withUid(uid)
                .withController(true)
                .withApiVersion(apiVersion)
                .withKind(kind)
                .endOwnerReference()
                .endMetadata();
    }

    private static Pod ofIndex(String failures, String ignored) {
        return owned("batch/v1", "Job")
                .editMetadata()
                .addToAnnotations(PodRecreation.INDEX_FAILURES, failures)
                .addToAnnotations(PodRecreation.INDEX_IGNORED, ignored)
                .endMetadata()
                .build();
    }

    private static long pause(Pod pod, int pods, int before) {
        EvictionTiming stop = PodRecreation.stop(Collections.nCopies(pods, pod), before);
        return stop.back() - stop.gone();
    }

    @ParameterizedTest
    @CsvSource({
        "1,0,10",
        "2,0,20",
        "3,0,40",
        "4,0,80",
        "6,0,320",
        "7,0,600",
        "5000,0,600",
        "1,1,20",
        "3,1,320",
        "2,2,320"
    })
    void aJobPausesTwiceAsLongForEachPodThatWasEvicted(int pods, int before, long pause) {
        assertThat(pause(owned("batch/v1", "Job").build(), pods, before)).isEqualTo(pause);
    }

    @ParameterizedTest
    @CsvSource({"0,0,10", "1,0,20", "0,1,20", "2,3,320", "9,0,600", "x,-1,10", "999999999,999999999,600"})
    void anIndexWithALimitOfItsOwnCountsForItself(String failures, String ignored, long pause) {
        assertThat(pause(ofIndex(failures, ignored), 4, 7)).isEqualTo(pause);
    }

    @Test
    void theWorstIndexCountsForTheGang() {
        assertThat(PodRecreation.stop(List.of(ofIndex("0", "0"), ofIndex("2", "0")), 0))
                .isEqualTo(new EvictionTiming(35, 75));
    }

    @Test
    void eachJobOfAGangCountsItsOwnPods() {
        List<Pod> pods = Stream.of("a", "b", "b")
                .map(uid -> owned("batch/v1", "Job", uid).build())
                .toList();

        assertThat(PodRecreation.stop(pods, 0)).isEqualTo(new EvictionTiming(35, 55));
    }

    @Test
    void otherControllersAreGivenTenSeconds() {
        assertThat(pause(owned("apps/v1", "StatefulSet").build(), 9, 3)).isEqualTo(10);
        assertThat(pause(owned("batch.volcano.sh/v1alpha1", "Job").build(), 9, 3))
                .isEqualTo(10);
    }

    @Test
    void theLongestGraceCountsForTheGang() {
        Pod usual = owned("apps/v1", "StatefulSet").build();
        Pod patient = new PodBuilder(usual)
                .editSpec()
                .withTerminationGracePeriodSeconds(300L)
                .endSpec()
                .build();

        assertThat(PodRecreation.stop(List.of(usual, patient), 0)).isEqualTo(new EvictionTiming(305, 315));
    }
}
