package io.slotwise.kubernetes.manifest.queues;

import com.fasterxml.jackson.databind.JsonNode;
import io.slotwise.core.queue.Queue;
import io.slotwise.core.resource.Resources;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueObject;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueSpec;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Reason;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Subject;
import io.slotwise.kubernetes.manifest.queues.PeerObject.Untranslated;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Translates the queues of YuniKorn's partition {@code default}. A queue is called by its path without the root, since
 * names are unique only among siblings there. Lives for one translation.
 *
 * <p>Source: yunikorn.apache.org, Partition and Queue Configuration.
 */
final class YuniKornQueues {
    private static final String DEFAULT_PARTITION = "default";

    private static final Map<String, Untranslated> UNTRANSLATED = Map.of(
            "submitacl",
            new Untranslated("who may name the queue is decided by the permission to `use` it"),
            "adminacl",
            new Untranslated("who may change it is decided by permissions on Queue objects"),
            "maxapplications",
            new Untranslated("any number of gangs runs at once"),
            "limits",
            new Untranslated("users and groups have no limits of their own"),
            "properties",
            new Untranslated("the policy orders and displaces gangs"),
            "childtemplate",
            new Untranslated("no queue is made for a name that does not exist"),
            "placementrules",
            new Untranslated("`spec.namespaces` and the annotation `slotwise.io/queue` give a gang its queue"),
            "nodesortpolicy",
            new Untranslated("the criterion of each gang decides"),
            "preemption",
            new Untranslated("`queue.preemption` of the policy decides"));

    private final List<QueueObject> queues = new ArrayList<>();
    private final List<IntakeWarning> notes = new ArrayList<>();

    private YuniKornQueues() {}

    static PeerQueues translate(List<JsonNode> partitions) {
        YuniKornQueues queues = new YuniKornQueues();
        for (JsonNode partition : partitions) {
            String name = partition.path("name").asText(DEFAULT_PARTITION);
            PeerObject peer = new PeerObject(Subject.of("YuniKorn's partition", name), "", partition, queues.notes);
            if (name.equals(DEFAULT_PARTITION)) {
                peer.noteUnread(Set.of("name", "queues"), UNTRANSLATED);
                partition.path("queues").forEach(queue -> queues.add(queue, null));
            } else {
                peer.note("name", "its queues are left out");
            }
        }
        return new PeerQueues(queues.queues, queues.notes);
    }

    private void add(JsonNode fields, @Nullable String parent) {
        String own = fields.path("name").asText();
        boolean root = parent == null && own.equals(Queue.ROOT);
        String path = parent == null ? own : parent + "." + own;
        PeerObject peer = new PeerObject(Subject.of("YuniKorn's queue", path), "", fields, notes);
        String name = path.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.-]", "-");
        if (!name.equals(path)) {
            peer.note(
                    Reason.NOT_SUPPORTED, "name", "(%s) is no name of an object".formatted(own), "it becomes " + name);
        }
        peer.noteUnread(Set.of("name", "parent", "queues", "resources"), UNTRANSLATED);
        try {
            JsonNode resources = fields.path("resources");
            QueueSpec spec = new QueueSpec(
                    parent,
                    null,
                    PeerObject.texts(peer.amounts(resources.path("guaranteed"), YuniKornQueues::resource)),
                    PeerObject.texts(peer.amounts(resources.path("max"), YuniKornQueues::resource)),
                    null,
                    List.of(),
                    List.of(),
                    null,
                    null);
            if (!root || !resources.isEmpty()) {
                queues.add(PeerQueues.queue(name, spec));
            }
        } catch (IllegalArgumentException e) {
            peer.leaveOut(e);
        }
        fields.path("queues").forEach(child -> add(child, root ? null : name));
    }

    private static String resource(String name) {
        return name.equals("vcore") ? Resources.CPU : name;
    }
}
