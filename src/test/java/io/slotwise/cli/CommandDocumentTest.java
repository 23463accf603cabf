package io.slotwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.cli.console.CommandLineRun;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** docs/reference/cli.md against what the program itself says. */
class CommandDocumentTest {
    private static final Path DOCUMENT = Path.of("docs/reference/cli.md");
    private static final Pattern COMMAND = Pattern.compile("^  ([a-z-]+)  ", Pattern.MULTILINE);
    private static final Pattern OPTION = Pattern.compile("--[a-z][a-z-]*");

    /** The options of all commands, in their short form of the document. */
    private static final Set<String> USUAL = Set.of("--help", "--file", "--output");

    @TempDir
    Path folder;

    @Test
    void everyCommandIsInTheTable() throws IOException {
        String document = Files.readString(DOCUMENT);
        String help = CommandLineRun.of("--help").out();
        Matcher commands = COMMAND.matcher(help);

        int found = 0;
        while (commands.find()) {
            assertThat(document).contains("| `" + commands.group(1) + "` |");
            found++;
        }

        assertThat(found).isGreaterThan(10);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"queue", "nodes", "diag", "cancel", "why", "quote", "reserve", "board", "plan", "queues", "serve"
            })
    void everyOptionIsExplained(String command) throws IOException {
        String document = Files.readString(DOCUMENT);
        String help = CommandLineRun.of(command, "--help").out();
        String options = help.substring(0, help.contains("Examples:") ? help.indexOf("Examples:") : help.length());
        Matcher names = OPTION.matcher(options);

        while (names.find()) {
            if (!USUAL.contains(names.group())) {
                assertThat(document.contains(names.group()))
                        .as("%s of %s is in docs/reference/cli.md", names.group(), command)
                        .isTrue();
            }
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "queue",
                "queues",
                "nodes",
                "diag",
                "cancel",
                "why",
                "quote",
                "reserve",
                "board",
                "completion",
                "study",
                "study frontier",
                "study price"
            })
    void everyCommandShowsExamples(String command) {
        assertThat(CommandLineRun.of((command + " --help").split(" ")).out())
                .contains("Examples:", "  slotwise " + command);
    }

    @Test
    void kubectlCompletesWords() throws Exception {
        Path program = Files.writeString(folder.resolve("program"), "#!/bin/sh\necho \"asked $*\"\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        ProcessBuilder completion = new ProcessBuilder(
                        Path.of("deploy/kubectl_complete-slotwise")
                                .toAbsolutePath()
                                .toString(),
                        "why",
                        "user/")
                .redirectErrorStream(true);
        completion.environment().put("SLOTWISE", program.toString());

        Process process = completion.start();

        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("asked __complete why user/\n:0\n");
        assertThat(process.waitFor()).isZero();
    }

    @Test
    void thePluginRunsTheProgramWithItsArguments() throws Exception {
        Path program = Files.writeString(folder.resolve("program"), "#!/bin/sh\necho \"ran $*\"\n");
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
        ProcessBuilder plugin = new ProcessBuilder(
                        Path.of("deploy/kubectl-slotwise").toAbsolutePath().toString(), "why", "user/g")
                .redirectErrorStream(true);
        plugin.environment().put("SLOTWISE", program.toString());

        Process process = plugin.start();

        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("ran why user/g\n");
        assertThat(process.waitFor()).isZero();
    }
}
