package io.slotwise.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.report.JsonReport;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The notes of {@code plan -f -o json} on missing and misspelt parts of objects. */
class InputNotesJsonTest {
    private static final String OBJECTS = """
            apiVersion: v1
            kind: Node
            metadata: {name: n1, labels: {slotwise.io/price: "1"}}
            status: {allocatable: {cpu: "4", memory: 8Gi, pods: "110"}}
            ---
            apiVersion: v1
            kind: Pod
            metadata: {name: p, annotations: {slotwise.io/runtime: 1h}}
            spec:
              schedulerName: slotwise
              priorityClassName: high
              nodeSelectors: {gpu: "yes"}
              containers: [{name: c, resources: {requests: {cpu: "1"}}}]
            """;

    @Test
    void aMissingReferenceAndAnUnknownFieldAreReportedWithTheirEffect() throws JsonProcessingException {
        FilePlan plan = FilePlan.of(
                ManifestFile.read(new ByteArrayInputStream(OBJECTS.getBytes(StandardCharsets.UTF_8)), "objects.yaml"),
                LoopSettings.EXACT,
                PriceCatalogue.EMPTY,
                Instant.parse("2030-01-01T00:00:00Z").getEpochSecond());

        JsonNode notes = new ObjectMapper()
                .readTree(JsonReport.write(plan.report(), List.of()))
                .path("inputNotes");

        assertThat(notes)
                .extracting(
                        note -> note.path("reason").asText(),
                        note -> note.path("kind").asText(),
                        note -> note.path("subject").asText(),
                        note -> note.path("field").asText(),
                        note -> note.path("consequence").asText())
                .contains(
                        tuple(
                                "Missing",
                                "PriorityClass",
                                "high",
                                "spec.priorityClassName",
                                "its value is not known, and the priority counts as 0"),
                        tuple(
                                "UnknownField",
                                "Pod",
                                "default/p",
                                "spec.nodeSelectors",
                                "it does not count in the plan, and kubectl refuses the object"));
        assertThat(notes)
                .allMatch(note -> note.path("message")
                        .asText()
                        .endsWith(note.path("consequence").asText()));
    }
}
