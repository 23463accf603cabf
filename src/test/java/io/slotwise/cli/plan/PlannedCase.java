package io.slotwise.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Refusal;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.file.ManifestFile;
import io.slotwise.kubernetes.manifest.prices.PriceCatalogue;
import io.slotwise.live.settings.LoopSettings;
import io.slotwise.report.JsonReport;
import io.slotwise.report.Terminal;
import io.slotwise.testing.MutatedObjects;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The notes of {@code plan -f} on one object among honest ones. */
public final class PlannedCase {
    private static final long NOW = Instant.parse("2030-01-01T00:00:00Z").getEpochSecond();
    private static final GangId HONEST = new GangId("honest", "pod-honest");
    private static final String OTHERS = """
            {"apiVersion": "v1", "kind": "Node", "metadata": {"name": "honest", "labels": {"slotwise.io/price": "1", "pool": "honest"}},
             "status": {"allocatable": {"cpu": "8", "memory": "32Gi", "pods": "110"}}}
            {"apiVersion": "v1", "kind": "Pod",
             "metadata": {"name": "honest", "namespace": "honest", "creationTimestamp": "2029-12-31T23:59:59Z"},
             "spec": {"schedulerName": "slotwise", "nodeSelector": {"pool": "honest"},
              "containers": [{"name": "c", "image": "i", "resources": {"requests": {"cpu": "1"}}}]}}
            """;

    private PlannedCase() {}

    /**
     * Plans for an object among honest ones.
     *
     * @return the notes, and the reasons of gangs that are refused for their manifests; empty if the object is accepted
     *     as it is
     */
    public static Set<String> findings(List<ObjectNode> objects) {
        return findings(objects.stream().map(ObjectNode::toString).collect(Collectors.joining("\n")));
    }

    /** The same for objects as text. */
    static Set<String> findings(String objects) {
        String text = OTHERS + objects;
        FilePlan plan = FilePlan.of(
                ManifestFile.read(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)), "objects.json"),
                LoopSettings.EXACT,
                PriceCatalogue.EMPTY,
                NOW);

        assertThat(plan.plan().windows())
                .filteredOn(planned -> planned.window().gang().equals(HONEST))
                .as("the honest gang")
                .hasSize(1);
        assertThat(plan.table(new Terminal(120, false, true))).isNotEmpty();
        assertThat(JsonReport.write(plan.report(), List.of())).isNotEmpty();
        assertThat(plan.result().warnings())
                .noneMatch(warning ->
                        warning.reason() == IntakeWarning.Reason.INTERNAL_ERROR || warning.failure() != null);
        Set<String> findings = new TreeSet<>();
        plan.result().warnings().stream()
                .filter(IntakeWarning::isOfConcern)
                // An API server accepts no objects in a missing namespace, and the cases have no namespaces.
                .filter(warning -> warning.reason() != IntakeWarning.Reason.MISSING
                        || !Set.of("Namespace", "Ledger").contains(warning.kind()))
                .forEach(warning -> findings.add(warning.message()));
        plan.plan().pending().forEach(pending -> {
            assertThat(pending.refusal()).isNotInstanceOf(Refusal.Failed.class);
            if (pending.refusal() instanceof Refusal.InvalidRequest refusal) {
                findings.add(refusal.message());
            }
        });
        assertThat(findings).noneMatch(sentence -> sentence.contains("java.") || sentence.contains("io.fabric8"));
        return findings;
    }

    /** The notes on the honest objects themselves. */
    public static Set<String> usual() {
        return findings(new ArrayList<>(MutatedObjects.honest()));
    }
}
