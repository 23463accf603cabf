package io.slotwise.kubernetes.manifest.queues;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.slotwise.core.text.SafeText;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueObject;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueSpec;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueSpecBuilder;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Reason;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Subject;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The queues of another project as Queue objects.
 *
 * @param queues parents before their children
 * @param notes one for each object and field that is not translated
 */
public record PeerQueues(List<QueueObject> queues, List<IntakeWarning> notes) {
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
        List<QueueObject> queues = new ArrayList<>();
        List<IntakeWarning> notes = new ArrayList<>();
        for (JsonNode document : documents) {
            String apiVersion = document.path("apiVersion").asText();
            String kind = document.path("kind").asText();
            String name = document.path("metadata").path("name").asText();
            if (KueueQueues.reads(apiVersion, kind)) {
                kueue.add(document);
            } else if (VolcanoQueues.reads(apiVersion, kind)) {
                Subject subject = Subject.of("Volcano's Queue", name);
                PeerObject peer = new PeerObject(subject, "spec.", document.path("spec"), notes);
                String state = document.path("status").path("state").asText();
                peer.read(() -> queues.add(VolcanoQueues.queue(peer, state)));
            } else if (document.path("partitions").isArray()) {
                document.path("partitions").forEach(new YuniKornQueues(queues, notes)::addPartition);
            } else {
                notes.add(IntakeWarning.of(
                        Reason.IGNORED,
                        Subject.of(kind, name),
                        null,
                        "%s %s is not read".formatted(SafeText.value(kind), SafeText.value(name)),
                        "it is no queue of Kueue, Volcano or YuniKorn"));
            }
        }
        if (!kueue.isEmpty()) {
            PeerQueues peerQueues = new KueueQueues(kueue).translated();
            queues.addAll(peerQueues.queues);
            notes.addAll(peerQueues.notes);
        }
        return new PeerQueues(queues, notes);
    }

    /** Returns the manifests of the queues, in YAML. */
    public String yaml() {
        return queues.stream().map(Serialization::asYaml).collect(Collectors.joining());
    }

    static QueueObject queue(String name, QueueSpecBuilder spec) {
        QueueObject object = new QueueObject();
        object.getMetadata().setName(name);
        object.setSpec(spec.build());
        return object;
    }

    /** Returns what a queue lends, or null for all of its guarantee. */
    static QueueSpec.@Nullable Lending lending(Map<String, Long> amounts) {
        return amounts.isEmpty() ? null : new QueueSpec.Lending(PeerObject.texts(amounts), null);
    }
}
