package io.slotwise.chart;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Proves that image, overlays and release steps fit together, as far as the files show. */
class DeliveryTest {
    private static final Path DOCKERFILE = Path.of("deploy/Dockerfile");
    private static final Path RELEASE = Path.of(".github/workflows/release.yml");
    private static final Pattern COPIED = Pattern.compile("(?m)^COPY (?!--from)(.+) \\S+$");
    private static final Pattern ARGUMENT = Pattern.compile("(?m)^ARG (\\w+)=");
    private static final Pattern OUTPUT = Pattern.compile("steps\\.(\\w+)\\.outputs\\.([\\w-]+)");
    private static final Pattern USES = Pattern.compile("(?m)uses: (.+)$");
    private static final Pattern PINNED = Pattern.compile("\\bpinned (\\w+) (\\w+)");

    private static List<String> found(Pattern pattern, String text) {
        return pattern.matcher(text).results().map(match -> match.group(1)).toList();
    }

    /** The ignore file sends the builder only what it names. */
    @Test
    void theImageUsesOnlyFilesSentToTheBuilder() {
        List<String> copied = found(COPIED, Chart.read(DOCKERFILE)).stream()
                .flatMap(sources -> Stream.of(sources.split(" ", -1)))
                .toList();
        List<String> sent = Chart.read(Path.of(DOCKERFILE + ".dockerignore"))
                .lines()
                .filter(line -> line.startsWith("!"))
                .map(line -> line.substring(1))
                .toList();

        assertThat(copied).contains("pom.xml", "src/main", "deploy/jvm.options");
        assertThat(copied).allSatisfy(source -> assertThat(Path.of(source)).exists());
        assertThat(sent).containsExactlyInAnyOrderElementsOf(copied);
    }

    @Test
    void nothingThatFailsIsPassedOver() {
        assertThat(Chart.read(DOCKERFILE)).doesNotContain("|| true");
        assertThat(Chart.read(RELEASE)).doesNotContain("|| true", "continue-on-error");
    }

    @Test
    void aReleaseTakesTheVersionThatTheTagNames() {
        String version = Chart.yaml(Chart.read(Chart.FOLDER.resolve("Chart.yaml")))
                .path("version")
                .asText();

        assertThat(Chart.read(Chart.FOLDER.resolve("Chart.yaml")).lines())
                .contains("version: " + version, "appVersion: " + version);
        assertThat(Chart.read(DOCKERFILE)).contains("org.opencontainers.image.version=\"" + version + "\"");
        assertThat(Chart.read(Path.of("pom.xml"))).contains("<version>" + version + "</version>");
        assertThat(Chart.read(RELEASE)).contains("org.opencontainers.image.version=\\\"$version\\\"");
    }

    @Test
    void everyReleaseStepUsesOutputsOfEarlierSteps() {
        JsonNode jobs = Chart.yaml(Chart.read(RELEASE)).path("jobs");

        for (JsonNode job : jobs) {
            assertThat(job.path("needs").valueStream().map(JsonNode::asText))
                    .allSatisfy(needed -> assertThat(jobs.has(needed)).isTrue());
            Set<String> before = new HashSet<>();
            for (JsonNode step : job.path("steps")) {
                List<MatchResult> asked =
                        OUTPUT.matcher(step.toString()).results().toList();
                assertThat(asked).allSatisfy(output -> assertThat(before).contains(output.group(1)));
                before.add(step.path("id").asText());
            }
        }
        JsonNode image = step(jobs.path("publish"), "image");
        assertThat(image.at("/with/platforms").asText()).isEqualTo("linux/amd64,linux/arm64");
    }

    @Test
    void everyActionIsTakenByDigestAndNothingThatIsPublishedComesFromACache() {
        String scan = Chart.read(Path.of(".github/workflows/scan.yml"));
        String nightly = Chart.read(Path.of(".github/workflows/nightly.yml"));
        JsonNode publish = Chart.yaml(Chart.read(RELEASE)).at("/jobs/publish");

        assertThat(Stream.of(Chart.read(RELEASE), scan, nightly).flatMap(text -> found(USES, text).stream()))
                .hasSizeGreaterThan(10)
                .allSatisfy(action -> assertThat(action)
                        .matches("[\\w.-]+/[\\w./-]+@[0-9a-f]{40} # v[0-9.]+|\\./\\.github/workflows/scan\\.yml"));
        assertThat(publish.path("needs").valueStream().map(JsonNode::asText)).containsExactly("test", "scan");
        assertThat(publish.findValues("cache"))
                .allSatisfy(cache -> assertThat(cache.asBoolean(true)).isFalse());
        // These actions cache what they load unless told otherwise.
        assertThat(publish.findValuesAsText("cache-image")).containsExactly("false");
        assertThat(publish.findValuesAsText("cache-binary")).containsExactly("false");
        assertThat(scan).contains("package -Psbom", "osv-scanner-action", "schedule:");
        assertThat(nightly).contains("schedule:", "bash .ci/nightly");
    }

    /** The image is made from two others. */
    @Test
    void theImagesBelowAreTakenByDigest() {
        JsonNode publish = Chart.yaml(Chart.read(RELEASE)).at("/jobs/publish");
        String script = step(publish, "bases").path("run").asText();
        String arguments = step(publish, "image").at("/with/build-args").asText();

        List<MatchResult> pinned = PINNED.matcher(script).results().toList();

        assertThat(pinned.stream().map(one -> one.group(1)))
                .containsExactlyInAnyOrderElementsOf(found(ARGUMENT, Chart.read(DOCKERFILE)));
        assertThat(pinned)
                .allSatisfy(one -> assertThat(arguments)
                        .contains("%s=${{ steps.bases.outputs.%s }}".formatted(one.group(1), one.group(2))));
    }

    private static JsonNode step(JsonNode job, String id) {
        return job.path("steps")
                .valueStream()
                .filter(step -> step.path("id").asText().equals(id))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void thePackagedChartInstallsTheImageThatWasPushed(@TempDir Path folder) throws Exception {
        String script = step(Chart.yaml(Chart.read(RELEASE)).at("/jobs/publish"), "image")
                .at("/with/tags")
                .asText();

        run("deploy/stamp-chart", folder.resolve("a").toString(), "host.example/own/slotwise", "v1.2.3");
        run(
                "deploy/stamp-chart",
                folder.resolve("b").toString(),
                "host.example/own/slotwise",
                "v1.2.3",
                "sha256:" + "a".repeat(64));

        assertThat(script).isEqualTo("${{ vars.REGISTRY }}/slotwise:${{ github.ref_name }}");
        assertThat(Chart.read(RELEASE))
                .contains("deploy/stamp-chart target/chart/slotwise \"$REGISTRY/slotwise\" "
                        + "\"$GITHUB_REF_NAME\" \"$DIGEST\"")
                .contains("helm package target/chart/slotwise");
        assertThat(image(folder.resolve("a"))).isEqualTo("host.example/own/slotwise:v1.2.3");
        assertThat(image(folder.resolve("b"))).isEqualTo("host.example/own/slotwise@sha256:" + "a".repeat(64));
    }

    @Test
    void theNotesOfAReleaseAreItsSectionOfTheChangelog(@TempDir Path folder) throws Exception {
        Path changelog = Files.writeString(
                folder.resolve("CHANGELOG.md"),
                "# Changelog\n\n## [Unreleased]\n- later\n\n## [1.2.3] - 2030-01-01\n### "
                        + "Added\n- this\n\n## [1.2.2]\n- before\n");

        assertThat(run("deploy/release-notes", "1.2.3", changelog.toString()).strip())
                .isEqualTo("### Added\n- this");
        assertThat(Chart.read(RELEASE)).contains("--notes-file target/notes.md").doesNotContain("CHANGELOG.md");
    }

    private static String image(Path chart) {
        return Chart.renderedIn(chart).container("slotwise").path("image").asText();
    }

    private static String run(String... command) throws IOException, InterruptedException {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String told = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(told).isZero();
        return told;
    }

    @Test
    void theOverlaysChangeWhatTheBaseHas() throws IOException {
        List<JsonNode> base = new ArrayList<>();
        for (String document : Chart.read(Path.of("deploy/base/slotwise.yaml")).split("(?m)^---$", -1)) {
            base.add(Chart.yaml(document));
        }
        try (Stream<Path> overlays = Files.list(Path.of("deploy/overlays"))) {
            for (Path overlay : overlays.sorted().toList()) {
                JsonNode changes = Chart.yaml(Chart.read(overlay.resolve("kustomization.yaml")));

                assertThat(changes.path("resources"))
                        .allSatisfy(resource ->
                                assertThat(overlay.resolve(resource.asText())).exists());
                assertThat(changes.path("patches"))
                        .allSatisfy(patch -> assertThat(base).anyMatch(object -> is(object, patch.path("target"))));
                assertThat(changes.path("replicas"))
                        .allSatisfy(count -> assertThat(base)
                                .anyMatch(object -> object.path("kind").asText().equals("Deployment")
                                        && object.at("/metadata/name").equals(count.path("name"))));
                assertThat(changes.path("images"))
                        .allSatisfy(image -> assertThat(base.toString())
                                .contains("\"image\":\"" + image.path("name").asText() + ":"));
            }
        }
    }

    private static boolean is(JsonNode object, JsonNode target) {
        return object.path("kind").equals(target.path("kind"))
                && object.at("/metadata/name").equals(target.path("name"));
    }
}
