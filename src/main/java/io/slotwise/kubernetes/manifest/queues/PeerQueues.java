package io.slotwise.kubernetes.manifest.queues;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLGenerator;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.slotwise.core.text.SafeText;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueObject;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueSpec;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Reason;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Subject;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The queues of another project as Queue objects.
 *
 * @param queues parents before their children
 * @param notes one for each object and field that is not translated
 */
public record PeerQueues(List<QueueObject> queues, List<IntakeWarning> notes) {
    private static final YAMLMapper YAML = YAMLMapper.builder()
            .enable(YAMLGenerator.Feature.MINIMIZE_QUOTES)
            .enable(YAMLGenerator.Feature.ALWAYS_QUOTE_NUMBERS_AS_STRINGS)
            .build();

    public PeerQueues {
        queues = List.copyOf(queues);
        notes = List.copyOf(notes);
    }

    /**
     * Translates the queues of Kueue, Volcano or YuniKorn.
     *
     * @param documents Kubernetes objects, or YuniKorn's configuration; a configuration in a ConfigMap is given as its
     *     own document
     */
    public static PeerQueues of(List<JsonNode> documents) {
        List<JsonNode> kueue = new ArrayList<>();
        List<JsonNode> volcano = new ArrayList<>();
        List<JsonNode> partitions = new ArrayList<>();
        List<IntakeWarning> notes = new ArrayList<>();
        for (JsonNode document : documents) {
            String apiVersion = document.path("apiVersion").asText();
            String kind = document.path("kind").asText();
            if (KueueQueues.reads(apiVersion, kind)) {
                kueue.add(document);
            } else if (VolcanoQueues.reads(apiVersion, kind)) {
                volcano.add(document);
            } else if (document.path("partitions").isArray()) {
                document.path("partitions").forEach(partitions::add);
            } else {
                String name = document.path("metadata").path("name").asText();
                notes.add(IntakeWarning.of(
                        Reason.IGNORED,
                        Subject.of(kind, name),
                        null,
                        "%s %s is not read".formatted(SafeText.value(kind), SafeText.value(name)),
                        "it is no queue of Kueue, Volcano or YuniKorn"));
            }
        }
        List<QueueObject> queues = new ArrayList<>();
        if (!kueue.isEmpty()) {
            add(new KueueQueues(kueue).translated(), queues, notes);
        }
        add(VolcanoQueues.translate(volcano), queues, notes);
        add(YuniKornQueues.translate(partitions), queues, notes);
        return new PeerQueues(queues, notes);
    }

    private static void add(PeerQueues peers, List<QueueObject> queues, List<IntakeWarning> notes) {
        queues.addAll(peers.queues);
        notes.addAll(peers.notes);
    }

    /** Returns the manifests of the queues, in YAML. */
    public String yaml() throws JsonProcessingException {
        StringBuilder manifests = new StringBuilder();
        for (QueueObject queue : queues) {
            ObjectNode object = YAML.createObjectNode();
            object.put("apiVersion", queue.getApiVersion()).put("kind", queue.getKind());
            object.putObject("metadata").put("name", queue.getMetadata().getName());
            object.set("spec", YAML.valueToTree(queue.getSpec()));
            manifests.append(YAML.writeValueAsString(object));
        }
        return manifests.toString();
    }

    static QueueObject queue(String name, QueueSpec spec) {
        QueueObject object = new QueueObject();
        object.getMetadata().setName(name);
        object.setSpec(spec);
        return object;
    }

    /** Returns what a queue lends, or null for all of its guarantee. */
    static QueueSpec.@Nullable Lending lending(Map<String, BigDecimal> amounts) {
        return amounts.isEmpty() ? null : new QueueSpec.Lending(PeerObject.texts(amounts), null);
    }
}
