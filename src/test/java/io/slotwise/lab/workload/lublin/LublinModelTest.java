package io.slotwise.lab.workload.lublin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.slotwise.lab.workload.Job;
import io.slotwise.lab.workload.LogOptions;
import io.slotwise.lab.workload.Texts;
import io.slotwise.lab.workload.Workload;
import io.slotwise.lab.workload.format.WorkloadFile;
import io.slotwise.lab.workload.format.WorkloadFormat;
import io.slotwise.lab.workload.log.MalformedWorkload;
import io.slotwise.lab.workload.log.TextSource;
import io.slotwise.lab.workload.lublin.LublinWorkload.LublinModel;
import io.slotwise.testing.SharedData;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LublinModelTest {
    private static final int MACHINE = 128;

    private static List<String> drawn(int jobs, long seed, boolean typed) {
        LublinModel model = new LublinModel(new LublinParameters(MACHINE, jobs, seed, typed, 1));
        List<String> drawn = new ArrayList<>();
        for (int i = 0; i < jobs; i++) {
            LublinModel.Drawn job = model.next();
            drawn.add("%d %d %d %d".formatted(job.arrival(), job.nodes(), job.runtime(), job.batch() ? 1 : 0));
        }
        return drawn;
    }

    private static Workload workload(String text) {
        return WorkloadFile.open(text, null, LogOptions.STRICT, InputStream.nullInputStream());
    }

    @Test
    void drawsTheSameAsTheAuthorsProgram() {
        assertThat(drawn(3, 1, true)).containsExactly("273 8 8 0", "1579 8 5 0", "1601 4 7 0");
        assertThat(drawn(3, 1, false)).containsExactly("5362 4 6 0", "6406 8 18 0", "6556 32 10804 0");
        assertThat(drawn(3, 42, true)).containsExactly("124 1 21 0", "252 1 28 0", "398 1 5 0");
        assertThat(drawn(3, 42, false)).containsExactly("124 2 16 0", "1329 1 42 0", "2158 1 8980 0");
    }

    @ParameterizedTest
    @CsvSource({
        "1, batch_interactive", "42, batch_interactive", "12345, batch_interactive",
        "1, typeless", "42, typeless", "12345, typeless"
    })
    void drawsEveryJobOfThePublishedSamples(long seed, String kind) throws IOException {
        Optional<Path> sample = SharedData.file("models/lublin_seed%d_%s_128.tsv".formatted(seed, kind));
        assumeThat(sample).as("the samples of the model's program").isPresent();

        List<String> jobs = Files.readAllLines(sample.orElseThrow()).stream()
                .map(line -> line.strip().replaceAll("\\s+", " "))
                .toList();

        assertThat(jobs).hasSize(1000);
        assertThat(drawn(jobs.size(), seed, kind.equals("batch_interactive"))).isEqualTo(jobs);
    }

    @Test
    void aWorkloadHasTheModelsJobsInOrder() {
        Workload workload = workload("lublin:seed=42,classes=none,jobs=3");

        assertThat(workload.processors()).hasValue(128);
        assertThat(workload.name()).isEqualTo("lublin:seed=42,classes=none,jobs=3");
        assertThat(Texts.jobs(workload))
                .extracting(Texts::figures)
                .containsExactly("1: 124 2 16 16", "2: 1329 1 42 42", "3: 2158 1 8980 8980");
        assertThat(Texts.jobs(workload)).isEqualTo(Texts.jobs(workload));
    }

    @ParameterizedTest
    @CsvSource({"1", "2", "7", "100", "1000"})
    void onAnotherMachineNoJobIsWiderThanIt(int machine) {
        List<Job> jobs = Texts.jobs(workload("lublin:machine=%d,jobs=2000".formatted(machine)));

        assertThat(jobs).hasSize(2000).allSatisfy(job -> assertThat(job.size()).isBetween(1, machine));
        assertThat(jobs).extracting(Job::submit).isSorted();
        assertThat(jobs.stream().mapToInt(Job::size).max().orElseThrow()).isGreaterThan(machine / 4);
    }

    @Test
    void aHigherLoadBringsTheSameJobsSooner() {
        List<Job> usual = Texts.jobs(workload("lublin:classes=none,jobs=3000"));
        List<Job> twice = Texts.jobs(workload("lublin:classes=none,jobs=3000,load=2"));

        assertThat(twice)
                .extracting(Job::runtime)
                .isEqualTo(usual.stream().map(Job::runtime).toList());
        double ratio = (double) usual.getLast().submit() / twice.getLast().submit();
        assertThat(ratio).isBetween(1.9, 2.1);
    }

    @Test
    void aFileSaysTheSameAsTheCommandLine() {
        TextSource file = Texts.of(
                "w.lublin", "# a comment\nmachine: 256\njobs: 20 # few\n\nseed: 7\nclasses: none\nload: 1.5\n");

        assertThat(Texts.jobs(WorkloadFormat.LUBLIN.open(file, LogOptions.STRICT)))
                .isEqualTo(Texts.jobs(workload("lublin:machine=256,jobs=20,seed=7,classes=none,load=1.5")));
        assertThat(WorkloadFormat.LUBLIN
                        .open(file, new LogOptions(false, OptionalInt.of(64), false))
                        .processors())
                .hasValue(64);
    }

    @Test
    void estimatesCanBeDrawnToo() {
        List<Job> jobs = Texts.jobs(workload("lublin:jobs=500,estimates=36h"));

        assertThat(jobs).allSatisfy(job -> assertThat(job.runtime()).isLessThanOrEqualTo(job.estimate()));
        assertThat(jobs.stream().mapToLong(Job::estimate).distinct().count()).isLessThan(40);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "lublin:jobs|lublin:jobs: 'jobs' is not valid: expected KEY=VALUE",
                "lublin:jobs=few|lublin:jobs=few: jobs (few) is not valid: expected a whole number",
                "lublin:jobs=0|lublin:jobs=0: jobs (0) is not valid: expected between 1 and 2147483647",
                "lublin:classes=all|lublin:classes=all: classes (all) is not valid: expected both "
                        + "(interactive and batch) or none",
                "lublin:load=0|lublin:load=0: load (0) is not valid: expected a number greater than 0",
                "lublin:estimates=1h|lublin:estimates=1h: estimates (1h) is not valid: expected exact, or at least 2h",
                "lublin:seed=1,seed=2|lublin:seed=1,seed=2: seed (2) is not valid: the key appears twice",
                "lublin:nodes=4|lublin:nodes=4: nodes (4) is not valid: the key is not known: expected "
                        + "machine, jobs, seed, classes, load, estimates",
            })
    void aParameterThatCannotBeUnderstoodIsNamed(String text, String message) {
        assertThatThrownBy(() -> workload(text))
                .isInstanceOf(MalformedWorkload.class)
                .hasMessage(message);
    }
}
