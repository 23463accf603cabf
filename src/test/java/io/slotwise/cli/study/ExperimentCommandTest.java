package io.slotwise.cli.study;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slotwise.cli.console.CommandLineRun;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExperimentCommandTest {
    private static final String[] SMALL = {"study", "experiment", "criteria", "--runs", "3", "--seed", "5"};

    private static CommandLineRun small(String... more) {
        String[] all = new String[SMALL.length + more.length];
        System.arraycopy(SMALL, 0, all, 0, SMALL.length);
        System.arraycopy(more, 0, all, SMALL.length, more.length);
        return CommandLineRun.of(all);
    }

    @Test
    void withoutANameTheExperimentsAreListed() {
        CommandLineRun run = CommandLineRun.of("study", "experiment");

        assertThat(run.status()).isZero();
        assertThat(run.out()).contains("EXPERIMENT", "criteria", "5,000");
    }

    @Test
    void theTableHasFiguresFindingsAndReadings() {
        CommandLineRun run = small();

        assertThat(run.err()).isEmpty();
        assertThat(run.out())
                .contains(
                        "3 runs (the paper: 5,000), seed 5",
                        "Figure 1",
                        "[1027.3]",
                        "±",
                        "Findings",
                        "Readings",
                        "With this reading");
    }

    @Test
    void jsonIsTheContracts() throws IOException {
        JsonNode json = new ObjectMapper().readTree(small("-o", "json").out());

        assertThat(json.fieldNames()).toIterable().containsExactly("experiment", "runs", "seed", "rows", "findings");
        assertThat(json.path("experiment").textValue()).isEqualTo("criteria");
        assertThat(json.path("runs").intValue()).isEqualTo(3);
        JsonNode row = json.path("rows").path(0);
        assertThat(row.fieldNames())
                .toIterable()
                .containsExactly("series", "x", "metric", "value", "ci95", "paper", "reading", "reading95", "verdict");
        assertThat(json.path("findings").path(0).fieldNames())
                .toIterable()
                .containsExactly("place", "finding", "holds", "evidence", "holdsWithReading", "evidenceWithReading");
        assertThat(row.path("series").textValue()).isEqualTo("AMP");
        assertThat(row.path("value").isNumber()).isTrue();
        assertThat(row.path("x").isNull()).isTrue();
    }

    @Test
    void csvAndMarkdownHaveTheSameNumbers() {
        assertThat(small("-o", "csv").out())
                .startsWith("experiment,runs,seed,series,x,metric,value,ci95,paper,reading,reading95,verdict\r\n"
                        + "criteria,3,5,AMP,,start,0.0,0.0,0.0,0.0,0.0,as near");
        assertThat(small("-o", "markdown").out())
                .contains(
                        "## `criteria`",
                        "| AMP |",
                        "[1027.3]",
                        "With this reading, the second number of each",
                        "| cost | cost with this reading |",
                        "| Holds | Here | With this reading | There |");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "criterai | There is no experiment 'criterai'; expected 'criteria' perhaps",
                "xxxxxxxxxxxx | There is no experiment 'xxxxxxxxxxxx'; expected one of criteria"
            })
    void anUnknownNameIsOneErrorThatNamesTheKnownOnes(String name, String message) {
        CommandLineRun run = CommandLineRun.of("study", "experiment", name);

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains(message);
        assertThat(run.out()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "--runs 0 | '0' is not a positive whole number",
                "--jobs two | 'two' is not a positive whole number",
                "--shard 3/3 | '3/3' is not a shard; expected I/N with I from 0 to N - 1",
                "--shard half | 'half' is not a shard",
                "--shard 0/3 | --shard (0/3) supports JSON only",
                "-o html | 'html' is not an output format; expected table, markdown, json or csv",
                "--all | --all runs all experiments; expected no NAME (criteria)"
            })
    void wrongValuesAreOneClearErrorEach(String options, String message) {
        CommandLineRun run = small(options.split(" "));

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains(message);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void shardsMergeIntoTheOutputOfOneRun(@TempDir Path folder) throws IOException {
        String[] files = new String[2];
        for (int i = 0; i < files.length; i++) {
            files[i] = folder.resolve("part-" + i + ".json").toString();
            Files.writeString(
                    Path.of(files[i]),
                    small("--shard", i + "/" + files.length, "-o", "json").out());
        }

        CommandLineRun merged = CommandLineRun.of("study", "merge", files[1], files[0], "-o", "json");

        assertThat(merged.err()).isEmpty();
        assertThat(merged.out()).isEqualTo(small("-o", "json").out());
    }

    /** The experiment uses one log, a small one under the name of a real one. */
    @Test
    void theIndexedJobRunsAllPartsOfTheSearchForTheDefaultPolicy(@TempDir Path folder) throws IOException {
        try (OutputStream log =
                new GZIPOutputStream(Files.newOutputStream(folder.resolve("SDSC-SP2-first4961jobs.swf.gz")))) {
            for (int job = 1; job <= 9; job++) {
                log.write("%d %d 0 %d 100 -1 -1 100 900 -1 1 %d 1 3 1 -1 -1 -1\n"
                        .formatted(job, job * 50, job * 90, job % 3)
                        .getBytes(StandardCharsets.US_ASCII));
            }
        }
        String manifest = Files.readString(Path.of("deploy", "experiment-indexed-job.yaml"));
        String command = manifest.lines()
                .map(String::strip)
                .filter(line -> line.startsWith("slotwise study experiment "))
                .findFirst()
                .orElseThrow();
        String words =
                command.substring("slotwise ".length(), command.indexOf(" >")).replace("/study", folder.toString());
        List<String> merge = new ArrayList<>(List.of("study", "merge", "-o", "json"));
        for (int index = 0; index < 14; index++) {
            String shard = String.valueOf(index);
            Path file = folder.resolve(shard + ".json");
            CommandLineRun run = CommandLineRun.of(
                    words.replace("$JOB_COMPLETION_INDEX", shard).split(" ", -1));
            Files.writeString(file, run.out());
            merge.add(file.toString());
        }

        String whole = CommandLineRun.of("study", "experiment", "policies", "--data", folder.toString(), "-o", "json")
                .out();
        assertThat(manifest).contains("completions: 14\n");
        assertThat(whole).contains("SDSC-SP2, held out");
        assertThat(CommandLineRun.of(merge.toArray(String[]::new)).out()).isEqualTo(whole);
    }

    @Test
    void aFileThatCannotBeMergedIsNamedInOneError(@TempDir Path folder) throws IOException {
        Path part = Files.writeString(
                folder.resolve("part.json"),
                small("--shard", "0/2", "-o", "json").out());
        Path broken = Files.writeString(folder.resolve("broken.json"), "{\n  \"experiment\": oops}");
        Path other = Files.writeString(folder.resolve("other.json"), "{\"experiment\": \"criteria\"}");

        CommandLineRun missing = CommandLineRun.of("study", "merge", part.toString());

        assertThat(missing.status()).isEqualTo(2);
        assertThat(missing.err()).contains(part + ": 1/2 of criteria is missing; expected each shard once");
        assertThat(CommandLineRun.of("study", "merge", broken.toString()).err()).contains(broken + ":2:");
        assertThat(CommandLineRun.of("study", "merge", other.toString()).err())
                .contains(other + ": is not a shard; expected the output");
        assertThat(CommandLineRun.of("study", "merge", folder.resolve("none").toString())
                        .err())
                .contains("no such file; expected");
    }
}
