package io.slotwise.cli.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.cli.console.CommandLineRun;
import io.slotwise.lab.workload.LogOptions;
import io.slotwise.lab.workload.format.WorkloadFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ConvertCommandTest {
    private static final String LOG = """
            ; MaxProcs: 8
            1 0 -1 60 2 -1 -1 2 120 -1 1 3 1 -1 -1 -1 -1 -1
            2 5 -1 0 2 -1 -1 2 120 -1 1 3 1 -1 -1 -1 -1 -1
            3 9 -1 60 2 -1 -1 6 120 -1 1 4 1 -1 -1 -1 -1 -1
            """;

    @TempDir
    Path folder;

    private String log() throws IOException {
        return Files.writeString(folder.resolve("log.swf"), LOG).toString();
    }

    @Test
    void aLogIsWrittenToStandardOutputAndWhatWasLeftOutIsSaid() throws IOException {
        String log = log();

        CommandLineRun run = CommandLineRun.of("study", "convert", "--from", log, "--to", "swf");

        assertThat(run.status()).isZero();
        assertThat(run.out()).contains("; MaxProcs: 8\n").endsWith("""
                1 0 -1 60 2 -1 -1 2 120 -1 -1 3 1 -1 -1 -1 -1 -1
                3 9 -1 60 6 -1 -1 6 120 -1 -1 4 1 -1 -1 -1 -1 -1
                """);
        assertThat(run.err().lines())
                .containsExactly("Warning: %s: 1 job left out (1 without a run time)".formatted(log));
    }

    @Test
    void queuesOfKueueAreWrittenAsQueuesThatPlanReads() throws IOException {
        Path kueue = Files.writeString(folder.resolve("kueue.yaml"), """
                {apiVersion: kueue.x-k8s.io/v1beta2, kind: ClusterQueue, metadata: {name: a},
                 spec: {namespaceSelector: {}, queueingStrategy: StrictFIFO, resourceGroups: [{flavors: [
                   {name: any, resources: [{name: cpu, nominalQuota: 2}]}]}]}}
                """);
        Path queues = folder.resolve("queues.yaml");

        CommandLineRun run = CommandLineRun.of(
                "study", "convert", "--from", kueue.toString(), "--to", "queues", "-o", queues.toString());

        assertThat(run.status()).isZero();
        assertThat(run.err().lines())
                .containsExactly(
                        "Warning: ClusterQueue a: `spec.queueingStrategy` (StrictFIFO) is not translated: a gang that "
                                + "waits does not hold back later ones",
                        "Warning: ResourceFlavor any is not in the input: its quotas count all the same");
        assertThat(CommandLineRun.of("queues", "-f", queues.toString(), "-o", "csv")
                        .out())
                .isEqualTo(CommandLineRun.of("queues", "-f", kueue.toString(), "-o", "csv")
                        .out())
                .contains("a,1,cpu,2000,2000,");
    }

    @Test
    void queuesOfYuniKornAreReadFromItsConfigMap() {
        CommandLineRun run = CommandLineRun.withInput("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: yunikorn-configs}
                data:
                  admissionController.filtering.processNamespaces: "[a-z]+-batch"
                  queues.yaml: |
                    partitions: [{name: default, queues: [{name: a, resources: {max: {vcore: 2}}}]}]
                """, "study", "convert", "--from", "-", "--to", "queues");

        assertThat(run.out()).endsWith("metadata:\n  name: \"a\"\nspec:\n  limit:\n    cpu: \"2\"\n");
    }

    @Test
    void aFileWithoutQueuesIsRefused() throws IOException {
        assertThat(CommandLineRun.of("study", "convert", "--from", log(), "--to", "queues")
                        .err())
                .contains("log.swf is no YAML or JSON (while scanning a simple key); expected a file of queues");
        assertThat(CommandLineRun.withInput("{kind: Pod}", "study", "convert", "--from", "-", "--to", "queues")
                        .err())
                .contains("- has no queue; expected queues of Kueue, Volcano or YuniKorn");
    }

    @Test
    void aFileIsCompressedIfItsNameSaysSo() throws IOException {
        Path out = folder.resolve("out.swf.gz");

        CommandLineRun run =
                CommandLineRun.of("study", "convert", "--from", log(), "--to", "swf", "-o", out.toString());

        assertThat(run.status()).isZero();
        assertThat(run.out()).isEmpty();
        try (GZIPInputStream in = new GZIPInputStream(Files.newInputStream(out))) {
            assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8)).startsWith("; Version: 2.2\n");
        }
        assertThat(WorkloadFile.open(out, LogOptions.STRICT).jobs()).hasSize(2);
    }

    @Test
    void theMachineIsTheCallers() throws IOException {
        CommandLineRun run = CommandLineRun.of("study", "convert", "--from", log(), "--to", "swf", "--machine", "4");

        assertThat(run.out()).contains("; MaxProcs: 4\n", "; MaxJobs: 1\n");
        assertThat(run.err()).contains("2 jobs left out (1 without a run time, 1 wider than the machine)");
    }

    @Test
    void standardInputAndModelsAreWorkloadsToo() {
        CommandLineRun input = CommandLineRun.withInput(LOG, "study", "convert", "--from", "-", "--to", "pods-csv");
        CommandLineRun model = CommandLineRun.of("study", "convert", "--from", "lublin:jobs=4,seed=42", "--to", "swf");

        assertThat(input.out()).contains("1-0,1000,0,0,0,,,Succeeded,0,60,0\n").contains("3-5,");
        assertThat(model.out()).contains("\n1 124 -1 21 1 -1 -1 1 21 ").contains("; MaxProcs: 128\n");
    }

    @Test
    void estimatesAreDrawnOnDemand() {
        CommandLineRun exact = CommandLineRun.of("study", "convert", "--from", "lublin:jobs=200", "--to", "swf");
        CommandLineRun drawn =
                CommandLineRun.of("study", "convert", "--from", "lublin:jobs=200", "--to", "swf", "--estimates", "36h");
        CommandLineRun other = CommandLineRun.of(
                "study", "convert", "--from", "lublin:jobs=200", "--to", "swf", "--estimates", "36h", "--seed", "2");

        assertThat(drawn.status()).isZero();
        assertThat(drawn.out()).isNotEqualTo(exact.out()).isNotEqualTo(other.out());
    }

    @Test
    void manifestsWrittenCanBePlanned() throws IOException {
        Path pods = folder.resolve("pods.yaml");
        Path nodes = Files.writeString(folder.resolve("nodes.yaml"), """
                {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "n1", "labels": {"slotwise.io/price": "1"}},
                 "status": {"allocatable": {"cpu": "8", "pods": "110"}}}
                """);

        CommandLineRun convert = CommandLineRun.of(
                "study",
                "convert",
                "--from",
                log(),
                "--to",
                "manifests",
                "--epoch",
                "2030-01-01T00:00:00Z",
                "-o",
                pods.toString());
        CommandLineRun plan = CommandLineRun.of(
                "plan", "-f", nodes.toString(), "-f", pods.toString(), "--now", "2030-01-01T00:01:00Z", "-o", "json");

        assertThat(convert.status()).isZero();
        assertThat(plan.status()).isZero();
        assertThat(plan.out()).contains("\"user-3/1\"", "\"user-4/3\"");
        assertThat(plan.err()).isEmpty();
    }

    @Test
    void aMalformedLineIsRefusedOrSkippedAndCounted() throws IOException {
        String log = Files.writeString(folder.resolve("log.swf"), LOG + "4 x\n").toString();

        CommandLineRun strict = CommandLineRun.of("study", "convert", "--from", log, "--to", "swf");
        CommandLineRun lenient = CommandLineRun.of("study", "convert", "--from", log, "--to", "swf", "--lenient");

        assertThat(strict.status()).isEqualTo(2);
        assertThat(strict.out()).isEmpty();
        assertThat(strict.err())
                .isEqualToIgnoringNewLines("slotwise: %s:5:3: the line has 2 columns: expected 18".formatted(log));
        assertThat(lenient.status()).isZero();
        assertThat(lenient.err())
                .contains("Warning: %s: 1 line could not be parsed and was skipped; the first: %s:5:3: "
                        .formatted(log, log));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "--from missing.swf --to swf|missing.swf: cannot be read (NoSuchFileException); expected "
                        + "a readable file",
                "--from . --to swf|.: cannot be read (a directory); expected a readable file",
                "--from x.swf --to xls|'xls' is not a format to write; expected swf, pods-csv, manifests or queues",
                "--from x.swf --to swf --format xls|'xls' is not a workload format; expected swf, "
                        + "metacentrum, pods-csv, philly or lublin",
                "--from x.swf --to swf --machine 0|--machine (0) is not a size; expected a positive whole number",
                "--from x.swf --to swf --estimates 1h|'1h' is not a maximum estimate; expected at least 2h",
                "--from x.swf --to swf --estimates long|'long' is not a maximum estimate; expected a duration",
                "--from lublin:jobs=few --to swf|jobs (few) is not valid: expected a whole number",
                "--from x.swf|Missing required option: '--to=FORMAT'",
                "--to swf|Missing required option: '--from=FILE'",
            })
    void aWrongCommandLineOrInputIsNamed(String arguments, String message) {
        CommandLineRun run = CommandLineRun.of(("study convert " + arguments).split(" ", -1));

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains(message);
        assertThat(run.out()).isEmpty();
    }

    @Test
    void aPlaceThatCannotBeWrittenIsAFailureOfTheWork() throws IOException {
        CommandLineRun run = CommandLineRun.of(
                "study",
                "convert",
                "--from",
                log(),
                "--to",
                "swf",
                "-o",
                folder.resolve("no/where.swf").toString());

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.err()).contains("where.swf: cannot be written (").doesNotContain("defect");
    }
}
