package io.slotwise.lab.workload.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slotwise.core.gang.NodeConstraint;
import io.slotwise.core.resource.Resources;
import io.slotwise.lab.workload.Gpus;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.LogOptions;
import io.slotwise.lab.workload.Omission;
import io.slotwise.lab.workload.Texts;
import io.slotwise.lab.workload.format.WorkloadFormat;
import io.slotwise.lab.workload.log.LogWorkload;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PodsCsvReaderTest {
    private static final String HEADER =
            "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n";

    private static LogWorkload read(String text) {
        return (LogWorkload) WorkloadFormat.PODS_CSV.open(Texts.of("pods.csv", text), LogOptions.STRICT);
    }

    private static Job job(String line) {
        List<Job> jobs = Texts.jobs(read(HEADER + line + "\n"));
        assertThat(jobs).hasSize(1);
        return jobs.getFirst();
    }

    @Test
    void aPodIsAJobThatRunsFromItsSchedulingToItsDeletion() {
        Job job = job("p-0,6000,12288,1,460,,LS,Running,100,1000,130");

        assertThat(Texts.figures(job)).isEqualTo("p-0: 100 1 870 870");
        assertThat(job.user()).isEqualTo("user-unknown");
        assertThat(job.terms().queue()).isEqualTo("LS");
        assertThat(job.parts().getFirst().request().resources())
                .isEqualTo(Resources.of(Map.of(
                        Resources.CPU,
                        6000L,
                        Resources.MEMORY,
                        12288L << 20,
                        "nvidia.com/gpu-milli",
                        460L,
                        Resources.PODS,
                        1L)));
        assertThat(job.parts().getFirst().request().constraint()).isEqualTo(NodeConstraint.NONE);
    }

    @Test
    void wholeGpusAreThousandthsToo() {
        Job job = job("p,8000,0,8,1000,,LS,Running,0,10,0");

        assertThat(job.parts().getFirst().request().resources().get(Gpus.THOUSANDTHS))
                .isEqualTo(8000);
    }

    @Test
    void aPodThatWasNeverScheduledCountsFromItsCreation() {
        assertThat(Texts.figures(job("p,1,1,0,0,,BE,Pending,100,225,"))).isEqualTo("p: 100 1 125 125");
    }

    @Test
    void aPodOfLessThanASecondCountsAsOne() {
        assertThat(Texts.figures(job("p,1,1,0,0,,BE,Failed,100,120,120"))).isEqualTo("p: 100 1 1 1");
    }

    @Test
    void modelsOfGpusAreANodeAffinityOnTheirLabel() {
        NodeConstraint constraint = job("p,1,1,1,1000,V100M16|V100M32|V100M32,BE,Running,0,10,0")
                .parts()
                .getFirst()
                .request()
                .constraint();

        assertThat(constraint.affinity())
                .singleElement()
                .satisfies(term -> assertThat(term.labels())
                        .containsExactly(new NodeConstraint.Requirement(
                                "nvidia.com/gpu.product",
                                NodeConstraint.Requirement.Operator.IN,
                                List.of("V100M16", "V100M32"))));
    }

    @Test
    void aPodThatEndsBeforeItBeginsIsLeftOut() {
        LogWorkload log = read(HEADER + "p,1,1,0,0,,BE,Failed,100,120,130\n");

        assertThat(Texts.jobs(log)).isEmpty();
        assertThat(log.reading().omitted()).isEqualTo(Map.of(Omission.NO_RUNTIME, 1L));
    }

    @Test
    void theOrderOfColumnsIsFreeAndQuotesAreUnderstood() {
        String text = """
                scheduled_time,deletion_time,creation_time,gpu_milli,num_gpu,memory_mib,cpu_milli,name,remark
                130,1000,100,0,0,1,1,p,"a, b"
                """;

        assertThat(Texts.jobs(read(text))).extracting(Texts::figures).containsExactly("p: 100 1 870 870");
    }

    @Test
    void invalidInputIsReportedWithItsPosition() {
        assertThatThrownBy(() -> job("p,many,1,0,0,,BE,Failed,100,120,110"))
                .hasMessage("pods.csv:2:2: the milli-cores (many) is not valid: expected a number");
        assertThatThrownBy(() -> job("p,-1,1,0,0,,BE,Failed,100,120,110"))
                .hasMessage("pods.csv:2:2: the milli-cores (-1) is not valid: expected between 0 and 1000000000");
        assertThatThrownBy(() -> job(",1,1,0,0,,BE,Failed,100,120,110"))
                .hasMessage("pods.csv:2:1: the name () is not valid: expected the pod's name");
        assertThatThrownBy(() -> job("p,1,1"))
                .hasMessageStartingWith("pods.csv:2:4: the line has 3 columns: expected 11 (name,cpu_milli,");
        assertThatThrownBy(() -> job("p,1,\"1,0,0,,BE,Failed,100,120,110"))
                .hasMessage("pods.csv:2:1: the quotes are not closed: expected comma-separated values");
        assertThatThrownBy(() -> read("name,cpu_milli\n"))
                .hasMessage("pods.csv:1:1: there is no column memory_mib: expected it among name,cpu_milli");
    }
}
