package io.slotwise.lab.workload.swf;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.lab.workload.LogOptions;
import io.slotwise.lab.workload.Texts;
import io.slotwise.lab.workload.Workload;
import io.slotwise.lab.workload.format.WorkloadFormat;
import java.io.IOException;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class SwfWriterTest {
    private static String written(Workload workload) throws IOException {
        StringWriter out = new StringWriter();
        SwfWriter.write(workload, out);
        return out.toString();
    }

    private static Workload read(WorkloadFormat format, String text) {
        return format.open(Texts.of("in", text), LogOptions.STRICT);
    }

    @Test
    void aLogWrittenAndReadTellsTheSameJobs() throws IOException {
        Workload log = read(WorkloadFormat.SWF, """
                ; MaxProcs: 128
                7 10 5 100 4 1.5 -1 8 300 -1 1 12 1 -1 -1 -1 -1 -1
                9 10 5 500 4 1.5 -1 -1 300 -1 1 -1 1 -1 -1 -1 -1 -1
                12 11 5 0 4 1.5 -1 -1 300 -1 1 0 1 -1 -1 -1 -1 -1
                """);

        String text = written(log);

        assertThat(text).isEqualTo("""
                ; Version: 2.2
                ; Conversion: slotwise study convert
                ; MaxJobs: 2
                ; MaxRecords: 2
                ; MaxProcs: 128
                ; Note: converted from in
                ;
                7 10 -1 100 8 -1 -1 8 300 -1 -1 12 1 -1 -1 -1 -1 -1
                9 10 -1 300 4 -1 -1 4 300 -1 -1 -1 1 -1 -1 -1 -1 -1
                """);
        Workload again = read(WorkloadFormat.SWF, text);
        assertThat(again.processors()).isEqualTo(log.processors());
        assertThat(Texts.jobs(again)).isEqualTo(Texts.jobs(log));
    }

    @Test
    void namesOfJobsAndUsersBecomeNumbers() throws IOException {
        String text = written(read(WorkloadFormat.PHILLY, """
                job_id,submit_time_s,duration_s,num_gpus,tenant_vc
                a,0,66,8,vision
                b,1,67,1,speech
                c,2,68,2,vision
                """));

        assertThat(text)
                .contains("; Note: user 1 is vision\n; Note: user 2 is speech\n")
                .doesNotContain("MaxProcs")
                .endsWith("""
                        1 0 -1 66 8 -1 -1 8 66 -1 -1 1 -1 -1 -1 -1 -1 -1
                        2 1 -1 67 1 -1 -1 1 67 -1 -1 2 -1 -1 -1 -1 -1 -1
                        3 2 -1 68 2 -1 -1 2 68 -1 -1 1 -1 -1 -1 -1 -1 -1
                        """);
    }

    @Test
    void coresAreRoundedUpToProcessorsAndMemoryIsPerProcessor() throws IOException {
        String text = written(read(
                WorkloadFormat.METACENTRUM,
                "3 5 0 10 5 1 1024 5 20 12288 1 62 1 1 -1 1 1 1 {12} q 1:ppn=1.5+2:ppn=2\n"));

        assertThat(text).endsWith("3 5 -1 10 6 -1 -1 6 20 2 -1 62 -1 -1 -1 -1 -1 -1\n");
    }
}
