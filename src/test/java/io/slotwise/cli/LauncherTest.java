package io.slotwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The JVM options with which the launcher {@code ./slotwise} starts the program. */
class LauncherTest {
    @TempDir
    Path folder;

    @Test
    void aCommandWithoutAClusterSaysOnlyThat() throws Exception {
        Path out = folder.resolve("out");
        Path err = folder.resolve("err");
        List<String> command = new ArrayList<>(
                List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString()));
        command.addAll(options());
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), "io.slotwise.cli.Slotwise", "queue"));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().put("KUBECONFIG", folder.resolve("none").toString());
        builder.environment().put("HOME", folder.toString());

        Process process = builder.start();

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).isEqualTo(1);
        assertThat(Files.readString(out)).isEmpty();
        assertThat(Files.readAllLines(err))
                .hasSize(2)
                .noneMatch(line -> line.contains("WARNING") || line.contains("ERROR") || line.contains("\u001b"))
                .first()
                .asString()
                .startsWith("slotwise: the cluster (");
    }

    /** Maven ends its output with resets of colours that it never used. */
    @Test
    void aBuildLeavesNoResetOfColoursOnTheScreen() throws Exception {
        project();
        Path err = folder.resolve("err");
        Process process = launcher("version").redirectError(err.toFile()).start();

        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("run\n");
        assertThat(process.waitFor()).isZero();
        assertThat(Files.readString(err))
                .startsWith("slotwise: building (")
                .contains("a warning")
                .doesNotContain("\u001b");
    }

    @Test
    void theFirstCallAfterABuildRehearsesNothing() throws Exception {
        project();
        Path calls = folder.resolve("calls");

        assertThat(launcher("version").start().waitFor()).isZero();
        List<String> built = Files.readAllLines(calls);
        assertThat(launcher("version").start().waitFor()).isZero();

        assertThat(built).filteredOn(call -> call.contains("Training all")).hasSize(1);
        assertThat(built).filteredOn(call -> call.contains("Training server")).hasSize(1);
        assertThat(built).last().asString().endsWith("io.slotwise.cli.Slotwise version");
        assertThat(Files.readAllLines(calls)).hasSize(built.size() + 1);
    }

    @Test
    void theHelpOfTheDemoOnARealControlPlaneNeedsNoBuild() throws Exception {
        project();

        Process process = launcher("demo", "--kubernetes", "--help").start();

        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .startsWith("Usage: slotwise demo --kubernetes")
                .contains("--for SECONDS", "kubeconfig", "30 minutes or more on a busy machine");
        assertThat(process.waitFor()).isZero();
        assertThat(folder.resolve("calls")).doesNotExist();
        assertThat(folder.resolve("target")).doesNotExist();
    }

    /** Sets up the launcher in a project of its own, with a JDK and a Maven that only report their calls. */
    private void project() throws IOException {
        program("slotwise", Files.readString(Path.of("slotwise")));
        Files.createDirectories(folder.resolve("src/main"));
        Files.writeString(folder.resolve("pom.xml"), "");
        Files.createDirectories(folder.resolve("jdk/bin"));
        Files.writeString(folder.resolve("jdk/release"), "JAVA_VERSION=\"25.0.1\"\n");
        program("jdk/bin/java", "#!/bin/sh\necho \"$@\" >>'%s'\necho run\n".formatted(folder.resolve("calls")));
        program("jdk/bin/javac", "#!/bin/sh\n");
        Files.createDirectories(folder.resolve("path"));
        program("path/mvn", """
                #!/bin/sh
                mkdir -p target/quarkus-app && touch target/quarkus-app/quarkus-run.jar
                echo "a warning"
                printf '\\033[0m\\033[0m' >&2
                """);
    }

    private ProcessBuilder launcher(String... command) {
        List<String> all = new ArrayList<>(List.of(folder.resolve("slotwise").toString()));
        all.addAll(List.of(command));
        ProcessBuilder builder = new ProcessBuilder(all);
        builder.environment().put("JAVA_HOME", folder.resolve("jdk").toString());
        builder.environment().put("PATH", folder.resolve("path") + ":" + System.getenv("PATH"));
        return builder;
    }

    private Path program(String name, String text) throws IOException {
        Path file = Files.writeString(folder.resolve(name), text);
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }

    /** The options of short commands in the script. */
    private static List<String> options() throws IOException {
        String script = Files.readString(Path.of("slotwise"));
        String options = array(script, "command_options").replace("\"${quiet[@]}\"", array(script, "quiet"));
        assertThat(script).contains("exec \"$jdk/bin/java\" \"${command_options[@]}\"");
        return List.of(options.split(" ", -1));
    }

    private static String array(String script, String name) {
        Matcher array =
                Pattern.compile("^" + name + "=\\((.*)\\)$", Pattern.MULTILINE).matcher(script);
        assertThat(array.find()).as(name).isTrue();
        return array.group(1);
    }
}
