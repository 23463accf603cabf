package io.slotwise.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.slotwise.config.PolicyFile;
import io.slotwise.core.time.Durations;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Proves that durations have the same form in the chart, the resource definitions, the admission policies, the policy
 * file and the program.
 */
class DurationGrammarTest {
    @TempDir
    Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "90s",
                "1h30m",
                "7d",
                "1d",
                "1d12h",
                "168h",
                "0s",
                "2d3m",
                "PT1H30M",
                "PT168H",
                "P7D",
                "P1DT2H",
                "PT5S",
                "P1DT1H1M1S",
                "1h1d",
                "10",
                "h",
                "d",
                "P",
                "PT",
                "P1DT",
                "1.5h",
                "1w",
                "P1W",
                "pt1h",
                "PT1h",
                "-5s",
                "PT-1S",
                "1h 30m",
                "soon",
                "9999999999s",
                "P10000D",
                "PT1S1M"
            })
    void everyoneUnderstandsTheSame(String text) {
        boolean understood = reads(text);

        assertThat(admits(text)).as("admission policy").isEqualTo(understood);
        assertThat(matches(Chart.schema().at("/$defs/duration"), text))
                .as("chart")
                .isEqualTo(understood);
        assertThat(matches(hold(), text)).as("resource definition").isEqualTo(understood);
    }

    @Test
    void thePolicyOfAChartWithDaysIsReadByTheProgram() throws IOException {
        Chart.Rendered chart = Chart.rendered("""
                policy:
                  planner: {horizon: 7d}
                  queue: {aging: 1d12h, half-life: 7d}
                  running: {min-run: 1d}
                  records: {holds: {grace: 1d}}
                """);
        Path file = folder.resolve("policy.yaml");

        Files.writeString(
                file,
                chart.all("ConfigMap").stream()
                        .map(map -> map.path("data").path("policy.yaml").asText())
                        .filter(text -> !text.isEmpty())
                        .findFirst()
                        .orElseThrow());

        assertThat(PolicyFile.read(file).policy().horizon()).isEqualTo(604_800);
        assertThat(PolicyFile.read(file).holdGrace()).isEqualTo(86_400);
    }

    /** kube-scheduler, a Go program, knows no days, and Prometheus knows no ISO 8601. */
    @Test
    void durationsForOtherProgramsHaveTheirForm() {
        for (String refused : new String[] {"1d", "PT15S"}) {
            assertThatThrownBy(() -> Chart.rendered("leaderElection: {leaseDuration: %s}".formatted(refused)))
                    .hasMessageContaining("leaseDuration");
        }
        assertThatThrownBy(() -> Chart.rendered("monitoring: {serviceMonitor: {interval: PT15S}}"))
                .hasMessageContaining("interval");
        assertThat(Chart.rendered("leaderElection: {leaseDuration: 1m15s}")).isNotNull();
    }

    private static boolean reads(String text) {
        try {
            return Durations.parse(text) >= 0;
        } catch (IllegalArgumentException e) {
            return false;
        }
    }

    private static boolean admits(String text) {
        JsonNode pieces = Chart.yaml(Chart.read(Chart.FOLDER.resolve("files/admission/rules.yaml")))
                .path("pieces");
        String duration = pieces.path("duration").asText();
        for (int nesting = 0; nesting < 3; nesting++) {
            for (String piece : new String[] {"short-duration", "iso-duration", "iso-time"}) {
                duration =
                        duration.replace("<" + piece + ">", pieces.path(piece).asText());
            }
        }
        // The rule of runtime also requires a digit. Other rules come after a character of their own.
        return Pattern.matches(duration, text) && !text.isEmpty();
    }

    private static JsonNode hold() {
        JsonNode definition = Chart.yaml(Chart.read(Chart.FOLDER.resolve("files/crds/reservations.slotwise.io.yaml")));
        return definition.at(
                "/spec/versions/0/schema/openAPIV3Schema/properties/spec/properties/hold/properties/runtime");
    }

    private static boolean matches(JsonNode schema, String text) {
        return text.length() >= schema.path("minLength").asInt()
                && Pattern.compile(schema.path("pattern").asText())
                        .matcher(text)
                        .find();
    }
}
