package io.slotwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.report.Terminal;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

class ExtenderKeysCommandTest {
    private final StringWriter out = new StringWriter();
    private final StringWriter err = new StringWriter();
    private final ExtenderKeysCommand command = new ExtenderKeysCommand(new Session(
            new ByteArrayInputStream(new byte[0]),
            new PrintWriter(out),
            new PrintWriter(err),
            new Terminal(80, false, false),
            InstantSource.fixed(Instant.EPOCH)));

    private final Path folder;

    ExtenderKeysCommandTest(@TempDir Path folder) {
        this.folder = folder;
    }

    private int run(Path slotwise) {
        return new CommandLine(command.spec())
                .execute("--slotwise=" + slotwise, "--kube-scheduler=" + folder.resolve("b"));
    }

    @Test
    void writesKeysOnceAndSaysWhere() throws IOException {
        Path slotwise = folder.resolve("a");

        assertThat(run(slotwise)).isZero();
        String key = Files.readString(slotwise.resolve("tls.key"));
        assertThat(run(slotwise)).isZero();

        assertThat(out.toString())
                .contains("Wrote keys to " + slotwise, "already have keys, which are kept")
                .doesNotContain("BEGIN");
        assertThat(Files.readString(slotwise.resolve("tls.key"))).isEqualTo(key);
    }

    @Test
    void aFolderThatCannotBeWrittenIsNamed() throws IOException {
        Path file = Files.writeString(folder.resolve("file"), "");

        assertThat(run(file)).isEqualTo(1);
        assertThat(err.toString()).contains("slotwise: the keys cannot be written", file.toString());
    }
}
