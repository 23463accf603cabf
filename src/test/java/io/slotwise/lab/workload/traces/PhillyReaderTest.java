package io.slotwise.lab.workload.traces;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slotwise.core.resource.Resources;
import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.LogOptions;
import io.slotwise.lab.workload.Omission;
import io.slotwise.lab.workload.Texts;
import io.slotwise.lab.workload.format.WorkloadFormat;
import io.slotwise.lab.workload.log.LogWorkload;
import java.util.Map;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;

class PhillyReaderTest {
    private static LogWorkload read(String text, LogOptions options) {
        return (LogWorkload) WorkloadFormat.PHILLY.open(Texts.of("philly.csv", text), options);
    }

    @Test
    void aJobIsAGangOfPodsWithOneGpuEach() {
        LogWorkload log = read("""
            job_id,submit_time_s,duration_s,num_gpus,tenant_vc
            0,590,66,8,11cb48
            """, LogOptions.STRICT);

        assertThat(log.processors()).isEmpty();
        assertThat(Texts.jobs(log)).singleElement().satisfies(job -> {
            assertThat(Texts.figures(job)).isEqualTo("0: 590 8 66 66");
            assertThat(job.user()).isEqualTo("11cb48");
            assertThat(job.parts().getFirst().request().resources())
                    .isEqualTo(Resources.of(Map.of("nvidia.com/gpu", 1L, Resources.PODS, 1L)));
        });
    }

    @Test
    void derivedTracesWithOtherNamesAreUnderstood() {
        LogWorkload log = read("""
            job_id,num_gpu,submit_time,iterations,model_name,duration,interval
            a,2,53,157,inception4,127,26
            """, LogOptions.STRICT);

        assertThat(Texts.jobs(log)).singleElement().satisfies(job -> {
            assertThat(Texts.figures(job)).isEqualTo("a: 53 2 127 127");
            assertThat(job.user()).isEqualTo("user-unknown");
        });
    }

    @Test
    void jobsThatDoNotFitOrDoNotRunAreLeftOut() {
        LogWorkload log = read("""
            job_id,submit_time_s,duration_s,num_gpus,tenant_vc
            0,0,66,9,a
            1,0,0,1,a
            2,0,66,0,a
            3,-1,66,1,a
            4,0,66,8,a
            """, new LogOptions(false, OptionalInt.of(8), false));

        assertThat(Texts.jobs(log)).extracting(Job::id).containsExactly("4");
        assertThat(log.reading().omitted())
                .containsOnlyKeys(Omission.NO_RUNTIME, Omission.NO_PROCESSORS, Omission.TOO_WIDE, Omission.EARLY);
    }

    @Test
    void invalidInputIsReportedWithItsPosition() {
        assertThatThrownBy(() -> read("job_id,submit_time_s,duration_s,tenant_vc\n", LogOptions.STRICT))
                .hasMessage("philly.csv:1:1: there is no column num_gpus or num_gpu: expected it among"
                        + " job_id,submit_time_s,duration_s,tenant_vc");
        assertThatThrownBy(() -> read("job_id,submit_time_s,duration_s,num_gpus\n0,now,1,1\n", LogOptions.STRICT))
                .hasMessage("philly.csv:2:2: the submit time (now) is not valid: expected a number");
    }
}
