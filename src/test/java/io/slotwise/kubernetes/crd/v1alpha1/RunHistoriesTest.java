package io.slotwise.kubernetes.crd.v1alpha1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.slotwise.core.runtime.PastRun;
import io.slotwise.core.runtime.Prediction;
import io.slotwise.core.runtime.Prediction.Basis;
import io.slotwise.core.runtime.RecurringWorkload;
import io.slotwise.core.runtime.RunHistory;
import io.slotwise.core.runtime.RuntimeSource;
import io.slotwise.core.time.Durations;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RunHistoriesTest {
    private static final Path CRD = Path.of("helm/slotwise/files/crds/runhistories.slotwise.io.yaml");
    private static final long NOON = 1_893_499_200;

    private static RunHistory history() {
        return new RunHistory(
                "team",
                "7",
                new TreeMap<>(Map.of(
                        "1-ab",
                        new RunHistory.Series(
                                "Job/train",
                                List.of(new PastRun(NOON, "u1-5", 60), new PastRun(NOON + 5, "u2-9", 70, 90))))));
    }

    @Test
    void whatIsWrittenIsReadBack() {
        String json = Serialization.asJson(RunHistories.object(history()));

        assertThat(RunHistories.history(Serialization.unmarshal(json, NamespaceRunHistory.class)))
                .isEqualTo(history());
        assertThat(json)
                .contains("\"seconds\":70,\"planned\":90")
                .contains("\"endedAt\":\"2030-01-01T12:00:00Z\"")
                .doesNotContain("status")
                .doesNotContain("null");
    }

    @Test
    void theDefinitionAllowsWhatSlotwiseKeepsAndNoMore() throws IOException {
        JsonNode workloads = new YAMLMapper()
                .readTree(CRD.toFile())
                .at("/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/workloads");

        List<String> differences = new ArrayList<>();
        SchemaComparison.compare(
                "spec",
                new YAMLMapper().readTree(CRD.toFile()).at("/spec/versions/0/schema/openAPIV3Schema/properties/spec"),
                RunHistorySpec.class,
                differences);
        assertThat(differences).isEmpty();
        assertThat(workloads.path("maxItems").asInt()).isEqualTo(RunHistory.MOST_WORKLOADS);
        JsonNode runs = workloads.at("/items/properties/runs");
        assertThat(runs.path("maxItems").asInt()).isEqualTo(RunHistory.MOST_RUNS);
        assertThat(workloads.at("/items/properties/key/maxLength").asInt()).isEqualTo(RecurringWorkload.LONGEST_KEY);
        assertThat(workloads.at("/items/properties/name/maxLength").asInt()).isEqualTo(RecurringWorkload.LONGEST_NAME);
        assertThat(runs.at("/items/properties/id/maxLength").asInt()).isEqualTo(PastRun.LONGEST_ID);
        assertThat(runs.at("/items/properties/seconds/maximum").asLong()).isEqualTo(Durations.LONGEST);
        assertThat(runs.at("/items/properties/planned/maximum").asLong()).isEqualTo(Durations.LONGEST);
    }

    @Test
    void theFullestHistoryFitsIntoTheApiServersLimit() {
        TreeMap<String, RunHistory.Series> workloads = new TreeMap<>();
        for (int i = 0; i < RunHistory.MOST_WORKLOADS; i++) {
            List<PastRun> runs = new ArrayList<>();
            for (int run = 0; run < RunHistory.MOST_RUNS; run++) {
                runs.add(new PastRun(
                        NOON + run, "0f8fad5b-d9cb-469f-a165-70867728950e-" + (NOON + run), Durations.LONGEST));
            }
            workloads.put("1-" + "%024x".formatted(i), new RunHistory.Series("w".repeat(128), runs));
        }

        assertThat(Serialization.asJson(RunHistories.object(new RunHistory("team", "1", workloads))))
                .hasSizeLessThan(1_400_000);
    }

    @Test
    void anInconsistentRunHistoryIsRefused() {
        NamespaceRunHistory misnamed = RunHistories.object(history());
        misnamed.getMetadata().setName("other");
        NamespaceRunHistory empty = RunHistories.object(history());
        empty.setSpec(null);

        for (NamespaceRunHistory wrong : List.of(
                misnamed,
                empty,
                of(new RunHistorySpec.Run("a", "yesterday", 1, null)),
                of(new RunHistorySpec.Run("a", "2030-01-01T00:00:00Z", 0, null)),
                of(new RunHistorySpec.Run("a", "2030-01-01T00:00:00Z", Long.MAX_VALUE, null)),
                of(new RunHistorySpec.Run("", "2030-01-01T00:00:00Z", 1, null)),
                of(
                        new RunHistorySpec.Run("a", "2030-01-01T00:00:00Z", 1, null),
                        new RunHistorySpec.Run("a", "2030-01-01T00:00:00Z", 1, null)),
                of())) {
            assertThatThrownBy(() -> RunHistories.history(wrong)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    private static NamespaceRunHistory of(RunHistorySpec.Run... runs) {
        NamespaceRunHistory object = RunHistories.object(history());
        object.setSpec(new RunHistorySpec(List.of(new RunHistorySpec.Series("1-ab", "x", List.of(runs)))));
        return object;
    }

    @Test
    void theSourceOfARuntimeIsReadBack() {
        RecurringWorkload workload = new RecurringWorkload("1-ab", "Job/train");
        Prediction prediction = new Prediction(14, 2280, 900_000, 3120, Basis.WORKLOAD);
        for (RuntimeSource source : List.of(
                new RuntimeSource(workload, prediction, false),
                new RuntimeSource(workload, prediction, true),
                new RuntimeSource(workload, null, false))) {
            String json = Serialization.asJson(Objects.requireNonNull(RuntimeSourceSpec.of(source)));

            assertThat(Serialization.unmarshal(json, RuntimeSourceSpec.class).source())
                    .isEqualTo(source);
        }
        assertThat(RuntimeSourceSpec.of(null)).isNull();
        assertThat(new RuntimeSourceSpec("1-ab", "x", null, new RuntimeSourceSpec.PredictionSpec(0, 5, 1, 3, "stars"))
                        .source())
                .as("what nobody wrote tells nothing")
                .isNull();
    }
}
