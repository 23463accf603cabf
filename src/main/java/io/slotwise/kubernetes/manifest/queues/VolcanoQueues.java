package io.slotwise.kubernetes.manifest.queues;

import com.fasterxml.jackson.databind.JsonNode;
import io.slotwise.core.queue.Queue;
import io.slotwise.core.text.SafeText;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueObject;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueSpecBuilder;
import io.slotwise.kubernetes.manifest.queues.PeerObject.Untranslated;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Translates Volcano's queues: {@code capability} is the limit, {@code deserved} the guarantee, and {@code guarantee}
 * the part of it that is not lent.
 *
 * <p>Source: volcano-sh/apis, pkg/apis/scheduling/v1beta1/types.go; volcano-sh/volcano,
 * docs/design/capacity-scheduling.md.
 */
final class VolcanoQueues {
    private static final Set<String> TRANSLATED =
            Set.of("weight", "capability", "guarantee", "deserved", "parent", "state");
    private static final Set<String> CLOSED = Set.of("Closed", "Closing");

    private static final List<Untranslated> UNTRANSLATED = List.of(
            new Untranslated("reclaimable", "what it borrows is reclaimed as from other queues", "true"),
            new Untranslated("priority", "guarantees and weights decide which queue comes first", "0"),
            new Untranslated("affinity", "its gangs may use any node"),
            new Untranslated("dequeueStrategy", "a gang that waits does not hold back later ones", "traverse"));

    private VolcanoQueues() {}

    static boolean reads(String apiVersion, String kind) {
        return apiVersion.startsWith("scheduling.volcano.sh/") && kind.equals("Queue");
    }

    /**
     * Returns the queue of an object whose {@code spec} has these fields.
     *
     * @param state the state of its status
     * @throws IllegalArgumentException if a quantity cannot be read
     */
    static QueueObject queue(PeerObject peer, String state) {
        SortedMap<String, Long> kept = peer.amounts("guarantee.resource");
        SortedMap<String, Long> guarantee = new TreeMap<>(kept);
        peer.amounts("deserved").forEach((resource, amount) -> guarantee.merge(resource, amount, Math::max));
        SortedMap<String, Long> lending = new TreeMap<>(kept);
        lending.replaceAll((resource, amount) -> guarantee.getOrDefault(resource, amount) - amount);
        SortedMap<String, Long> limit = peer.amounts("capability");
        peer.noteUnread(TRANSLATED, UNTRANSLATED);
        String parent = peer.text("parent");
        JsonNode spec = peer.fields();
        boolean closed =
                CLOSED.contains(state) || CLOSED.contains(spec.path("state").asText());
        return PeerQueues.queue(
                peer.name(),
                QueueSpecBuilder.builder()
                        .parent(Queue.ROOT.equals(parent) ? null : parent)
                        .weight(weight(spec.path("weight")))
                        .guarantee(PeerObject.texts(guarantee))
                        .limit(PeerObject.texts(limit))
                        .lending(PeerQueues.lending(lending))
                        .suspended(closed ? true : null));
    }

    /** Returns a weight, or null if there is none. */
    private static @Nullable Integer weight(JsonNode weight) {
        if (weight.isMissingNode() || weight.isNull()) {
            return null;
        }
        if (!weight.canConvertToExactIntegral() || !weight.canConvertToInt() || weight.intValue() < 0) {
            throw new IllegalArgumentException("`spec.weight` (%s) is not valid: expected a whole number such as 3"
                    .formatted(SafeText.value(weight.asText())));
        }
        return weight.intValue();
    }
}
