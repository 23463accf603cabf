package io.slotwise.cli.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.cli.console.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DistanceOptionsTest {
    private static final String COST = "rack=1, cluster=1.6";

    @TempDir
    private Path folder;

    /** The job has two tasks, and each node is a rack. */
    private CommandLineRun simulate(int cores, String policy, String request) throws IOException {
        Path nodes = folder.resolve("nodes.csv");
        Files.writeString(nodes, """
                name,count,cpu_milli,memory_mib,price,label:rack
                a,1,1000,1000,1,a
                b,1,%d000,1000,1,b
                """.formatted(cores));
        Path log = folder.resolve("log.swf");
        Files.writeString(log, "; MaxProcs: 2\n1 0 -1 100 2 -1 -1 2 100 -1 1 1 -1 -1 1 -1 -1 -1\n");
        return CommandLineRun.of(
                "study",
                "simulate",
                "--workload",
                log.toString(),
                "--nodes",
                nodes.toString(),
                "--policy",
                policy,
                "--distance-cost",
                COST,
                "--topology",
                request,
                "--starts",
                starts().toString());
    }

    private Path starts() {
        return folder.resolve("starts.csv");
    }

    @ParameterizedTest
    @CsvSource({"distance, 1, 160", "ignored, 1, 160", "required, 2, 100"})
    void distantTasksTakeLongerWhateverTheirJobRequests(String request, int cores, long end) throws IOException {
        CommandLineRun run = simulate(cores, "slotwise", request);

        assertThat(run.err()).isEmpty();
        assertThat(starts()).hasContent("job_id,submit,start,end\n1,0,0,%d\n".formatted(end));
    }

    @Test
    void aDisciplineDoesNotKnowTheNodesOfAJob() throws IOException {
        CommandLineRun run = simulate(1, "easy", "distance");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err())
                .contains("The policy (easy) does not know the nodes of a job; expected no --distance-cost");
    }

    @Test
    void anUnknownRequestIsRefused() throws IOException {
        CommandLineRun run = simulate(1, "slotwise", "near");

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains("'near' is not a request of topology; expected distance, required or ignored");
    }
}
