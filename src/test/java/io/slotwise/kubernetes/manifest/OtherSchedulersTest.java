package io.slotwise.kubernetes.manifest;

import static io.slotwise.kubernetes.manifest.Samples.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OtherSchedulersTest {
    @Test
    void aGangOfAnotherSchedulerIsNotPlannedAndSaysWhy() throws IOException {
        String jobset = example("jobset").replace("schedulerName: slotwise", "schedulerName: volcano");

        IntakeResult result = take(jobset, Set.of());

        assertThat(result.snapshot().requests()).isEmpty();
        assertThat(concerns(result))
                .containsExactly("gang team/jobset-paral (5 pods) is not planned: its pods name the scheduler volcano;"
                        + " expected schedulerName slotwise. Maybe plan with --scheduler-name volcano");
    }

    @Test
    void aGangThatNamesNoSchedulerIsToldWhatThatMeans() throws IOException {
        String jobset = example("jobset").replaceAll(" *schedulerName: slotwise\n", "");

        assertThat(concerns(take(jobset, Set.of())))
                .containsExactly(
                        "gang team/jobset-paral (5 pods) is not planned: its pods name no scheduler, which means "
                                + "the default one; expected schedulerName slotwise. Maybe plan with --scheduler-name "
                                + "default-scheduler");
    }

    @Test
    void aGangOfAnotherSchedulerIsPlannedOnRequest() throws IOException {
        String jobset = example("jobset").replaceAll(" *schedulerName: slotwise\n", "");

        IntakeResult result = take(jobset, Set.of("default-scheduler"));

        assertThat(result.snapshot().requests()).hasSize(1);
        assertThat(concerns(result))
                .containsExactly(
                        "gang team/jobset-paral (5 pods) is planned here, but its pods name no scheduler, which "
                                + "means the default one: in a cluster Slotwise starts pods with schedulerName "
                                + "slotwise "
                                + "only");
    }

    @Test
    void aLabelledGangOfAnotherSchedulerIsPlannedAndToldToo() throws IOException {
        String job = example("slotwise").replace("schedulerName: slotwise", "schedulerName: volcano");

        IntakeResult result = take(job, Set.of());

        assertThat(result.snapshot().requests()).hasSize(1);
        assertThat(result.warnings()).noneMatch(IntakeWarning::isOfConcern);
        assertThat(concerns(result))
                .containsExactly(
                        "gang team/train (4 pods) is planned here, but its pods name the scheduler volcano: in a"
                                + " cluster Slotwise starts pods with schedulerName slotwise only");
    }

    @Test
    void podsThatRunElsewhereStayWhatTheyAre() throws IOException {
        String pods = example("kueue").replace("  schedulerName: slotwise\n", "  nodeName: n1\n");

        IntakeResult result = take(pods, Set.of("default-scheduler"));

        assertThat(result.members()).isEmpty();
        assertThat(result.snapshot().cluster().occupations()).hasSize(2);
    }

    @Test
    void podsWithoutAGangAreCountedAndManyGangsAreNotAllNamed() throws IOException {
        String single = example("tasks").replace("      schedulerName: slotwise\n", "");
        String sets = example("leaderworkerset").replace("schedulerName: slotwise", "schedulerName: other");

        List<String> concerns =
                concerns(take(single + "---\n" + sets.replace("replicas: 2", "replicas: 25"), Set.of()));

        assertThat(concerns)
                .containsExactly(
                        "25 gangs (team/leaderworkerset-vllm-0, team/leaderworkerset-vllm-1, "
                                + "team/leaderworkerset-vllm-10"
                                + " and 22 more) are not planned: their pods name the scheduler other; expected "
                                + "schedulerName slotwise."
                                + " Maybe plan with --scheduler-name other",
                        "3 pods without a node and without a gang ignored: expected schedulerName slotwise, the label"
                                + " `slotwise.io/gang` or the annotation `slotwise.io/runtime`");
    }

    private static List<String> concerns(IntakeResult result) {
        return result.warnings().stream()
                .filter(warning -> warning.reason() == IntakeWarning.Reason.TRIED
                        || warning.reason() == IntakeWarning.Reason.OTHER_SCHEDULER)
                .map(IntakeWarning::message)
                .toList();
    }

    private static String example(String name) throws IOException {
        return Files.readString(Path.of("docs/examples/conventions", name + ".yaml"));
    }

    private static IntakeResult take(String text, Set<String> tried) {
        ClusterObjects objects =
                ManifestFile.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "test.yaml");
        ClusterObjects nodes = ManifestFile.read(Path.of("docs/examples/conventions/nodes.yaml"));
        return new Intake(LoopSettings.EXACT, PriceCatalogue.EMPTY, PodFilter.FILES.trying(tried))
                .take(nodes.plus(objects), Map.of(), NOW);
    }
}
