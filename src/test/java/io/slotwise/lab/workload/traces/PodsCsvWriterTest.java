package io.slotwise.lab.workload.traces;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.lab.workload.LogOptions;
import io.slotwise.lab.workload.Texts;
import io.slotwise.lab.workload.format.WorkloadFormat;
import java.io.IOException;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class PodsCsvWriterTest {
    private static final String HEADER =
            "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,deletion_time,scheduled_time\n";

    private static String written(WorkloadFormat format, String text) throws IOException {
        StringWriter out = new StringWriter();
        PodsCsvWriter.write(format.open(Texts.of("in", text), LogOptions.STRICT), out);
        return out.toString();
    }

    @Test
    void podsWrittenAndReadAreTheSameJobs() throws IOException {
        String pods = HEADER + """
                a,6000,12288,1,460,,LS,Running,100,1000,130
                b,12000,0,8,1000,T4|P100,LS,Running,100,1000,100
                """;

        String text = written(WorkloadFormat.PODS_CSV, pods);

        assertThat(text).isEqualTo(HEADER + """
                a,6000,12288,1,460,,LS,Succeeded,100,970,100
                b,12000,0,8,1000,T4|P100,LS,Succeeded,100,1000,100
                """);
        assertThat(Texts.jobs(WorkloadFormat.PODS_CSV.open(Texts.of("in", text), LogOptions.STRICT)))
                .isEqualTo(Texts.jobs(WorkloadFormat.PODS_CSV.open(Texts.of("in", pods), LogOptions.STRICT)));
    }

    @Test
    void everyTaskOfAGangIsAPod() throws IOException {
        String text =
                written(WorkloadFormat.PHILLY, "job_id,submit_time_s,duration_s,num_gpus,tenant_vc\n5,7,66,2,vision\n");

        assertThat(text).isEqualTo(HEADER + """
                5-0,0,0,1,1000,,,Succeeded,7,73,7
                5-1,0,0,1,1000,,,Succeeded,7,73,7
                """);
    }
}
