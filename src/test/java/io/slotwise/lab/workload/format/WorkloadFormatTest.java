package io.slotwise.lab.workload.format;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.slotwise.lab.workload.LogOptions;
import io.slotwise.lab.workload.Texts;
import io.slotwise.lab.workload.Workload;
import java.io.ByteArrayInputStream;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WorkloadFormatTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a.swf|swf|x",
                "A.SWF.GZ|swf|x",
                "a.mwf.gz|metacentrum|x",
                "a.lublin|lublin|x",
                "a|swf|; Version: 2.2",
                "a.txt|swf|1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18",
                "a.txt|metacentrum|1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21",
                "a.csv|pods-csv|name,cpu_milli,memory_mib,num_gpu,gpu_milli,creation_time",
                "a.csv|philly|job_id,submit_time_s,duration_s,num_gpus,tenant_vc",
                "a.csv|philly|job_id,num_gpu,submit_time,duration",
            })
    void theNameOrElseTheFirstLineTellsTheFormat(String name, String key, String firstLine) {
        assertThat(WorkloadFormat.detect(Texts.of(name, "\n" + firstLine + "\n"))
                        .key())
                .isEqualTo(key);
    }

    @Test
    void anUndetectableFormatMustBeStated() {
        String expected = "notes.txt: neither its name nor its first line tells the format; expected swf, "
                + "metacentrum, pods-csv, philly or lublin";

        assertThatThrownBy(() -> WorkloadFormat.detect(Texts.of("notes.txt", "once upon a time\n")))
                .hasMessage(expected);
        assertThatThrownBy(() -> WorkloadFormat.detect(Texts.of("notes.txt", "")))
                .hasMessage(expected);
    }

    @Test
    void everyFormatIsFoundByItsName() {
        assertThat(Arrays.stream(WorkloadFormat.values()))
                .allSatisfy(
                        format -> assertThat(WorkloadFormat.of(format.key())).contains(format));
        assertThat(WorkloadFormat.of("xls")).isEmpty();
    }

    @Test
    void standardInputCanBeToldMoreThanOnce() {
        String text = "; MaxProcs: 4\n1 5 -1 10 1 -1 -1 1 20 -1 1 1 1 -1 -1 -1 -1 -1\n";
        InputStream in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));

        Workload workload = WorkloadFile.open("-", null, LogOptions.STRICT, in);

        assertThat(workload.name()).isEqualTo("standard input");
        assertThat(Texts.jobs(workload)).hasSize(1);
        assertThat(Texts.jobs(workload)).hasSize(1);
    }
}
