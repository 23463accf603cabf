package io.slotwise.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.slotwise.cli.console.CommandLineRun;
import io.slotwise.report.JsonObject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CheckCommandTest {
    private static final String JOB = """
            {apiVersion: batch/v1, kind: Job, metadata: {name: train, namespace: team}, spec: {parallelism: 2, completions: 2, template: {metadata: {labels: {slotwise.io/gang: train, LABELS}, annotations: {slotwise.io/runtime: 1h, ANNOTATIONS}}, spec: {schedulerName: slotwise, restartPolicy: Never, containers: [{name: c}]}}}}
            """;

    private static String job(String labels, String annotations) {
        return JOB.replace(", LABELS", labels).replace(", ANNOTATIONS", annotations);
    }

    private static CommandLineRun check(String input, String... more) {
        String[] args = new String[3 + more.length];
        args[0] = "check";
        args[1] = "-f";
        args[2] = "-";
        System.arraycopy(more, 0, args, 3, more.length);
        return CommandLineRun.withInput(input, args);
    }

    @Test
    void aGangIsShownWithItsRuleAndSize() {
        CommandLineRun run = check(job("", ""));

        assertThat(run.status()).isZero();
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).isEqualTo("""
                GANG        PODS  TOGETHER  RULE                        RESULT
                team/train     2         2  `slotwise.io/gang` (train)  accepted

                Note: Job team/train makes 2 pods of the gang train
                Note: Namespace team is not in the input: no budget of a namespace limits the gangs there

                1 gang: 1 accepted, 0 refused
                """);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            slotwise.io/gangsize: "2"         | refused by the admission policy: `slotwise.io/gangsize` (2) of pod team/train-0 is not known: expected one of
            slotwise.io/budget: lots          | refused by the admission policy: `slotwise.io/budget` (lots) of pod team/train-0 is not valid
            slotwise.io/price: "2"            | refused by the admission policy: `slotwise.io/price` (2) of pod team/train-0 is a label of nodes: expected it there
            slotwise.io/gang-size: "3"        | cannot start:
            slotwise.io/criterion: preference | cannot start: `slotwise.io/criterion` (preference) needs
            """)
    void whatIsRefusedEndsTheProgramWithStatusOne(String annotation, String result) {
        CommandLineRun run = check(job("", ", " + annotation));

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out().replaceAll("\\s+", " ")).contains(result, "1 gang: 0 accepted, 1 refused");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            slotwise/gang: train                | the key is not Slotwise's, maybe it is `slotwise.io/gang` (`slotwise/gang` of pods team/train-0, team/train-1): it does not count
            volcano.sh/preemptable: "true"      | what Volcano reads (true) is not read (`volcano.sh/preemptable` of pods team/train-0, team/train-1): it does not count
            kueue.x-k8s.io/podset-slice-size: "2" | Kueue's topology (2) is not read
            """)
    void whatIsIgnoredIsToldAndNoRefusal(String annotation, String note) {
        CommandLineRun run = check(job("", ", " + annotation));

        assertThat(run.status()).isZero();
        assertThat(run.out().replaceAll("\\s+", " ")).contains("Note: " + note);
    }

    @Test
    void podsOfOtherSchedulersAreCheckedAndToldApart() {
        CommandLineRun run = check(job("", "").replace("schedulerName: slotwise, ", ""));

        assertThat(run.status()).isZero();
        assertThat(run.out().replaceAll("\\s+", " "))
                .contains("team/train 2 2", "in a cluster Slotwise starts pods with schedulerName slotwise only");
    }

    @Test
    void objectsThatAreLeftOutAreRefused() {
        CommandLineRun run = check(job("", "").replace("parallelism: 2", "parallelism: few"));

        assertThat(run.status()).isEqualTo(1);
        assertThat(run.out().replaceAll("\\s+", " "))
                .contains(
                        "Refused: standard input, document 1, Job train: spec.parallelism (few) is not valid",
                        "0 gangs: 0 accepted, 0 refused; 1 other refusal");
    }

    @Test
    void jsonHasTheSameWithFieldsOfItsOwn() throws Exception {
        CommandLineRun run = check(job("", ", slotwise.io/budget: lots"), "-o", "json");

        var json = JsonObject.MAPPER.readTree(run.out());
        assertThat(run.status()).isEqualTo(1);
        assertThat(json.path("refused").asBoolean()).isTrue();
        assertThat(json.at("/gangs/0/gang").asText()).isEqualTo("team/train");
        assertThat(json.at("/gangs/0/rule").asText()).isEqualTo("`slotwise.io/gang` (train)");
        assertThat(json.at("/gangs/0/pods").asInt()).isEqualTo(2);
        assertThat(json.at("/gangs/0/policy").asText()).contains("slotwise.io/budget");
        assertThat(json.path("inputNotes").findValuesAsText("reason")).contains("Expanded");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            check                         | No objects are given; expected --file FILE or --cluster
            check -f no-such-file.yaml    | no-such-file.yaml: no such file: expected a file of Kubernetes objects
            check -f no-such.yaml -o csv  | check does not support CSV; expected -o table or json
            """)
    void wrongInputGetsOneClearError(String command, String message) {
        CommandLineRun run = CommandLineRun.of(command.split(" "));

        assertThat(run.status()).isEqualTo(2);
        assertThat(run.err()).contains(message);
    }
}
