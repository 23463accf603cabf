package io.slotwise.testing;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.slotwise.core.gang.Criterion;
import io.slotwise.core.plan.Policy;
import io.slotwise.core.plan.Snapshot;
import io.slotwise.kubernetes.manifest.ClusterObjects;
import io.slotwise.kubernetes.manifest.Intake;
import io.slotwise.kubernetes.manifest.IntakeResult;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.pods.PodFilter;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;

/**
 * Small clusters with the exact best value of each criterion, found by exhaustive search. They are in {@code
 * oracle/windows.jsonl.gz} of the {@link SharedData}.
 */
public final class OracleWindows {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private OracleWindows() {}

    /**
     * A cluster with one gang.
     *
     * @param number of the case
     * @param now seconds since the epoch
     * @param horizonSeconds the policy's horizon
     * @param manifests a Kubernetes List
     * @param best the best value by the criterion's key, as text: seconds ({@code start} and {@code finish} from now)
     *     or currency units. Empty if no window fits within the budget.
     */
    public record Case(
            int number, long now, long horizonSeconds, String manifests, Map<String, Optional<String>> best) {
        public Policy policy() {
            return Policy.EXACT.withHorizon(horizonSeconds);
        }

        public Snapshot snapshot(Criterion criterion) {
            return taken(criterion).snapshot();
        }

        /** Returns the whole intake with another criterion for the gang. */
        public IntakeResult taken(Criterion criterion) {
            ClusterObjects objects = ManifestFile.read(
                    new ByteArrayInputStream(manifests.getBytes(StandardCharsets.UTF_8)), "case " + number);
            objects.pods().stream()
                    .map(pod -> pod.getMetadata().getAnnotations())
                    .filter(annotations -> annotations.containsKey(AnnotationKeys.CRITERION))
                    .forEach(annotations -> annotations.put(AnnotationKeys.CRITERION, criterion.key()));
            return new Intake(LoopSettings.EXACT.withPolicy(policy()), PriceCatalogue.EMPTY, PodFilter.FILES)
                    .take(objects, Map.of(), now);
        }
    }

    public static Optional<Path> file() {
        return SharedData.file("oracle/windows.jsonl.gz");
    }

    public static List<Case> cases(Path file) throws IOException {
        List<Case> cases = new ArrayList<>();
        try (BufferedReader reader = new BufferedReader(
                new InputStreamReader(new GZIPInputStream(Files.newInputStream(file)), StandardCharsets.UTF_8))) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                cases.add(read(MAPPER.readTree(line)));
            }
        }
        return cases;
    }

    private static Case read(JsonNode json) {
        Map<String, Optional<String>> best = new TreeMap<>();
        json.get("best")
                .properties()
                .forEach(entry -> best.put(
                        entry.getKey(),
                        entry.getValue().isNull()
                                ? Optional.empty()
                                : Optional.of(entry.getValue().asText())));
        return new Case(
                json.get("case").asInt(),
                Instant.parse(json.get("now").asText()).getEpochSecond(),
                json.get("horizonSeconds").asLong(),
                json.get("manifests").toString(),
                best);
    }
}
