package io.slotwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class DemoCommandTest {
    private static final Path EXPECTED = Path.of("src/test/resources/demo/expected.txt");

    @Test
    void theDemoShowsWindowsReasonsAndAPictureAndIsAlwaysTheSame() throws IOException {
        CommandLineRun run = CommandLineRun.of("demo");

        assertThat(run.err()).isEmpty();
        assertThat(run.status()).isZero();
        assertThat(run.out()).isEqualTo(Files.readString(EXPECTED));
    }
}
