package io.slotwise.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.marcnuri.helm.Helm;
import com.marcnuri.helm.LintResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ChartLintTest {

    @Test
    void strictLintIsClean() {
        LintResult result = new Helm(Chart.FOLDER).lint().strict().call();

        assertThat(result.isFailed())
                .as(String.join("\n", result.getMessages()))
                .isFalse();
        assertThat(result.getMessages()).noneMatch(message -> message.contains("[WARNING]"));
    }

    @Test
    void artifactHubIsToldOfEveryResourceDefinition() throws IOException {
        JsonNode told = Chart.yaml(Chart.yaml(Chart.read(Chart.FOLDER.resolve("Chart.yaml")))
                .at("/annotations/artifacthub.io~1crds")
                .asText());
        try (Stream<Path> files = Files.list(Chart.FOLDER.resolve("files/crds"))) {
            List<JsonNode> definitions =
                    files.map(file -> Chart.yaml(Chart.read(file))).toList();

            assertThat(told).hasSameSizeAs(definitions);
            for (JsonNode definition : definitions) {
                assertThat(told)
                        .filteredOn(crd -> crd.path("name").equals(definition.at("/metadata/name")))
                        .singleElement()
                        .satisfies(crd -> {
                            assertThat(crd.path("kind")).isEqualTo(definition.at("/spec/names/kind"));
                            assertThat(crd.path("version")).isEqualTo(definition.at("/spec/versions/0/name"));
                            assertThat(crd.path("description").asText()).isNotBlank();
                        });
            }
        }
    }
}
