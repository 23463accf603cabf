package io.slotwise.kubernetes.manifest.queues;

import com.fasterxml.jackson.databind.JsonNode;
import io.slotwise.core.queue.Queue;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueObject;
import io.slotwise.kubernetes.crd.v1alpha1.queue.QueueSpec;
import io.slotwise.kubernetes.manifest.field.IntakeWarning;
import io.slotwise.kubernetes.manifest.field.IntakeWarning.Subject;
import io.slotwise.kubernetes.manifest.queues.PeerObject.Untranslated;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

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

    private static final Map<String, Untranslated> UNTRANSLATED = Map.of(
            "reclaimable",
            new Untranslated(Set.of("true"), "what it borrows is reclaimed as from other queues"),
            "priority",
            new Untranslated(Set.of("0"), "guarantees and weights decide which queue comes first"),
            "affinity",
            new Untranslated("its gangs may use any node"),
            "dequeueStrategy",
            new Untranslated(Set.of("traverse"), "a gang that waits does not hold back later ones"));

    private VolcanoQueues() {}

    static boolean reads(String apiVersion, String kind) {
        return apiVersion.startsWith("scheduling.volcano.sh/") && kind.equals("Queue");
    }

    static PeerQueues translate(List<JsonNode> objects) {
        List<QueueObject> queues = new ArrayList<>();
        List<IntakeWarning> notes = new ArrayList<>();
        for (JsonNode object : objects) {
            String name = object.path("metadata").path("name").asText();
            PeerObject peer = new PeerObject(Subject.of("Volcano's Queue", name), "spec.", object.path("spec"), notes);
            try {
                queues.add(queue(peer, object.path("status").path("state").asText()));
            } catch (IllegalArgumentException e) {
                peer.leaveOut(e);
            }
        }
        return new PeerQueues(queues, notes);
    }

    private static QueueObject queue(PeerObject peer, String state) {
        JsonNode spec = peer.fields();
        SortedMap<String, BigDecimal> kept =
                peer.amounts(spec.path("guarantee").path("resource"), UnaryOperator.identity());
        SortedMap<String, BigDecimal> guarantee = new TreeMap<>(kept);
        peer.amounts(spec.path("deserved"), UnaryOperator.identity())
                .forEach((resource, amount) -> guarantee.merge(resource, amount, BigDecimal::max));
        SortedMap<String, BigDecimal> lending = new TreeMap<>(kept);
        lending.replaceAll(
                (resource, amount) -> guarantee.getOrDefault(resource, amount).subtract(amount));
        SortedMap<String, BigDecimal> limit = peer.amounts(spec.path("capability"), UnaryOperator.identity());
        peer.noteUnread(TRANSLATED, UNTRANSLATED);
        String parent = peer.text("parent");
        return PeerQueues.queue(
                peer.name(),
                new QueueSpec(
                        parent == null || parent.equals(Queue.ROOT) ? null : parent,
                        spec.has("weight") ? spec.path("weight").asInt() : null,
                        PeerObject.texts(guarantee),
                        PeerObject.texts(limit),
                        PeerQueues.lending(lending),
                        List.of(),
                        List.of(),
                        null,
                        isClosed(state) || isClosed(spec.path("state").asText()) ? true : null));
    }

    private static boolean isClosed(String state) {
        return state.equals("Closed") || state.equals("Closing");
    }
}
