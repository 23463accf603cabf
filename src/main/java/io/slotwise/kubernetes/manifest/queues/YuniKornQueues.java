package io.slotwise.kubernetes.manifest.queues;

import com.fasterxml.jackson.databind.JsonNode;
import io.slotwise.core.queue.Queue;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueObject;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueSpecBuilder;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Reason;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Subject;
import io.slotwise.kubernetes.manifest.queues.PeerObject.Untranslated;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Translates the queues of YuniKorn's partition {@code default}. A queue is called by its path without the root, since
 * names are unique only among siblings there.
 *
 * <p>Source: yunikorn.apache.org, Partition and Queue Configuration.
 *
 * @param queues where queues are added
 * @param notes where notes are added
 */
record YuniKornQueues(List<QueueObject> queues, List<IntakeWarning> notes) {
    private static final String DEFAULT_PARTITION = "default";
    private static final Set<String> TRANSLATED = Set.of("name", "parent", "queues", "resources");

    private static final List<Untranslated> UNTRANSLATED = List.of(
            new Untranslated("submitacl", "who may name the queue is decided by the permission to `use` it"),
            new Untranslated("adminacl", "who may change it is decided by permissions on Queue objects"),
            new Untranslated("maxapplications", "any number of gangs runs at once"),
            new Untranslated("limits", "users and groups have no limits of their own"),
            new Untranslated("properties", "the policy orders and displaces gangs"),
            new Untranslated("childtemplate", "no queue is made for a name that does not exist"),
            new Untranslated(
                    "placementrules", "`spec.namespaces` and the annotation `slotwise.io/queue` give a gang its queue"),
            new Untranslated("nodesortpolicy", "the criterion of each gang decides"),
            new Untranslated("preemption", "`queue.preemption` of the policy decides"));

    void addPartition(JsonNode partition) {
        String name = partition.path("name").asText(DEFAULT_PARTITION);
        PeerObject peer = new PeerObject(Subject.of("YuniKorn's partition", name), "", partition, notes);
        if (name.equals(DEFAULT_PARTITION)) {
            peer.noteUnread(TRANSLATED, UNTRANSLATED);
            partition.path("queues").forEach(queue -> add(queue, null));
        } else {
            peer.note("name", "its queues are left out");
        }
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
        peer.noteUnread(TRANSLATED, UNTRANSLATED);
        if (queues.stream().anyMatch(queue -> queue.getMetadata().getName().equals(name))) {
            peer.note(
                    Reason.INVALID_VALUE,
                    "name",
                    "(%s) is that of another queue, which is %s too".formatted(own, name),
                    "it is left out with the queues below it");
            return;
        }
        if (!root || !fields.path("resources").isEmpty()) {
            peer.read(() -> queues.add(PeerQueues.queue(
                    name,
                    QueueSpecBuilder.builder()
                            .parent(parent)
                            .guarantee(PeerObject.texts(peer.amounts("resources.guaranteed")))
                            .limit(PeerObject.texts(peer.amounts("resources.max"))))));
        }
        fields.path("queues").forEach(child -> add(child, root ? null : name));
    }
}
