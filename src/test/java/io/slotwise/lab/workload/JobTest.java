package io.slotwise.lab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.slotwise.core.gang.Gang;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.gang.PodRequest;
import io.slotwise.core.resource.Resources;
import io.slotwise.testing.Jobs;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JobTest {
    @Test
    void aGangHasAPodForEveryTaskAndTheEstimateForItsRuntime() {
        Job job = new Job(
                "7",
                100,
                List.of(new Job.Part(1, request(4, 60)), new Job.Part(2, request(1, 60))),
                45,
                "ann",
                JobTerms.NONE);

        Gang gang = job.gang();

        assertThat(gang.id()).isEqualTo(new GangId("ann", "7"));
        assertThat(gang.pods()).containsExactly("7-0", "7-1", "7-2");
        assertThat(gang.requestOf("7-0").resources().get(Resources.CPU)).isEqualTo(4000);
        assertThat(gang.requestOf("7-2").resources().get(Resources.CPU)).isEqualTo(1000);
        assertThat(gang.runtime()).isEqualTo(60);
        assertThat(gang.arrival()).isEqualTo(100);
        assertThat(job.size()).isEqualTo(3);
    }

    @Test
    void anotherEstimateLeavesTheRealRuntime() {
        Job job = Jobs.of("7", 100, 2, request(1, 60), 45, "ann").estimated(50);

        assertThat(job.estimate()).isEqualTo(50);
        assertThat(job.runtime()).isEqualTo(45);
    }

    @Test
    void tasksOfOneJobHaveOneEstimate() {
        List<Job.Part> parts = List.of(new Job.Part(1, request(1, 60)), new Job.Part(1, request(1, 61)));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Job("7", 100, parts, 45, "ann", JobTerms.NONE))
                .withMessage("The tasks of job (7) must have the same estimate, not 60 s and 61 s.");
    }

    private static PodRequest request(int cpus, long estimate) {
        return new PodRequest(
                Resources.of(Map.of(Resources.CPU, 1000L * cpus, Resources.PODS, 1L)),
                NodeConstraint.NONE,
                estimate,
                false);
    }
}
