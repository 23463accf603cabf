package io.slotwise.cli.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.cli.console.CommandConsole;
import io.slotwise.cli.console.CommandLineRun;
import io.slotwise.kubernetes.crd.v1alpha1.Reservation;
import io.slotwise.kubernetes.kubectl.KubectlCluster;
import io.slotwise.kubernetes.kubectl.PodController;
import io.slotwise.live.record.GangRecord;
import io.slotwise.report.Terminal;
import java.io.ByteArrayInputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

class CancelCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final List<String> asked = new ArrayList<>();
    private final List<PodController> deleted = new ArrayList<>();
    private List<PodController> makers = List.of(new PodController("batch/v1", "Job", "research", "train", "u1"));

    @Test
    void theGangsOwnerIsDeleted() {
        assertThat(run("research/train")).isZero();

        assertThat(asked).containsExactly("research train");
        assertThat(deleted).isEqualTo(makers);
        assertThat(out.toString()).isEqualToIgnoringNewLines("Job research/train deleted\n");
    }

    @Test
    void aDryRunOnlyTells() {
        assertThat(run("train", "--dry-run")).isZero();

        assertThat(asked).containsExactly("mine train");
        assertThat(deleted).isEmpty();
        assertThat(out.toString()).isEqualToIgnoringNewLines("Job research/train would be deleted\n");
    }

    @Test
    void aNameThatNothingHasIsRefused() {
        makers = List.of();

        assertThat(run("train", "-n", "other")).isEqualTo(2);

        assertThat(err.toString()).contains("there is no gang and no advance reservation other/train");
    }

    private int run(String... words) {
        CommandConsole console = new CommandConsole(
                new ByteArrayInputStream(new byte[0]),
                new PrintWriter(out, true),
                new PrintWriter(err, true),
                new Terminal(100, false, true),
                InstantSource.fixed(CommandLineRun.CLOCK));
        return new CommandLine(new CancelCommand(console, Fake::new).spec())
                .setErr(new PrintWriter(err, true))
                .setExecutionExceptionHandler((e, _, _) -> {
                    err.write(String.valueOf(e.getMessage()));
                    return 2;
                })
                .execute(words);
    }

    private final class Fake implements KubectlCluster {
        @Override
        public String namespace() {
            return "mine";
        }

        @Override
        public List<PodController> makersOf(String namespace, String gang) {
            asked.add(namespace + " " + gang);
            return makers;
        }

        @Override
        public void delete(PodController maker) {
            deleted.add(maker);
        }

        @Override
        public void create(Reservation reservation) {
            throw new UnsupportedOperationException();
        }

        @Override
        public GangRecord record(String namespace, String name) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {}
    }
}
