package io.slotwise.it.load;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.api.Test;

class ClusterBenchTest {
    @Test
    void itHasHelp() {
        StringWriter out = new StringWriter();

        int status = ClusterBench.commandLine().setOut(new PrintWriter(out)).execute("--help");

        assertThat(status).isZero();
        assertThat(out.toString()).contains("Usage: bench cluster", "--one-after-another");
    }
}
