package io.slotwise.kubernetes.manifest.inquiry;

import io.fabric8.kubernetes.api.model.Pod;
import io.slotwise.core.gang.GangId;
import io.slotwise.core.plan.Pending;
import io.slotwise.core.plan.Refusal;
import io.slotwise.core.plan.Request;
import io.slotwise.kubernetes.gangs.Conventions;
import io.slotwise.kubernetes.manifest.IntakeResult;
import io.slotwise.kubernetes.manifest.field.AnnotationKeys;
import io.slotwise.kubernetes.manifest.field.AnnotationReader;
import io.slotwise.kubernetes.manifest.field.GangKey;
import io.slotwise.kubernetes.manifest.pods.Pods;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A gang that objects become, with the statement that makes it and the reason why it cannot start.
 *
 * @param rule the statement in words, or null for a pod that no convention makes a member of a gang
 * @param pods the number of its pods in the input
 * @param size the number of pods that start together, or null if it is not known
 * @param refusal the reason why it cannot be planned, or null
 * @param policy what an admission policy answers to its pods, or null if they are admitted
 */
public record GangCheck(
        GangId gang,
        @Nullable String rule,
        int pods,
        @Nullable Integer size,
        @Nullable Refusal refusal,
        @Nullable String policy) {
    /** Checks all gangs, by name. O(pods). */
    public static List<GangCheck> of(IntakeResult result) {
        Map<GangId, Integer> sizes = new HashMap<>();
        for (Request request : result.snapshot().requests()) {
            sizes.put(request.gang().id(), request.gang().size());
        }
        Map<GangId, Refusal> refusals = new HashMap<>();
        for (Pending pending : result.snapshot().held()) {
            refusals.put(pending.gang(), pending.refusal());
        }
        List<GangCheck> checks = new ArrayList<>();
        result.members()
                .forEach((gang, pods) -> checks.add(new GangCheck(
                        gang,
                        rule(gang, pods.getFirst()),
                        pods.size(),
                        sizes.get(gang),
                        refusals.get(gang),
                        policy(pods))));
        return checks;
    }

    private static @Nullable String rule(GangId gang, Pod pod) {
        String rule = Conventions.rule(pod);
        return rule == null || Pods.gangOf(pod).equals(gang) ? rule : rule + ", each pod by itself";
    }

    /**
     * Returns the answer of the admission policies for labels and annotations of pods. These policies and {@link
     * GangKey} have the same rules, which a test compares.
     */
    private static @Nullable String policy(List<Pod> pods) {
        Set<Map<String, String>> seen = new HashSet<>();
        for (Pod pod : pods) {
            Map<String, String> labels = pod.getMetadata().getLabels();
            Map<String, String> annotations = pod.getMetadata().getAnnotations();
            Map<String, String> own = new HashMap<>();
            add(own, labels, "label ");
            add(own, annotations, "annotation ");
            if (seen.add(own)) {
                AnnotationReader reader = new AnnotationReader();
                reader.add(
                        "pod " + Pods.name(pod),
                        labels,
                        annotations,
                        AnnotationKeys.POD_LABELS,
                        AnnotationKeys.POD_ANNOTATIONS);
                GangKey.ALL.forEach(reader::readOrNull);
                if (!reader.problems().isEmpty()) {
                    return reader.problems().getFirst();
                }
            }
        }
        return null;
    }

    private static void add(Map<String, String> own, @Nullable Map<String, String> texts, String form) {
        if (texts != null) {
            texts.forEach((key, value) -> {
                if (key.startsWith(AnnotationKeys.PREFIX)) {
                    own.put(form + key, value);
                }
            });
        }
    }
}
