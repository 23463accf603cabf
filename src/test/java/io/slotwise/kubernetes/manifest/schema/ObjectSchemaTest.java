package io.slotwise.kubernetes.manifest.schema;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The values of single fields. */
class ObjectSchemaTest {
    /** The API server cuts fractions of its own objects, and refuses those of other definitions. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '\'', nullValues = "-", textBlock = """
            2     | -
            "1.9" | -
            1.9   | (1.9) is not valid: expected a whole number or a text such as 500m
            """)
    void anAmountOfAnotherProjectsTemplateIsAWholeNumberOrAText(String memory, @Nullable String flaw)
            throws JsonProcessingException {
        String object = """
                {"apiVersion": "leaderworkerset.x-k8s.io/v1", "kind": "LeaderWorkerSet", "spec": {"replicas": 1,
                 "leaderWorkerTemplate": {"size": 2, "workerTemplate": {"spec": {"containers": [
                 {"name": "c", "image": "i", "resources": {"requests": {"memory": %s}}}]}}}}}
                """.formatted(memory);

        assertThat(ObjectSchema.flaws(JsonMapper.builder().build().readTree(object)))
                .extracting(SchemaFlaw::message)
                .allMatch(message -> flaw != null && message.contains(flaw))
                .hasSize(flaw == null ? 0 : 1);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', nullValues = "-", textBlock = """
            gpu                                                              | -
            xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx | spec.hold.nodeSelector[pool] (xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx) is not valid: expected at most 63 letters, digits, -, _ and .
            """)
    void aNodeSelectorOfAReservationHasValuesOfLabels(String value, @Nullable String flaw)
            throws JsonProcessingException {
        String object = """
                {"apiVersion": "slotwise.io/v1alpha1", "kind": "Reservation",
                 "spec": {"hold": {"size": 1, "nodeSelector": {"pool": "%s"}}}}
                """.formatted(value);

        assertThat(ObjectSchema.flaws(JsonMapper.builder().build().readTree(object)))
                .extracting(SchemaFlaw::message)
                .containsExactlyElementsOf(flaw == null ? List.of() : List.of(flaw));
    }
}
