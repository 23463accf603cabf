package io.slotwise.it.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.slotwise.cli.plan.PlannedCase;
import io.slotwise.it.ControlPlane;
import io.slotwise.it.ProjectFiles;
import io.slotwise.it.RealControlPlane;
import io.slotwise.testing.MutatedObjects;
import io.slotwise.testing.MutatedObjects.Mutated;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The API server as the judge of manifests. Proves that {@code plan -f} refuses or notes every object with one mistake
 * that the API server refuses ({@code dryRun=All}, {@code fieldValidation=Strict}). {@code -Dslotwise.oracle.manifests}
 * (2,000) is their number, and {@code -Dslotwise.oracle.seed} (1) selects them. {@code -Dslotwise.schema=write} writes
 * the table of fields as this API server serves it.
 */
class ManifestOracleIT {
    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int NOT_FOUND = 404;
    private static final Set<String> NAMESPACED = Set.of(
            "Pod",
            "Job",
            "PersistentVolumeClaim",
            "PodDisruptionBudget",
            "ResourceClaim",
            "ResourceClaimTemplate",
            "LimitRange",
            "ResourceQuota",
            "Deployment",
            "ReplicaSet",
            "StatefulSet",
            "JobSet",
            "LeaderWorkerSet",
            "PodGroup",
            "Reservation");

    /** The refusals of the API server that a plan ignores by design, by their words. */
    private static final Map<String, Pattern> BY_DESIGN = Map.of(
            "a plan needs no image",
            Pattern.compile("\\.image: (Required|Invalid) value"),
            "it does not matter what a Job does with failed pods",
            Pattern.compile("restartPolicy: Required value"),
            "nor which type a volume has that no node is bound to",
            Pattern.compile("must specify a volume type"),
            "how large a volume is decides nothing, and the API server reads 70 digits as -1",
            Pattern.compile("spec.capacity\\[storage\\]: Invalid value: -1"),
            "the selector of a class is read where a claim asks for the class",
            Pattern.compile("spec.selectors\\[0\\].cel.expression: Invalid value"),
            "the API server's own ratio of 70 digits is negative",
            Pattern.compile("is greater than max/min = -"),
            "a Job whose completions are not said has one for each pod",
            Pattern.compile("completions: Required value"));

    private final int cases = Integer.getInteger("slotwise.oracle.manifests", 2000);
    private final long seed = Long.getLong("slotwise.oracle.seed", 1);

    @Test
    void aPlanRefusesOrNotesEveryRefusalOfTheApiServer() throws IOException {
        List<String> differences = new ArrayList<>();
        Map<String, Integer> tally = new TreeMap<>();
        Set<String> beyond = new TreeSet<>();
        try (ControlPlane plane = start("ManifestOracleIT")) {
            plane.client()
                    .resource(new NamespaceBuilder()
                            .withNewMetadata()
                            .withName(MutatedObjects.NAMESPACE)
                            .endMetadata()
                            .build())
                    .create();
            for (ObjectNode honest : MutatedObjects.honest()) {
                assertThat(refusal(plane.client(), honest))
                        .as(honest.toString())
                        .isNull();
            }
            MutatedObjects objects = new MutatedObjects(seed);
            for (int i = 0; i < cases; i++) {
                Mutated mutated = objects.next();
                String refused = refusal(plane.client(), mutated.object());
                Set<String> findings = PlannedCase.findings(List.of(mutated.object()));
                String outcome = (refused == null ? "taken" : "refused") + " by the API server, "
                        + (findings.isEmpty() ? "taken" : "refused or noted") + " by the plan";
                tally.merge(outcome, 1, Integer::sum);
                String story = "%s %s: %s | %s"
                        .formatted(mutated.object().path("kind").asText(), mutated.mistake(), refused, findings);
                if (refused != null && findings.isEmpty() && isNoDesign(refused)) {
                    differences.add(story);
                } else if (refused == null && !findings.isEmpty()) {
                    beyond.add(story);
                }
            }
            Files.writeString(
                    plane.logs().resolve("manifests.md"),
                    "seed %d: %s%n%n## Taken by the plan alone%n%s%n%n## Refused by the plan alone%n%s%n"
                            .formatted(seed, tally, String.join("\n", differences), String.join("\n", beyond)));
        }

        assertThat(differences).isEmpty();
    }

    @Test
    void theTableOfFieldsIsTheApiServersOwn() throws IOException {
        SchemaText text = new SchemaText();
        try (ControlPlane plane = start("ManifestOracleIT-schema")) {
            for (String api : new TreeSet<>(SchemaText.KINDS.keySet())) {
                Awaitility.await(api)
                        .atMost(Duration.ofMinutes(2))
                        .ignoreExceptions()
                        .until(() -> text.add(
                                api, MAPPER.readTree(plane.client().raw("/openapi/v3/" + SchemaText.path(api)))));
            }
        }
        String resource = "io/slotwise/kubernetes/manifest/schema/fields.txt";
        String there;
        try (InputStream stream =
                Objects.requireNonNull(getClass().getClassLoader().getResourceAsStream(resource))) {
            there = new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        }
        String comment = String.join(
                        "\n", there.lines().filter(line -> line.startsWith("#")).toList()) + "\n";
        if ("write".equals(System.getProperty("slotwise.schema"))) {
            Files.writeString(Path.of("src/main/resources").resolve(resource), comment + text.text());
        } else {
            assertThat(there).isEqualTo(comment + text.text());
        }
    }

    /** Starts a control plane with all judged kinds: PodGroups, and the definitions of Slotwise and others. */
    private static ControlPlane start(String name) {
        ControlPlane plane = ControlPlane.startBare(name, RealControlPlane.POD_GROUPS);
        plane.define("jobset");
        plane.define("lws");
        plane.define(ProjectFiles.root().resolve("helm/slotwise/files/crds"));
        return plane;
    }

    private static String plural(String kind) {
        String name = kind.toLowerCase(Locale.ROOT);
        return name.endsWith("s") ? name + "es" : name + "s";
    }

    private static boolean isNoDesign(String refused) {
        return BY_DESIGN.values().stream()
                .noneMatch(pattern -> pattern.matcher(refused).find());
    }

    /** The API server's refusal of an object, or null. */
    private static @Nullable String refusal(KubernetesClient client, ObjectNode object) {
        String kind = object.path("kind").asText();
        String api = object.path("apiVersion").asText();
        JsonNode namespace = object.path("metadata").path("namespace");
        String path = "%s/%s/%s%s?dryRun=All&fieldValidation=Strict"
                .formatted(
                        api.indexOf('/') < 0 ? "/api" : "/apis",
                        api,
                        NAMESPACED.contains(kind)
                                ? "namespaces/%s/"
                                        .formatted(
                                                namespace.asText().equals(MutatedObjects.NAMESPACE)
                                                        ? MutatedObjects.NAMESPACE
                                                        : "default")
                                : "",
                        plural(kind));
        try {
            client.raw(path, "POST", object.toString());
            return null;
        } catch (KubernetesClientException e) {
            boolean isElsewhere =
                    e.getCode() == NOT_FOUND || String.valueOf(e.getMessage()).contains("does not match the namespace");
            return isElsewhere ? null : String.valueOf(e.getMessage());
        }
    }
}
