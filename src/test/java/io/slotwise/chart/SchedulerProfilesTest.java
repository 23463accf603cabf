package io.slotwise.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Proves that a kube-scheduler with Slotwise as its extender serves no other pods. kube-scheduler asks an extender
 * about the pods of all its profiles, and while Slotwise is away nothing else must wait.
 */
class SchedulerProfilesTest {
    private static final String OURS = "slotwise-extender";
    private static final Pattern BLOCK = Pattern.compile("```[^\\n]*\\n(.*?)```", Pattern.DOTALL);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "start: extender",
                "{start: direct, replicas: 3}",
                "kubeScheduler: {qps: 1000, burst: 2000}",
                "slotwise: {extender: {podPort: 9090}}"
            })
    void theShippedKubeSchedulerServesOnlySlotwisesProfile(String values) {
        assertServesOursAlone(Chart.rendered(values).schedulerConfiguration(), OURS);
    }

    @Test
    void anotherProfileNameIsStillTheOnlyProfile() {
        assertServesOursAlone(Chart.rendered("extenderSchedulerName: gangs").schedulerConfiguration(), "gangs");
    }

    @Test
    void theBasesConfigurationServesOnlySlotwisesProfile() {
        assertServesOursAlone(Chart.yaml(Chart.read(Path.of("deploy/kube-scheduler.yaml"))), OURS);
    }

    /**
     * An extender without profiles is a part of a user's file, and the page has to say which files it must not be in.
     */
    @Test
    void noDocumentOffersTheClustersOwnKubeScheduler() {
        List<String> shown = new ArrayList<>();
        for (Path file : documents()) {
            Matcher blocks = BLOCK.matcher(Chart.read(file));
            while (blocks.find()) {
                String block = blocks.group(1);
                if (block.contains("extenders:")) {
                    shown.add(file.getFileName().toString());
                    assertThat(block).as("%s", file).doesNotContain("default-scheduler");
                    JsonNode profiles = Chart.yaml(block).path("profiles");
                    profiles.forEach(
                            profile -> assertThat(profile.path("schedulerName").asText())
                                    .as("a profile beside our extender in %s", file)
                                    .isEqualTo(OURS));
                }
            }
        }

        assertThat(shown).containsOnly("install.md").isNotEmpty();
        assertThat(Chart.read(Path.of("docs/how-to/install.md")))
                .contains("Never configure Slotwise as an extender of the cluster's own kube-scheduler");
    }

    private static void assertServesOursAlone(JsonNode configuration, String name) {
        assertThat(configuration.path("extenders")).isNotEmpty();
        List<String> names = new ArrayList<>();
        // A profile without a name would be default-scheduler.
        configuration
                .path("profiles")
                .forEach(profile -> names.add(profile.path("schedulerName").asText("default-scheduler")));
        assertThat(names).containsExactly(name);
    }

    private static List<Path> documents() {
        try (Stream<Path> walk = Files.walk(Path.of("docs"))) {
            return Stream.concat(Stream.of(Path.of("README.md")), walk)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
