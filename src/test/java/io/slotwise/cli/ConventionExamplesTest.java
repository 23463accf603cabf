package io.slotwise.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slotwise.cli.console.CommandLineRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Proves that {@code slotwise plan} accepts the example files of every convention in the document. */
class ConventionExamplesTest {
    private static final Path DOCUMENT = Path.of("docs/reference/other-projects.md");
    private static final Path FOLDER = Path.of("docs/examples/conventions");
    private static final String NODES = FOLDER.resolve("nodes.yaml").toString();
    private static final Pattern LINK = Pattern.compile("\\]\\(\\.\\./examples/conventions/([a-z-]+\\.yaml)\\)");

    /** The files of each row of the table of conventions, by its first cell. */
    static Map<String, List<String>> rows() throws IOException {
        Map<String, List<String>> rows = new LinkedHashMap<>();
        List<String> lines = Files.readAllLines(DOCUMENT);
        int row = lines.indexOf(lines.stream()
                        .filter(line -> line.startsWith("| Convention |"))
                        .findFirst()
                        .orElseThrow())
                + 2;
        for (; lines.get(row).startsWith("| "); row++) {
            List<String> files = new ArrayList<>();
            Matcher link = LINK.matcher(lines.get(row));
            while (link.find()) {
                files.add(link.group(1));
            }
            rows.put(lines.get(row).split("\\|", -1)[1].strip(), files);
        }
        return rows;
    }

    static List<String> files() throws IOException {
        return rows().values().stream().flatMap(List::stream).toList();
    }

    @Test
    void everyRowHasAnExampleAndEveryExampleARow() throws IOException {
        try (Stream<Path> all = Files.list(FOLDER)) {
            assertThat(all.map(file -> file.getFileName().toString()).filter(name -> !name.equals("nodes.yaml")))
                    .containsExactlyInAnyOrderElementsOf(files());
        }
        assertThat(rows())
                .hasSize(14)
                .allSatisfy((row, files) -> assertThat(files).as(row).isNotEmpty());
    }

    @ParameterizedTest
    @MethodSource("files")
    void anExampleIsPlannedWhole(String file) throws IOException {
        CommandLineRun run =
                CommandLineRun.of("plan", "-f", NODES, FOLDER.resolve(file).toString(), "-o", "json");

        assertThat(run.status()).as(run.err()).isZero();
        assertThat(run.err()).doesNotContain("Warning");
        JsonNode plan = new ObjectMapper().readTree(run.out());
        assertThat(plan.path("pending")).isEmpty();
        assertThat(plan.path("windows")).isNotEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "slotwise, team/train:4",
        "kueue, team/sample-group:2",
        "jobset, team/jobset-paral:5",
        "leaderworkerset, team/leaderworkerset-vllm-0:4 team/leaderworkerset-vllm-1:4",
        "pytorchjob, team/pytorchjob-resnet:4",
        "volcano-job, team/lm-mpi:3",
        "indexed-job, team/job-sweep:4",
        "tasks, team/pod-tasks-0:1 team/pod-tasks-1:1 team/pod-tasks-2:1"
    })
    void theGangsOfEachExampleStartTogether(String file, String gangs) throws IOException {
        CommandLineRun run = CommandLineRun.of(
                "plan", "-f", NODES, FOLDER.resolve(file + ".yaml").toString(), "-o", "json");

        List<String> found = new ArrayList<>();
        new ObjectMapper()
                .readTree(run.out())
                .path("windows")
                .forEach(window -> found.add(window.path("gang").asText() + ":"
                        + window.path("placement").size()));
        assertThat(found).containsExactlyInAnyOrder(gangs.split(" "));
    }

    @Test
    void aGangOfAnotherSchedulerIsPlannedIfThatIsAskedFor() throws IOException {
        String volcano =
                Files.readString(FOLDER.resolve("volcano-job.yaml")).replace("  schedulerName: slotwise\n", "");

        CommandLineRun told = CommandLineRun.withInput(volcano, "plan", "-f", NODES, "-");
        CommandLineRun tried =
                CommandLineRun.withInput(volcano, "plan", "-f", NODES, "-", "--scheduler-name", "volcano");

        assertThat(told.out()).contains("No gang waits");
        assertThat(told.err())
                .contains("Note: Job team/lm-mpi makes 3 pods of the gang lm-mpi")
                .contains("Warning: gang team/lm-mpi (3 pods) is not planned: its pods name the scheduler volcano;");
        assertThat(tried.out()).contains("team/lm-mpi");
    }
}
